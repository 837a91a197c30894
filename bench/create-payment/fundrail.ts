import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Pool } from 'undici';
import { freePort, type Processes } from '../lib/processes.ts';
import type { Contender } from './create-payment.bench.ts';
import { driveCreations } from './create-requests.ts';
import { makeOrdersToPay } from './orders-to-pay.ts';

const SERVICES = ['identity', 'orders', 'payments'] as const;
type Service = (typeof SERVICES)[number];
const ADMIN = { id: 'bench-admin', secret: 'bench-admin-secret' };
const TENANT = 'bench';

/** fundrail as it is deployed: identity, orders and payments as processes of their own, outside the sandbox. */
export async function startFundrail(databaseUrl: string, processes: Processes): Promise<Contender> {
  const urls = await addresses();
  const env = environment(databaseUrl, urls);
  for (const service of SERVICES) {
    const main = `apps/${service}/dist/main.js`;
    const url = urls[service];
    const migrated = spawnSync(process.execPath, [main, 'migrate'], {
      env: { ...process.env, ...env },
      stdio: 'inherit',
    });
    if (migrated.status !== 0) throw new Error(`${service}: no migration`);
    await processes.start(main, { ...env, PORT: new URL(url).port }, `${url}/health/live`);
  }
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

export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

async function addresses(): Promise<Record<Service, string>> {
  const [identity, orders, payments] = [await freePort(), await freePort(), await freePort()];
  return {
    identity: `http://127.0.0.1:${identity}`,
    orders: `http://127.0.0.1:${orders}`,
    payments: `http://127.0.0.1:${payments}`,
  };
}

/** Secrets of this run. The gateway's address leads nowhere: nothing of what is measured asks it. */
function environment(databaseUrl: string, urls: Readonly<Record<Service, string>>): Record<string, string> {
  const secret = () => randomBytes(32).toString('base64');
  return {
    SANDBOX: 'false',
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'error',
    // As many connections as clients, as the ceiling and the baseline have.
    DATABASE_POOL_SIZE: '16',
    IDENTITY_URL: urls.identity,
    ORDERS_URL: urls.orders,
    PAYMENTS_URL: urls.payments,
    PUBLIC_BASE_URL: urls.payments,
    SERVICE_TOKEN_SECRET: secret(),
    DATA_ENCRYPTION_KEY: secret(),
    ADMIN_CLIENT_ID: ADMIN.id,
    ADMIN_CLIENT_SECRET: ADMIN.secret,
    GATEWAYPOA_BASE_URL: 'http://127.0.0.1:9',
    GATEWAYPOA_API_KEY: secret(),
    GATEWAYPOA_WEBHOOK_SECRET: secret(),
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
  const admin = await getToken(identity, 'operator', ADMIN.id, ADMIN.secret);
  await post(identity, '/admin/tenants', admin, { name: TENANT });
  const client = await post(identity, `/admin/tenants/${TENANT}/clients`, admin, {});
  const token = await getToken(
    identity,
    TENANT,
    String(client['client_id']),
    String(client['client_secret']),
  );
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

async function getToken(identity: string, tenant: string, id: string, secret: string): Promise<string> {
  const answer = await fetch(`${identity}/v2/auth/${tenant}/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: id, client_secret: secret, grant_type: 'client_credentials' }),
  });
  const body = (await answer.json()) as Record<string, unknown>;
  if (!answer.ok) throw new Error(`no token: ${JSON.stringify(body)}`);
  return String(body['access_token']);
}

async function post(
  base: string,
  path: string,
  token: string,
  body: object,
): Promise<Record<string, unknown>> {
  const answer = await fetch(base + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answered = (await answer.json()) as Record<string, unknown>;
  if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(answered)}`);
  return answered;
}
