import pg from 'pg';
import { Pool } from 'undici';
import { makeClient, post } from '../lib/api.ts';
import { withDatabase } from '../lib/postgres.ts';
import type { Processes } from '../lib/processes.ts';
import { OPERATOR, productionVariables } from '../lib/product.ts';
import { startServices } from '../lib/services.ts';
import type { Contender } from './create-payment.bench.ts';
import { driveCreations } from './create-requests.ts';
import { makeOrdersToPay } from './orders-to-pay.ts';

const TENANT = 'bench';

/** fundrail as it is deployed: identity, orders, payments and webhooks as processes of their own, outside the sandbox. */
export async function startFundrail(databaseUrl: string, processes: Processes): Promise<Contender> {
  const services = ['identity', 'orders', 'payments', 'webhooks'] as const;
  const urls = await startServices(services, processes, productionVariables(databaseUrl));
  const investor = await makeInvestor(urls.identity);
  const orders = new pg.Pool({ connectionString: withDatabase(databaseUrl, 'fundrail_orders'), max: 1 });
  const pool = new Pool(urls.payments, { connections: 16, pipelining: 1 });
  const stock: number[] = [];
  return {
    prepare: async (count) => {
      const { account, profile } = investor;
      stock.push(...(await makeOrdersToPay(orders, count, { tenant: TENANT, account, profile })));
    },
    run: (load) =>
      driveCreations(
        pool,
        investor.token,
        investor.bankAccountId,
        stock.splice(0, load.warmup + load.total),
        load,
      ),
    close: async () => {
      await orders.end();
      await pool.close();
    },
  };
}

interface Investor {
  readonly token: string;
  readonly profile: string;
  readonly account: string;
  readonly bankAccountId: number;
}

/** A tenant with a client, and an investor of it, made over HTTP as anyone would. */
async function makeInvestor(identity: string): Promise<Investor> {
  const token = await makeClient(identity, TENANT, OPERATOR);
  const profile = await post(identity, '/v2/investor_profiles', token, {
    name: 'Asha Rao',
    pan: 'ABCPR1234F',
    date_of_birth: '1990-04-01',
    email: 'investor@example.com',
    mobile: { isd_code: '91', number: '9876543210' },
    tax_status: 'resident_individual',
  });
  const bankAccount = await post(identity, '/v2/bank_accounts', token, {
    profile: profile['id'],
    primary_account_holder_name: 'Asha Rao',
    account_number: '000123456789',
    type: 'savings',
    ifsc_code: 'HDFC0000001',
  });
  const account = await post(identity, '/v2/mf_investment_accounts', token, {
    primary_investor: profile['id'],
    holding_pattern: 'single',
    folio_defaults: { payout_bank_account: bankAccount['id'] },
  });
  return {
    token,
    profile: String(profile['id']),
    account: String(account['id']),
    bankAccountId: Number(bankAccount['old_id']),
  };
}
