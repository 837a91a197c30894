import { paymentMachine } from '@fundrail/state-machines';
import { replayOf, runOf } from '@fundrail/testing/model';
import fc from 'fast-check';
import { comeToRest, COMMANDS } from '../testing/model/commands.ts';
import { ModelStage } from '../testing/model/model-stage.ts';
import type { Model } from '../testing/model/model.ts';

/** Sequences of commands, others in each run; `MODEL_RUNS=2000` for many. */
const { replayPath, ...RUN } = runOf(process.env);
const MOST_COMMANDS = 30;
const ORDERS = 3;
const RUN_LIMIT_MS = 30_000;
/** After this many sequences, a step that none of them took means that the commands can no longer reach it. */
const RUNS_THAT_REACH_ALL = 100;
/** Every step of both machines that these commands can cause; they do not cover debits, reviews and cancelled orders. */
const STEPS = {
  payments: {
    triggers: Object.keys(paymentMachine.transitions).filter((trigger) => trigger !== 'submit'),
    taken: 'SELECT DISTINCT trigger FROM payment_history',
  },
  orders: {
    triggers: ['confirm', 'submit', 'succeed', 'fail', 'expire_unpaid', 'reverse'],
    taken: 'SELECT DISTINCT trigger FROM mf_order_history',
  },
} as const;

describe('payments and orders, against a model', () => {
  let stage: ModelStage;
  beforeAll(async () => {
    stage = await ModelStage.start();
  });
  afterAll(() => stage.stop());

  it(
    'keep the money, the claims, the states and the events right in any order of commands',
    async () => {
      const commands = fc.commands(COMMANDS, {
        maxCommands: MOST_COMMANDS,
        size: 'max',
        ...(replayPath ? { replayPath } : {}),
      });
      const property = fc.asyncProperty(commands, async (sequence) => {
        stage.world.mood = 'well';
        const model: Model = { orders: await stage.payableOrders(ORDERS), payments: [], confirmed: [] };
        await fc.asyncModelRun(() => ({ model, real: stage }), sequence);
        await comeToRest(model, stage);
      });
      const result = await fc.check(property, RUN);
      if (result.failed) throw new Error(replayOf(result, 'verification/src/model'));
      if (RUN.numRuns < RUNS_THAT_REACH_ALL) return;
      for (const [service, { triggers, taken }] of Object.entries(STEPS)) {
        const rows = await stage.rows<{ trigger: string }>(service, taken);
        expect(rows.map(({ trigger }) => trigger)).toEqual(expect.arrayContaining([...triggers]));
      }
    },
    RUN.numRuns * RUN_LIMIT_MS,
  );
});
