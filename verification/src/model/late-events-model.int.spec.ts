import { replayOf, runOf } from '@fundrail/testing/model';
import fc from 'fast-check';
import { LaggingBus } from '../testing/lagging-bus.ts';
import { comeToRest, LATE_COMMANDS } from '../testing/model/commands.ts';
import { MODEL_GROUPS, ModelStage } from '../testing/model/model-stage.ts';
import type { Model } from '../testing/model/model.ts';

/** Sequences of commands, others in each run; `MODEL_RUNS=2000` for many. */
const { replayPath, ...RUN } = runOf(process.env);
const MOST_COMMANDS = 25;
const ORDERS = 3;
const RUN_LIMIT_MS = 60_000;
const MINUTE_MS = 60_000;
/** The longest time that an event takes, in business time. */
const LONGEST_LAG_MINUTES = 60;

/** As the model of payments and orders, but each service receives each event up to an hour late, in the order of its aggregate. */
describe('payments and orders over a bus that lags, against a model', () => {
  const bus = new LaggingBus(MODEL_GROUPS);
  let stage: ModelStage;
  beforeAll(async () => {
    stage = await ModelStage.start({ bus });
  });
  afterAll(() => stage.stop());

  it(
    'never refund a confirmed order, and keep money, states and events right',
    async () => {
      const commands = fc.commands(LATE_COMMANDS(), {
        maxCommands: MOST_COMMANDS,
        size: 'max',
        ...(replayPath ? { replayPath } : {}),
      });
      // Half of the events are not late, or no confirmation would ever be in time.
      const lags = fc.infiniteStream(fc.oneof(fc.constant(0), fc.nat(LONGEST_LAG_MINUTES)));
      const property = fc.asyncProperty(commands, lags, async (sequence, lag) => {
        stage.world.mood = 'well';
        bus.lag = () => (lag.next().value ?? 0) * MINUTE_MS;
        const model: Model = { orders: await stage.payableOrders(ORDERS), payments: [], confirmed: [] };
        await fc.asyncModelRun(() => ({ model, real: stage }), sequence);
        await comeToRest(model, stage);
      });
      const result = await fc.check(property, RUN);
      if (result.failed) throw new Error(replayOf(result, 'verification/src/model'));
    },
    RUN.numRuns * RUN_LIMIT_MS,
  );
});
