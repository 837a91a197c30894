import { oneOf } from '../crash/random.ts';

/** The faults that a run may cause. */
export type FaultKind =
  | 'kill'
  | 'pause'
  | 'terminate'
  | 'broker_restart'
  | 'broker_crash'
  | 'database_restart'
  | 'database_crash'
  | 'provider_cut'
  | 'provider_delay';

/** One fault, as drawn from the seed. */
export interface PlannedFault {
  readonly kind: FaultKind;
  /** Its target: no two faults have the same target at the same time. */
  readonly target: string;
  /** Wall milliseconds after the fault before it. */
  readonly afterMs: number;
  /** How long it lasts, in wall milliseconds; 0 for an instant. */
  readonly forMs: number;
}

/**
 * Faults are dealt like cards, so that any ten of a deal include a kill, a pause, an outage of each server and a bad network. A
 * server goes down by a clean stop or by a crash.
 */
const DECK: readonly (readonly [FaultKind, ...FaultKind[]])[] = [
  ['kill'],
  ['kill'],
  ['kill'],
  ['pause'],
  ['pause'],
  ['terminate'],
  ['broker_restart', 'broker_crash'],
  ['database_restart', 'database_crash'],
  ['provider_cut'],
  ['provider_delay'],
];

/** The targets of faults that do not happen to a replica. */
const SERVERS: Readonly<Partial<Record<FaultKind, string>>> = {
  ...{ broker_restart: 'kafka', broker_crash: 'kafka' },
  ...{ database_restart: 'postgres', database_crash: 'postgres' },
  ...{ provider_cut: 'provider', provider_delay: 'provider' },
};

/** Ranges in wall milliseconds: at least the first, less than the second. */
type Range = readonly [number, number];
/** Faults come in bursts. The pauses between them let purchases go on, so that the next burst meets many. */
const WITHIN_A_BURST_MS: Range = [300, 2_500];
const BETWEEN_BURSTS_MS: Range = [8_000, 18_000];
const BURST_ENDS = 0.25;
const LASTS_MS: Readonly<Record<FaultKind, Range>> = {
  kill: [0, 0],
  pause: [5_000, 5_000],
  terminate: [0, 0],
  broker_restart: [0, 4_000],
  broker_crash: [0, 4_000],
  database_restart: [0, 2_000],
  database_crash: [0, 2_000],
  provider_cut: [1_000, 6_000],
  provider_delay: [2_000, 8_000],
};

/** Draws that many faults; the same seed draws the same ones. `replicas` are the names of the processes. */
export function planFaults(
  count: number,
  replicas: readonly [string, ...string[]],
  random: () => number,
): PlannedFault[] {
  const kinds: FaultKind[] = [];
  while (kinds.length < count) kinds.push(...shuffled(DECK, random).map((card) => oneOf(card, random)));
  return kinds.slice(0, count).map((kind) => ({
    kind,
    target: SERVERS[kind] ?? oneOf(replicas, random),
    afterMs: between(random() < BURST_ENDS ? BETWEEN_BURSTS_MS : WITHIN_A_BURST_MS, random),
    forMs: between(LASTS_MS[kind], random),
  }));
}

function between([low, high]: Range, random: () => number): number {
  return Math.floor(low + random() * (high - low));
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
