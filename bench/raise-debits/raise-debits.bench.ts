import { SignJWT } from 'jose';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { meterCpu, thisProcess } from '../lib/cpu-time.ts';
import { drive } from '../lib/load.ts';
import { hundredths, median } from '../lib/median.ts';
import { startPostgres, withDatabase, type BenchPostgres } from '../lib/postgres.ts';
import { Processes } from '../lib/processes.ts';
import { productionVariables } from '../lib/product.ts';
import { startServices } from '../lib/services.ts';
import { size } from '../lib/size.ts';
import { beDue, fill, requestOf, submitNone, type Range } from './fill.ts';

/** Debits of each round by orders, whole calls of 256; and of each round one by one. */
const TOGETHER = size(10_240, 256, 'BENCH_RAISED');
const ONE_BY_ONE = Math.ceil(TOGETHER / 10);
const ROUNDS = size(5, 1, 'BENCH_ROUNDS');
/** Requests of the baseline that run at the same time. */
const CLIENTS = 4;
const LIMIT_MS = 300_000;
const LOOK_EVERY_MS = 50;

interface Stage {
  readonly postgres: BenchPostgres;
  readonly processes: Processes;
  /** The database of payments. */
  readonly payments: pg.Client;
  readonly url: string;
  readonly secret: string;
}

/**
 * Debits of reviewed installments: orders, mandates and payments, one process each, until payments has stored each. Orders' own work sends
 * them together. The baseline calls the route for one debit, for each. Both take turns. What follows a debit is not part of it.
 */
export async function raiseDebitsBench(): Promise<object> {
  await using postgres = await startPostgres();
  await using processes = new Processes();
  // Without a broker the events wait in the outboxes.
  const variables: Record<string, string> = {
    ...productionVariables(postgres.url),
    KAFKA_BROKERS: '',
  };
  const { payments: url } = await startServices(['orders', 'mandates', 'payments'], processes, variables);
  await submitNone(postgres.url);
  const payments = new pg.Client({ connectionString: withDatabase(postgres.url, 'fundrail_payments') });
  await payments.connect();
  const stage = { postgres, processes, payments, url, secret: variables['SERVICE_TOKEN_SECRET'] ?? '' };
  try {
    const { ours, baseline, count } = await takeTurns(stage);
    const [raised_ps, one_by_one_ps] = [Math.round(median(ours)), Math.round(median(baseline))];
    const times_one_by_one = hundredths(raised_ps / one_by_one_ps);
    const load = hundredths(loadavg()[0] ?? Number.NaN);
    const faults = await faultsOf(payments, postgres.url, count);
    return { debits: TOGETHER, raised_ps, one_by_one_ps, times_one_by_one, ...faults, load };
  } finally {
    await payments.end();
  }
}

/** The rates of both contenders in each round, and how many debits were raised in all. The first round warms up. */
async function takeTurns(stage: Stage) {
  const [ours, baseline]: [number[], number[]] = [[], []];
  let count = 0;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const some = { first: count + 1, count: ONE_BY_ONE };
    const many = { first: some.first + some.count, count: TOGETHER };
    for (const range of [some, many]) await fill(stage.postgres.url, range);
    count += some.count + many.count;
    const alone = await measured(stage, 'one by one', some, () => oneByOne(stage, some));
    const all = await measured(stage, 'together', many, () => together(stage, many));
    if (round === 0) continue;
    baseline.push(alone);
    ours.push(all);
  }
  return { ours, baseline, count };
}

/** Debits a second; the processor time of each part is printed. */
async function measured(
  { postgres, processes }: Stage,
  name: string,
  { count }: Range,
  raise: () => Promise<number>,
): Promise<number> {
  const used = meterCpu([postgres.part, ...processes.parts, thisProcess('benchmark')]);
  const rate = count / (await raise());
  console.log(`${name}: ${Math.round(rate)}/s, processor µs a debit: ${used(count)}`);
  return rate;
}

/** Returns its seconds. */
async function oneByOne({ url, secret }: Stage, { first, count }: Range): Promise<number> {
  const authorization = await tokenOfOrders(secret);
  const send = async (index: number) => {
    const answer = await fetch(`${url}/internal/payments/debits`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(requestOf(first + index)),
    });
    return { status: answer.status, body: await answer.text() };
  };
  // On a busy machine an outcome may not be known in time. The caller asks again.
  const request = async (index: number) => {
    const end = performance.now() + LIMIT_MS;
    let { status, body } = await send(index);
    while (status === 503 && performance.now() < end) ({ status, body } = await send(index));
    if (status !== 200) throw new Error(`a debit was answered with ${status}: ${body}`);
    return true;
  };
  const { rps } = await drive({ clients: CLIENTS, total: count, warmup: 0, request });
  return count / rps;
}

/** Returns the seconds from the first order that payments knows, because orders may rest when they fall due, to the last stored payment. */
async function together({ postgres, payments }: Stage, range: Range): Promise<number> {
  await beDue(postgres.url, range);
  await until(() => countOf(payments, 'order_debits', range), 1);
  const began = performance.now();
  await until(() => countOf(payments, 'payment_orders', range), range.count);
  return (performance.now() - began) / 1000;
}

/** The `Authorization` header with which orders calls other services; no such token lives longer. */
async function tokenOfOrders(secret: string): Promise<string> {
  const token = new SignJWT().setProtectedHeader({ alg: 'HS256' }).setIssuer('fundrail').setSubject('orders');
  const signed = token.setAudience('fundrail:internal').setIssuedAt().setExpirationTime('5 min');
  return `Bearer ${await signed.sign(new TextEncoder().encode(secret))}`;
}

async function until(count: () => Promise<number>, wanted: number): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  while (performance.now() < end) {
    if ((await count()) >= wanted) return;
    await pause(LOOK_EVERY_MS);
  }
  throw new Error('the debits were not raised in 5 minutes');
}

async function countOf(client: pg.Client, table: string, { first, count }: Range): Promise<number> {
  const text = `SELECT count(*) AS n FROM ${table} WHERE old_id BETWEEN $1 AND $2`;
  const { rows } = await client.query<{ n: string }>(text, [first, first + count - 1]);
  return Number(rows[0]?.n);
}

/** Orders with several payments or none, and payments that mandates has not admitted. */
async function faultsOf(payments: pg.Client, server: string, count: number): Promise<object> {
  const { rows } = await payments.query<{ payments: string; orders: string }>(
    'SELECT count(*) AS payments, count(DISTINCT old_id) AS orders FROM payment_orders',
  );
  const [raised, distinct] = [Number(rows[0]?.payments), Number(rows[0]?.orders)];
  const mandates = new pg.Client({ connectionString: withDatabase(server, 'fundrail_mandates') });
  await mandates.connect();
  const admitted = await mandates.query<{ n: string }>('SELECT count(*) AS n FROM mandate_debits');
  await mandates.end();
  const faults = { doubles: raised - distinct, missed: count - distinct };
  if (Number(admitted.rows[0]?.n) !== raised) throw new Error('mandates and payments have different debits');
  return faults;
}
