import { spawnSync } from 'node:child_process';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import pg from 'pg';
import { Pool } from 'undici';
import { freePort, type Processes } from '../lib/processes.ts';
import type { Contender } from './contender.ts';
import { driveCreations } from './create-requests.ts';
import { withDatabase } from '../lib/postgres.ts';

const TENANT = 'bench';

/** The plain build: two processes as well, each with a database of its own on the same server. */
export async function startBaseline(databaseUrl: string, processes: Processes): Promise<Contender> {
  const { status } = spawnSync(process.execPath, ['tools/build.mjs', 'bench/baseline'], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`the build of bench/baseline ended with ${status}`);
  await makeDatabases(databaseUrl);
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const token = await new SignJWT({ tenant: TENANT }).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
  const ordersUrl = `http://127.0.0.1:${await freePort()}`;
  const paymentsUrl = `http://127.0.0.1:${await freePort()}`;
  const jwk = JSON.stringify(await exportJWK(publicKey));
  const start = (script: string, url: string, database: string) =>
    processes.start(
      `bench/baseline/dist/${script}`,
      {
        PORT: new URL(url).port,
        DATABASE_URL: withDatabase(databaseUrl, database),
        ORDERS_URL: ordersUrl,
        BASELINE_JWK: jwk,
      },
      url,
    );
  await start('orders.main.js', ordersUrl, 'baseline_orders');
  await start('payments.main.js', paymentsUrl, 'baseline_payments');
  const orders = new pg.Pool({ connectionString: withDatabase(databaseUrl, 'baseline_orders'), max: 1 });
  const pool = new Pool(paymentsUrl, { connections: 16, pipelining: 1 });
  const stock: number[] = [];
  return {
    prepare: async (count) => void stock.push(...(await makeOrders(orders, count))),
    run: (load) =>
      driveCreations(pool, [{ token, bankAccountId: 1 }], stock.splice(0, load.warmup + load.total), load),
    close: async () => {
      await orders.end();
      await pool.close();
    },
  };
}

async function makeDatabases(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const name of ['baseline_orders', 'baseline_payments']) await client.query(`CREATE DATABASE ${name}`);
  await client.end();
}

async function makeOrders(orders: pg.Pool, count: number): Promise<number[]> {
  const { rows } = await orders.query<{ id: number }>(
    `INSERT INTO orders (tenant, state, amount, consent_email, mf_investment_account)
     SELECT $2, 'pending', 5000, 'investor@example.com', 'mfia_1' FROM generate_series(1, $1::int) RETURNING id`,
    [count, TENANT],
  );
  await orders.query('VACUUM ANALYZE orders');
  return rows.map((row) => row.id);
}
