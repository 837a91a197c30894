import fc from 'fast-check';
import { comeToRest, COMMANDS } from '../testing/model/commands.ts';
import { ModelStage } from '../testing/model/model-stage.ts';
import type { Model } from '../testing/model/model.ts';
import { replayOf, runOf } from '../testing/model/replay.ts';

/** Sequences of commands: a few in CI, `MODEL_RUNS=2000` for the long form. */
const { replayPath, ...RUN } = runOf(process.env, 12);
const MOST_COMMANDS = 30;
const ORDERS = 3;
const RUN_LIMIT_MS = 30_000;

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
        ...(replayPath ? { replayPath } : {}),
      });
      const property = fc.asyncProperty(commands, async (sequence) => {
        stage.world.mood = 'well';
        const model: Model = { orders: await stage.payableOrders(ORDERS), payments: [] };
        await fc.asyncModelRun(() => ({ model, real: stage }), sequence);
        await comeToRest(model, stage);
      });
      const result = await fc.check(property, RUN);
      if (result.failed) throw new Error(replayOf(result));
    },
    RUN.numRuns * RUN_LIMIT_MS,
  );
});
