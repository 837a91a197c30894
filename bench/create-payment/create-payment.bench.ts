import { meterCpu, thisProcess, type Part } from '../lib/cpu-time.ts';
import type { LoadResult } from '../lib/load.ts';
import { hundredths, median } from '../lib/median.ts';
import { onServer, startPostgres } from '../lib/postgres.ts';
import { Processes } from '../lib/processes.ts';
import { size } from '../lib/size.ts';
import { startBaseline } from './baseline.ts';
import { startCeiling } from './ceiling.ts';
import type { Contender, Load } from './contender.ts';
import { startFundrail } from './fundrail.ts';

const LOAD: Load = { clients: 16, warmup: size(2000, 20), total: size(6000, 60, 'BENCH_REQUESTS') };
// Rounds alternate between the three, so that a slow minute of the machine hits all of them.
const ROUNDS = size(5, 1, 'BENCH_ROUNDS');

/**
 * `POST /api/pg/payments/netbanking` on one durable PostgreSQL: (a) the same rows by prepared statements without HTTP,
 * (b) fundrail as separate processes, (c) the plain build of `bench/baseline`.
 */
export async function createPaymentBench(): Promise<object> {
  await using postgres = await startPostgres();
  await using processes = new Processes();
  const fundrail = await startFundrail(postgres.url, processes);
  const ceiling = startCeiling(postgres.url);
  const baseline = await startBaseline(postgres.url, processes);
  const parts = [thisProcess('load'), postgres.part, ...processes.parts];
  for (const contender of [ceiling, fundrail, baseline])
    await contender.prepare(ROUNDS * (LOAD.warmup + LOAD.total));
  // Flush the writes of the created orders before the first round, not during it.
  await onServer(postgres.url, 'CHECKPOINT');
  const rounds = await runRounds({ ceiling, fundrail, baseline }, parts);
  for (const contender of [ceiling, fundrail, baseline]) await contender.close();
  return report(rounds);
}

type Rounds = Readonly<Record<'ceiling' | 'fundrail' | 'baseline', readonly LoadResult[]>>;

async function runRounds(
  contenders: Readonly<Record<keyof Rounds, Contender>>,
  parts: readonly Part[],
): Promise<Rounds> {
  const rounds: Record<keyof Rounds, LoadResult[]> = { ceiling: [], fundrail: [], baseline: [] };
  for (let round = 1; round <= ROUNDS; round++) {
    for (const name of ['ceiling', 'fundrail', 'baseline'] as const) {
      const cpu = meterCpu(parts);
      const result = await contenders[name].run(LOAD);
      if (result.failed > 0)
        throw new Error(`${name}: ${result.failed} requests failed, so the figures mean nothing`);
      rounds[name].push(result);
      console.log(
        `round ${round} ${name.padEnd(8)} ${result.rps.toFixed(0).padStart(6)} /s  p50 ${result.p50_ms.toFixed(1)} ms  p99 ${result.p99_ms.toFixed(1)} ms`,
      );
      // The warm-up is included.
      console.log(`        processor µs a payment: ${cpu(LOAD.warmup + LOAD.total)}`);
    }
  }
  return rounds;
}

function report(rounds: Rounds): object {
  const of = (name: keyof Rounds, figure: keyof LoadResult) =>
    median(rounds[name].map((result) => result[figure]));
  const ratio = (to: keyof Rounds) =>
    median(rounds.fundrail.map((result, index) => result.rps / (rounds[to][index]?.rps ?? Number.NaN)));
  console.table(
    Object.fromEntries(
      (['ceiling', 'fundrail', 'baseline'] as const).map((name) => [
        name,
        {
          'payments/s': Math.round(of(name, 'rps')),
          'p50 ms': hundredths(of(name, 'p50_ms')),
          'p99 ms': hundredths(of(name, 'p99_ms')),
        },
      ]),
    ),
  );
  return {
    ours_rps: Math.round(of('fundrail', 'rps')),
    ceiling_rps: Math.round(of('ceiling', 'rps')),
    baseline_rps: Math.round(of('baseline', 'rps')),
    of_ceiling: hundredths(ratio('ceiling')),
    times_baseline: hundredths(ratio('baseline')),
    p50_ms: hundredths(of('fundrail', 'p50_ms')),
    p99_ms: hundredths(of('fundrail', 'p99_ms')),
  };
}
