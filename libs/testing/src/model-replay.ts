import fc from 'fast-check';

/** What of a failed run is needed to play it again. */
type Failed = Pick<
  fc.RunDetails<unknown[]>,
  'seed' | 'numRuns' | 'counterexamplePath' | 'counterexample' | 'errorInstance'
>;

/**
 * How a run is asked for: `MODEL_RUNS`, and of a run that failed `MODEL_SEED`, `MODEL_PATH` and `MODEL_REPLAY`. `MODEL_SHRINK=no`
 * tells the first counterexample as it is.
 */
export type RunVariables = Readonly<Record<string, string | undefined>>;

/** fast-check's parameters of a run; `replayPath` belongs to its commands. */
export function runOf(
  { MODEL_RUNS, MODEL_SEED, MODEL_PATH, MODEL_REPLAY, MODEL_SHRINK }: RunVariables,
  runsUnlessTold: number,
): {
  readonly numRuns: number;
  readonly seed?: number;
  readonly path?: string;
  readonly replayPath?: string;
  readonly endOnFailure?: boolean;
} {
  return {
    numRuns: Number(MODEL_RUNS ?? runsUnlessTold),
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
