import fc from 'fast-check';

/** The details of a failed run that are needed to play it again. */
type Failed = Pick<
  fc.RunDetails<unknown[]>,
  'seed' | 'numRuns' | 'counterexamplePath' | 'counterexample' | 'errorInstance'
>;

/**
 * The variables of a run: `MODEL_RUNS`, and `MODEL_SEED`, `MODEL_PATH` and `MODEL_REPLAY` to play a failed run again.
 * `MODEL_SHRINK=no` reports the first counterexample without making it smaller.
 */
export type RunVariables = Readonly<Record<string, string | undefined>>;

/** fast-check's parameters of a run; `replayPath` belongs to its commands. Throws without `MODEL_RUNS`, which `jest.config.mjs` sets. */
export function runOf({ MODEL_RUNS, MODEL_SEED, MODEL_PATH, MODEL_REPLAY, MODEL_SHRINK }: RunVariables): {
  readonly numRuns: number;
  readonly seed?: number;
  readonly path?: string;
  readonly replayPath?: string;
  readonly endOnFailure?: boolean;
} {
  const numRuns = Number(MODEL_RUNS);
  if (!(numRuns > 0)) throw new Error('MODEL_RUNS is not a number of sequences');
  return {
    numRuns,
    ...(MODEL_SEED ? { seed: Number(MODEL_SEED) } : {}),
    ...(MODEL_PATH ? { path: MODEL_PATH } : {}),
    ...(MODEL_REPLAY ? { replayPath: MODEL_REPLAY } : {}),
    ...(MODEL_SHRINK === 'no' ? { endOnFailure: true } : {}),
  };
}

/** What failed, and the one command that plays it again. `where` is the folder of the model's spec, from the repository's root. */
export function replayOf(
  { seed, numRuns, counterexamplePath, counterexample, errorInstance }: Failed,
  where: string,
): string {
  const shown = (counterexample ?? []).map((value) => fc.stringify(value)).join('\n');
  const [, replay = ''] = /replayPath="([^"]*)"/.exec(shown) ?? [];
  const again = `MODEL_SEED=${seed} MODEL_PATH=${counterexamplePath ?? ''} MODEL_REPLAY='${replay}'`;
  const cause = errorInstance instanceof Error ? errorInstance.message : '';
  return `${shown}\n${cause}\nSequence ${numRuns}.\nAgain: ${again} npm run jest -- ${where}`;
}
