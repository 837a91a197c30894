import { istTimestamp } from '@fundrail/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { cpuTimes } from '../lib/cpu-time.ts';
import { watchMemory, type Memory } from '../lib/memory.ts';
import { onServer, startPostgres, withDatabase, type BenchPostgres } from '../lib/postgres.ts';
import { freePort, Processes } from '../lib/processes.ts';
import { productionVariables } from '../lib/product.ts';
import { startServices, withAnother, type ServiceUrls } from '../lib/services.ts';
import { IS_SMALLEST, size } from '../lib/size.ts';
import { beDue, fill, type Range } from './fill.ts';
import { inspectable, liveMemory, type LiveMemory } from './live-heap.ts';
import { startInstantProvider, type InstantProvider } from './provider.ts';

/** Debits that fall due in one moment, without a limit that could be reached. */
const DEBITS = size(100_000, 200, 'BENCH_DEBITS');
/** The limit of the second part, and for how long it is held. */
const LIMIT = size(200, 50, 'BENCH_DEBITS_LIMIT');
const LIMIT_SECONDS = size(30, 3, 'BENCH_DEBITS_SECONDS');
const NO_LIMIT = 100_000;
const REPLICAS = 2;

/** The options of all parts. */
interface Stage {
  /** How far business time is ahead of the wall clock. */
  readonly aheadMs: number;
  readonly postgres: BenchPostgres;
  readonly provider: InstantProvider;
  readonly variables: Readonly<Record<string, string>>;
  readonly mandates: Processes;
  readonly urls: ServiceUrls;
}

/**
 * Debits whose notices were sent a day ago fall due in one window: each is claimed, permitted by mandates over HTTP, recorded as
 * started, sent to the provider over HTTP, and its acceptance recorded with its events. First at full speed, then at a limit with
 * two replicas.
 */
export async function debitsBench(): Promise<object> {
  const aheadMs = msPastPeak(istTimestamp(new Date()).slice(11, 16));
  const postgres = await startPostgres();
  const provider = await startInstantProvider();
  const mandates = new Processes();
  try {
    const variables = {
      ...productionVariables(postgres.url),
      GATEWAYPOA_BASE_URL: provider.url,
      ...(aheadMs > 0 ? { SANDBOX: 'true' } : {}),
    };
    const urls = await startServices(['mandates'], mandates, variables);
    const stage = { aheadMs, postgres, provider, variables, mandates, urls };
    const all = { first: 1, count: DEBITS };
    const some = { first: DEBITS + 1, count: LIMIT * LIMIT_SECONDS };
    const fast = await run(stage, all, { limit: NO_LIMIT, replicas: 1 });
    console.log(describe(fast));
    const limited = some.count > 0 ? await run(stage, some, { limit: LIMIT, replicas: REPLICAS }) : null;
    if (limited) console.log(describe(limited));
    return { ...figuresOf(fast), limited: limited && heldOf(limited) };
  } finally {
    await mandates.end();
    await provider.stop();
    await postgres.stop();
  }
}

/** The times without measurements: NPCI's peak hours, and the rest of the windows before and after them. */
const PEAKS = [
  { from: '09:45', to: '13:10' },
  { from: '16:45', to: '21:40' },
] as const;

/**
 * No debit is made in NPCI's peak hours, not even here: due debits wait for the window after them, so nothing can be measured then.
 * The smallest sizes measure nothing: they run in a sandbox whose clock is ahead by the returned milliseconds, past the peak.
 */
