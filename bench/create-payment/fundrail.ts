import pg from 'pg';
import { Pool } from 'undici';
import { makeInvestor, withBankAccounts } from '../lib/investor.ts';
import { withDatabase } from '../lib/postgres.ts';
import type { Processes } from '../lib/processes.ts';
import { productionVariables } from '../lib/product.ts';
import { startServices } from '../lib/services.ts';
import { size } from '../lib/size.ts';
import type { Contender } from './contender.ts';
import { driveCreations } from './create-requests.ts';
import { makeOrdersToPay } from './orders-to-pay.ts';

const TENANT = 'bench';
/** Of the investor: none of the payments is paid, so all of them stay as what their account is asked for. */
const BANK_ACCOUNTS = size(2_000, 2);

/** fundrail as it is deployed: identity, orders, payments and webhooks as processes of their own, outside the sandbox. */
export async function startFundrail(databaseUrl: string, processes: Processes): Promise<Contender> {
  const services = ['identity', 'orders', 'payments', 'webhooks'] as const;
  const urls = await startServices(services, processes, productionVariables(databaseUrl));
  const investor = await makeInvestor(urls.identity, TENANT);
  const payers = await withBankAccounts(urls.identity, investor, BANK_ACCOUNTS);
  const orders = new pg.Pool({ connectionString: withDatabase(databaseUrl, 'fundrail_orders'), max: 1 });
  const pool = new Pool(urls.payments, { connections: 16, pipelining: 1 });
  const stock: number[] = [];
  return {
    prepare: async (count) => {
      const { account, profile } = investor;
      stock.push(...(await makeOrdersToPay(orders, count, { tenant: TENANT, account, profile })));
    },
    run: (load) => driveCreations(pool, payers, stock.splice(0, load.warmup + load.total), load),
    close: async () => {
      await orders.end();
      await pool.close();
    },
  };
}
