import fc from 'fast-check';

/** What of a failed run is needed to play it again. */
type Failed = Pick<
  fc.RunDetails<unknown[]>,
  'seed' | 'counterexamplePath' | 'counterexample' | 'errorInstance'
>;

/** How a run is asked for: `MODEL_RUNS`, and of a run that failed `MODEL_SEED`, `MODEL_PATH` and `MODEL_REPLAY`. */
export type RunVariables = Readonly<Record<string, string | undefined>>;

/** fast-check's parameters of a run; `replayPath` belongs to its commands. */
export function runOf(
  { MODEL_RUNS, MODEL_SEED, MODEL_PATH, MODEL_REPLAY }: RunVariables,
  runsUnlessTold: number,
): {
  readonly numRuns: number;
  readonly seed?: number;
  readonly path?: string;
  readonly replayPath?: string;
} {
  return {
    numRuns: Number(MODEL_RUNS ?? runsUnlessTold),
    ...(MODEL_SEED ? { seed: Number(MODEL_SEED) } : {}),
    ...(MODEL_PATH ? { path: MODEL_PATH } : {}),
    ...(MODEL_REPLAY ? { replayPath: MODEL_REPLAY } : {}),
  };
}

/** What failed, and the one command that plays it again. */
export function replayOf({ seed, counterexamplePath, counterexample, errorInstance }: Failed): string {
  const shown = fc.stringify(counterexample?.[0]);
  const [, replay = ''] = /replayPath="([^"]*)"/.exec(shown) ?? [];
  const again = `MODEL_SEED=${seed} MODEL_PATH=${counterexamplePath ?? ''} MODEL_REPLAY='${replay}'`;
  const cause = errorInstance instanceof Error ? errorInstance.message : '';
  return `${shown}\n${cause}\nAgain: ${again} npm run jest -- apps/standalone/src/model`;
}
