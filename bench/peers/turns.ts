import { loadavg } from 'node:os';
import { meterCpuMs, type Part } from '../lib/cpu-time.ts';
import { hundredths, median } from '../lib/median.ts';
import { size } from '../lib/size.ts';

const WARM_UPS = size(1, 0);
const ROUNDS = size(3, 1, 'BENCH_ROUNDS');

/** What one contender made of its rows. */
export interface Turn {
  /** Rows a second. */
  readonly ps: number;
  /** Processor µs of a row, by process. */
  readonly cpu: Readonly<Record<string, number>>;
}

type Contender = (rows: number) => Promise<Turn>;

/** Medians of the rounds. */
export interface Comparison {
  /** Of a turn. */
  readonly rows: number;
  readonly ours_ps: number;
  readonly peer_ps: number;
  /** How many times as many rows a second ours makes. */
  readonly times_rate: number;
  readonly ours_cpu_us: number;
  readonly peer_cpu_us: number;
  /** How many times as much processor the peer takes for a row. */
  readonly times_cpu: number;
  readonly ours_by_process: Readonly<Record<string, number>>;
  readonly peer_by_process: Readonly<Record<string, number>>;
  readonly versions: Readonly<Record<string, string>>;
  /** Runnable processes at the end, mean of a minute. */
  readonly load: number;
}

/** Measures from now on what the parts use of the processor: µs by process, divided by the rows. */
export function meterUs(parts: readonly Part[]): (rows: number) => Readonly<Record<string, number>> {
  const used = meterCpuMs(parts);
  return (rows) => Object.fromEntries(Object.entries(used(rows)).map(([name, ms]) => [name, ms * 1000]));
}

/** Both in turn, so that a slow minute of the machine hits both. The first turn of each only warms up. */
export async function takeTurns(
  rows: number,
  ours: Contender,
  peer: Contender,
  versions: Comparison['versions'],
): Promise<Comparison> {
  const rounds: { readonly ours: Turn; readonly peer: Turn }[] = [];
  for (let round = 1 - WARM_UPS; round <= ROUNDS; round += 1) {
    const pair = { ours: await ours(rows), peer: await peer(rows) };
    console.log(`${round < 1 ? 'warm-up' : `round ${round}`}: ${describe('ours', pair.ours)}`);
    console.log(`         ${describe('peer', pair.peer)}`);
    if (round > 0) rounds.push(pair);
  }
  const middle = (value: (round: (typeof rounds)[number]) => number) => median(rounds.map(value));
  const byProcess = (turns: readonly Turn[]) =>
    Object.fromEntries(
      Object.keys(turns[0]?.cpu ?? {}).map((name) => [
        name,
        Math.round(median(turns.map(({ cpu }) => cpu[name] ?? 0))),
      ]),
    );
  return {
    rows,
    ours_ps: Math.round(middle(({ ours }) => ours.ps)),
    peer_ps: Math.round(middle(({ peer }) => peer.ps)),
    times_rate: hundredths(middle(({ ours, peer }) => ours.ps / peer.ps)),
    ours_cpu_us: Math.round(middle(({ ours }) => sumOf(ours))),
    peer_cpu_us: Math.round(middle(({ peer }) => sumOf(peer))),
    times_cpu: hundredths(middle(({ ours, peer }) => sumOf(peer) / sumOf(ours))),
    ours_by_process: byProcess(rounds.map(({ ours }) => ours)),
    peer_by_process: byProcess(rounds.map(({ peer }) => peer)),
    versions,
    load: hundredths(loadavg()[0] ?? 0),
  };
}

function sumOf({ cpu }: Turn): number {
  return Object.values(cpu).reduce((sum, us) => sum + us, 0);
}

function describe(name: string, { ps, cpu }: Turn): string {
  const parts = Object.entries(cpu).map(([part, us]) => `${part} ${Math.round(us)}`);
  return `${name} ${Math.round(ps)} /s, processor µs of each: ${parts.join(', ')}`;
}
