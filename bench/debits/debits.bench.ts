import { istTimestamp } from '@fundrail/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { meterCpu, thisProcess } from '../lib/cpu-time.ts';
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
}

/**
 * Debits whose notices were sent a day ago fall due in one window: each is claimed, decided with its mandate and recorded as started,
 * sent to the provider over HTTP, and its acceptance recorded with its event for payments. First at full speed, then at a limit with two
 * replicas. What payments does with the event is not part of it.
 */
export async function debitsBench(): Promise<object> {
  const aheadMs = msPastPeak(istTimestamp(new Date()).slice(11, 16));
  await using postgres = await startPostgres();
  await using provider = await startInstantProvider();
  const variables = {
    ...productionVariables(postgres.url),
    GATEWAYPOA_BASE_URL: provider.url,
    ...(aheadMs > 0 ? { SANDBOX: 'true' } : {}),
  };
  const stage = { aheadMs, postgres, provider, variables };
  const all = { first: 1, count: DEBITS };
  const some = { first: DEBITS + 1, count: LIMIT * LIMIT_SECONDS };
  const fast = await run(stage, all, { limit: NO_LIMIT, replicas: 1 });
  console.log(describe(fast));
  const limited = some.count > 0 ? await run(stage, some, { limit: LIMIT, replicas: REPLICAS }) : null;
  if (limited) console.log(describe(limited));
  return { ...figuresOf(fast), limited: limited && heldOf(limited) };
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
  /** Of the first replica of mandates, after a quarter of the debits and at the end. */
  readonly live: readonly LiveMemory[];
  readonly questions: number;
  /** Processor time of each part a debit. */
  readonly cpu: string;
  /** When each execution arrived at the provider, milliseconds after the first. */
  readonly arrivals: readonly number[];
}

async function run(
  { aheadMs, postgres, provider, variables }: Stage,
  range: Range,
  { limit, replicas }: { limit: number; replicas: number },
): Promise<Run> {
  await using mandates = new Processes();
  const database = new pg.Client({ connectionString: withDatabase(postgres.url, 'fundrail_mandates') });
  try {
    const env = { ...variables, GATEWAYPOA_DEBITS_PER_SECOND: String(limit) };
    const inspector = await freePort();
    let urls: ServiceUrls | undefined;
    for (let replica = 0; replica < replicas; replica += 1) {
      const own = replica === 0 ? { ...env, NODE_OPTIONS: inspectable(inspector) } : env;
      urls = await startServices(['mandates'], mandates, own, urls && (await withAnother(urls, 'mandates')));
    }
    await fill(postgres.url, range, aheadMs);
    const clock = `UPDATE business_clock SET offset_ms = ${aheadMs}`;
    await onServer(withDatabase(postgres.url, 'fundrail_mandates'), clock);
    await database.connect();
    // Status requests for the debits of an earlier part do not count here.
    await database.query('DELETE FROM due_work');
    provider.reset();
    const parts = [thisProcess('provider and benchmark'), postgres.part, ...mandates.parts];
    const [first] = mandates.parts;
    if (!first) throw new Error('mandates runs');
    const used = meterCpu(parts);
    const memory = watchMemory(first);
    await beDue(postgres.url, range, aheadMs);
    const began = performance.now();
    const recorded = (enough: number) => untilRecorded(database, { provider, range, enough });
    await recorded(Math.floor(range.count / 4));
    const afterQuarter = await liveMemory(inspector);
    await recorded(range.count);
    const seconds = (performance.now() - began) / 1000;
    const cpu = used(range.count);
    const seen = memory.stop();
    const live = [afterQuarter, await liveMemory(inspector)];
    await verify(database, provider, range);
    const [start = 0] = provider.arrivals;
    return {
      ...{ limit, replicas, count: range.count, seconds, memory: seen, live },
      questions: provider.questions,
      cpu,
      arrivals: provider.arrivals.map((at) => at - start),
    };
  } finally {
    await database.end();
  }
}

/** What is waited for. */
interface Wanted {
  readonly provider: InstantProvider;
  readonly range: Range;
  readonly enough: number;
}

async function untilRecorded(database: pg.Client, { provider, range, enough }: Wanted): Promise<void> {
  const end = performance.now() + 1_800_000;
  while (performance.now() < end) {
    // Counting costs PostgreSQL, whose processor time is measured, so it waits for that many calls. With the smallest sizes a call may be
    // lost, and a status request finds the attempt.
    const isNear = IS_SMALLEST || provider.arrivals.length >= enough;
    if (isNear && (await recordedOf(database, range)) >= enough) return;
    await pause(50);
  }
  throw new Error('the debits were not recorded in 30 minutes');
}

async function recordedOf(database: pg.Client, { first, count }: Range): Promise<number> {
  const { rows } = await database.query<{ n: string }>(
    'SELECT count(*) AS n FROM debit_attempts WHERE accepted_at IS NOT NULL AND payment_id BETWEEN $1 AND $2',
    [first, first + count - 1],
  );
  return Number(rows[0]?.n);
}

/** Each debit one attempt, one call and its event. Throws when not. */
async function verify(
  mandates: pg.Client,
  provider: InstantProvider,
  { first, count }: Range,
): Promise<void> {
  const among = [first, first + count - 1];
  const number = async (text: string) =>
    Number((await mandates.query<{ n: string }>(text, among)).rows[0]?.n);
  const found = {
    // On a busy machine a call may time out, and a status request finds the attempt: with the smallest sizes that is not an error.
    calls: IS_SMALLEST ? count : provider.arrivals.length,
    repeated: provider.repeated,
    attempts: await number(
      `SELECT count(*) AS n FROM debit_attempts AS a JOIN mandate_debits AS d USING (payment_id)
        WHERE a.number = 1 AND a.state = 'accepted' AND d.state = 'attempting' AND payment_id BETWEEN $1 AND $2`,
    ),
    events: await number(
      `SELECT count(*) AS n FROM outbox
        WHERE type = 'mandate_debit.submitted' AND replace(aggregate_id, 'debit_', '')::bigint BETWEEN $1 AND $2`,
    ),
  };
  const wanted = { calls: count, repeated: 0, attempts: count, events: count };
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
  const { count, seconds, limit, replicas, questions, memory, cpu } = one;
  const live = one.live.map(({ heap }) => heap.toFixed(1)).join(' → ');
  return [
    `${count} debits in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)}/s (limit ${limit}/s, replicas ${replicas})`,
    `        ${questions} questions how they stand; memory of mandates ${memory.start} → ${memory.quarter} → ${memory.end} MB, live heap ${live} MB`,
    `        processor µs a debit: ${cpu}`,
  ].join('\n');
}