function msPastPeak(now: string): number {
  const peak = PEAKS.find(({ from, to }) => now >= from && now < to);
  if (!peak) return 0;
  if (!IS_SMALLEST)
    throw new Error(
      `it is ${now} in India: debits are measured before 09:45, from 13:10 to 16:45 and from 21:40 on`,
    );
  return (minuteOf(peak.to) - minuteOf(now)) * 60_000;
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

interface Run {
  readonly limit: number;
  readonly replicas: number;
  readonly count: number;
  readonly seconds: number;
  readonly memory: Memory;
  /** Of the first replica of payments, after a quarter of the debits and at the end. */
  readonly live: readonly LiveMemory[];
  readonly questions: number;
  readonly cpuUs: readonly (readonly [string, number])[];
  /** When each execution arrived at the provider, milliseconds after the first. */
  readonly arrivals: readonly number[];
}

async function run(
  { aheadMs, postgres, provider, variables, mandates, urls }: Stage,
  range: Range,
  { limit, replicas }: { limit: number; replicas: number },
): Promise<Run> {
  const payments = new Processes();
  const database = new pg.Client({ connectionString: withDatabase(postgres.url, 'fundrail_payments') });
  try {
    const env = { ...variables, GATEWAYPOA_DEBITS_PER_SECOND: String(limit) };
    const inspector = await freePort();
    for (let replica = 0; replica < replicas; replica += 1) {
      const own = replica === 0 ? { ...env, NODE_OPTIONS: inspectable(inspector) } : env;
      await startServices(['payments'], payments, own, await withAnother(urls, 'payments'));
    }
    await fill(postgres.url, range, aheadMs);
    for (const name of ['fundrail_mandates', 'fundrail_payments'])
      await onServer(withDatabase(postgres.url, name), `UPDATE business_clock SET offset_ms = ${aheadMs}`);
    await database.connect();
    // Status requests for the debits of an earlier part do not count here.
    await database.query('DELETE FROM due_work');
    provider.reset();
    const parts = [
      { name: 'provider and benchmark', pid: process.pid, withChildren: false },
      postgres.part,
      ...mandates.parts,
      ...payments.parts,
    ];
    const [first] = payments.parts;
    if (!first) throw new Error('payments runs');
    const before = cpuTimes(parts);
    const memory = watchMemory(first);
    await beDue(postgres.url, range, aheadMs);
    const began = performance.now();
    await untilRecorded(database, range, Math.floor(range.count / 4));
    const afterQuarter = await liveMemory(inspector);
    await untilRecorded(database, range, range.count);
    const seconds = (performance.now() - began) / 1000;
    const used = cpuTimes(parts);
    const seen = memory.stop();
    const live = [afterQuarter, await liveMemory(inspector)];
    await verify(postgres, database, provider, range);
    const [start = 0] = provider.arrivals;
    return {
      ...{ limit, replicas, count: range.count, seconds, memory: seen, live },
      questions: provider.questions,
      cpuUs: [...used].map(([name, ms]) => [name, ((ms - (before.get(name) ?? 0)) * 1000) / range.count]),
      arrivals: provider.arrivals.map((at) => at - start),
    };
  } finally {
    await database.end();
    await payments.end();
  }
}

async function untilRecorded(database: pg.Client, { first, count }: Range, enough: number): Promise<void> {
  const end = performance.now() + 1_800_000;
  while (performance.now() < end) {
    const { rows } = await database.query<{ n: string }>(
      'SELECT count(*) AS n FROM debit_attempts WHERE accepted_at IS NOT NULL AND payment_id BETWEEN $1 AND $2',
      [first, first + count - 1],
    );
    if (Number(rows[0]?.n) >= enough) return;
    await pause(250);
  }
  throw new Error('the debits were not recorded in 30 minutes');
}

/** Each debit one attempt, one call, one permit that is older than the call's record, and its two events. Throws when not. */
async function verify(
  postgres: BenchPostgres,
  payments: pg.Client,
  provider: InstantProvider,
  { first, count }: Range,
): Promise<void> {
  const mandates = new pg.Client({ connectionString: withDatabase(postgres.url, 'fundrail_mandates') });
  await mandates.connect();
  const among = [first, first + count - 1];
  const number = async (client: pg.Client, text: string) =>
    Number((await client.query<{ n: string }>(text, among)).rows[0]?.n);
  const found = {
    // On a busy machine a call may time out, and a status request finds the attempt: with the smallest sizes that is not an error.
    calls: IS_SMALLEST ? count : provider.arrivals.length,
    repeated: provider.repeated,
    attempts: await number(
      payments,
      `SELECT count(*) AS n FROM debit_attempts AS a JOIN payments AS p ON p.id = a.payment_id
        WHERE a.number = 1 AND p.status = 'SUBMITTED' AND payment_id BETWEEN $1 AND $2`,
    ),
    events: await number(
      payments,
      `SELECT count(*) AS n FROM outbox WHERE aggregate_id::bigint BETWEEN $1 AND $2`,
    ),
    permits: await number(
      mandates,
      `SELECT count(*) AS n FROM mandate_permits WHERE step = 'execute' AND attempt = 1 AND payment_id BETWEEN $1 AND $2`,
    ),
  };
  await mandates.end();
  const wanted = { calls: count, repeated: 0, attempts: count, events: 2 * count, permits: count };
  if (JSON.stringify(found) !== JSON.stringify(wanted))
    throw new Error(`found ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
}

/** Calls of each whole second, the first of which begins with the first call. */
function perSecond({ arrivals }: Run): number[] {
  const seconds = Math.floor((arrivals.at(-1) ?? 0) / 1000);
  return Array.from(
    { length: seconds },
    (_, second) => arrivals.filter((at) => Math.floor(at / 1000) === second).length,
  );
}

function figuresOf({ count, seconds, memory, live: [quarter, end] }: Run): object {
  const inMb = (mb = 0) => Math.round(mb * 10) / 10;
  return {
    debits_ps: Math.round(count / seconds),
    rss_peak_mb: memory.peak,
    rss_start_mb: memory.start,
    rss_quarter_mb: memory.quarter,
    rss_end_mb: memory.end,
    live_heap_quarter_mb: inMb(quarter?.heap),
    live_heap_end_mb: inMb(end?.heap),
    live_outside_quarter_mb: inMb(quarter?.outside),
    live_outside_end_mb: inMb(end?.outside),
  };
}

function heldOf(held: Run): object {
  const { arrivals, limit, replicas } = held;
  const [last = 1] = arrivals.slice(-1);
  const seconds = perSecond(held);
  return {
    ...{ limit, replicas, rate_ps: Math.round(((arrivals.length - 1) / last) * 10_000) / 10 },
    least_in_a_second: Math.min(...seconds),
    most_in_a_second: Math.max(...seconds),
  };
}

function describe(one: Run): string {
  const { count, seconds, limit, replicas, questions, memory } = one;
  const live = one.live.map(({ heap }) => heap.toFixed(1)).join(' → ');
  const used = one.cpuUs.map(([name, us]) => `${name} ${Math.round(us)}`).join(', ');
  return [
    `${count} debits in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)}/s (limit ${limit}/s, replicas ${replicas})`,
    `        ${questions} questions how they stand; memory of payments ${memory.start} → ${memory.quarter} → ${memory.end} MB, live heap ${live} MB`,
    `        processor µs a debit: ${used}`,
  ].join('\n');
}
