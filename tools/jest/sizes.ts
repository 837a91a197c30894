import { isCi } from '../../libs/testing/src/infrastructure/ci.ts';

/**
 * How much of what is exhaustive, random or long runs at each size. Every rule is tested at both sizes, and every assertion is the
 * same. A variable of the same name overrides both: `npm run test:long` sets those of what is random higher than CI has time for.
 */
export const SIZES = {
  /** Crashes at the named points of the code: `all`, or the `sample` of `crash-sample.ts`. */
  CRASH_POINTS: { short: 'sample', long: 'all' },
  /** Kills of the standalone at any moment of a purchase (`random-kills.e2e.spec.ts`). */
  CRASH_KILLS: { short: 5, long: 12 },
  /** Kills around debits; each costs a start and a part of a walk, of which there is one at a time. */
  CRASH_KILLS_OF_DEBITS: { short: 2, long: 4 },
  /** Kills of one of two replicas (`two-replicas.e2e.spec.ts`). */
  REPLICA_KILLS: { short: 2, long: 5 },
  /** Faults of processes, Kafka and PostgreSQL while buyers buy (`chaos.e2e.spec.ts`). */
  CHAOS_KILLS: { short: 3, long: 4 },
  /** Purchase plans that fall due at once while processes are killed (`purchase-plans-due.e2e.spec.ts`); a multiple of ten. */
  DUE_PLANS: { short: 60, long: 200 },
  /** Sequences of commands of each model test. */
  MODEL_RUNS: { short: 4, long: 15 },
  /** Rounds of each race between two requests about a mandate (`races.int.spec.ts`); a multiple of ten, of which two are no race. */
  RACE_ROUNDS: { short: 20, long: 100 },
  /** Generated requests to each operation (`schemathesis.e2e.spec.ts`): `few` are about a thousand. */
  GENERATED_REQUESTS: { short: 'few', long: 'all' },
  /** Pairs of a screen and a language in which pages of checkout and mandates are looked at (`LOOKS`). */
  PAGE_LOOKS: { short: 2, long: 4 },
  /** Whole demos, one after the other, on one product (`demo.e2e.spec.ts`). */
  WHOLE_DEMOS: { short: 1, long: 2 },
};

/** `TEST_SIZE`; where it is not set, `long` with `CI` set, else `short`. */
export function sizeOf(env: Readonly<Record<string, string | undefined>>): 'short' | 'long' {
  const isLong = env['TEST_SIZE'] ? env['TEST_SIZE'] === 'long' : isCi(env);
  return isLong ? 'long' : 'short';
}

/** Sets the variables that are not set; workers inherit them. */
export function setSizes(env: Record<string, string | undefined>): void {
  for (const [name, sizes] of Object.entries(SIZES)) env[name] ??= String(sizes[sizeOf(env)]);
}
