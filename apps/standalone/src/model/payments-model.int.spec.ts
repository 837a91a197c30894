import fc from 'fast-check';
import { comeToRest, COMMANDS } from '../testing/model/commands.ts';
import type { Model } from '../testing/model/commands.ts';
import { ModelStage } from '../testing/model/model-stage.ts';

/** Sequences of commands: a few in CI, `MODEL_RUNS=2000` for the long form. */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 12);
const MOST_COMMANDS = 30;
const ORDERS = 3;
const RUN_LIMIT_MS = 30_000;
const { MODEL_SEED, MODEL_PATH, MODEL_REPLAY } = process.env;

describe('payments and orders, against a model', () => {
  let stage: ModelStage;
  beforeAll(async () => {
    stage = await ModelStage.start();
  });
  afterAll(() => stage.stop());

  it(
    'keep the money, the claims, the states and the events right whatever happens in whatever order',
    async () => {
      const commands = fc.commands(COMMANDS, {
        maxCommands: MOST_COMMANDS,
        size: 'max',
        ...(MODEL_REPLAY ? { replayPath: MODEL_REPLAY } : {}),
      });
      const property = fc.asyncProperty(commands, async (sequence) => {
        stage.world.mood = 'well';
        const model: Model = { orders: await stage.payableOrders(ORDERS), payments: [] };
        await fc.asyncModelRun(() => ({ model, real: stage }), sequence);
        await comeToRest(model, stage);
      });
      const result = await fc.check(property, {
        numRuns: RUNS,
        ...(MODEL_SEED ? { seed: Number(MODEL_SEED) } : {}),
        ...(MODEL_PATH ? { path: MODEL_PATH } : {}),
      });
      if (result.failed) throw new Error(replayOf(result));
    },
    RUNS * RUN_LIMIT_MS,
  );
});

/** What failed, and the command that plays it again. */
function replayOf(result: {
  readonly seed: number;
  readonly counterexamplePath: string | null;
  readonly counterexample: readonly unknown[] | null;
  readonly errorInstance: unknown;
}): string {
  const shown = fc.stringify(result.counterexample?.[0]);
  const [, replay = ''] = /replayPath="([^"]*)"/.exec(shown) ?? [];
  const again = `MODEL_SEED=${result.seed} MODEL_PATH=${result.counterexamplePath ?? ''} MODEL_REPLAY='${replay}'`;
  const cause = result.errorInstance instanceof Error ? result.errorInstance.message : '';
  return `${shown}\n${cause}\nAgain: ${again} npm run jest -- apps/standalone/src/model`;
}
