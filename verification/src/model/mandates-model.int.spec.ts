import { mandateMachine } from '@fundrail/state-machines';
import { replayOf, runOf } from '@fundrail/testing/model';
import fc from 'fast-check';
import { COMMANDS, PRELUDES } from '../testing/model/mandates/mandates-commands.ts';
import type { Model } from '../testing/model/mandates/mandates-model.ts';
import { comeToRest } from '../testing/model/mandates/mandates-rest.ts';
import { MandatesStage } from '../testing/model/mandates/mandates-stage.ts';

/** Sequences of commands, always the same; `MODEL_SEED=11 MODEL_RUNS=500` for many others. */
const { replayPath, ...RUN } = runOf({ MODEL_SEED: '7', ...process.env });
const MOST_COMMANDS = 25;
const ORDERS = 3;
const RUN_LIMIT_MS = 30_000;
/** After this many sequences, a step that none of them took means that the commands can no longer reach it. */
const RUNS_THAT_REACH_ALL = 100;
/** An ordinary Monday, a month's end, a leap year's February, a Friday night, and the minute before a window closes. */
const START_TIMES = [
  '2026-12-21T10:00:00+05:30',
  '2027-01-31T20:00:00+05:30',
  '2028-02-28T12:59:00+05:30',
  '2026-10-30T23:30:00+05:30',
  '2026-12-31T09:54:00+05:30',
];

describe('mandates and their debits, against a model', () => {
  let stage: MandatesStage;
  beforeAll(async () => {
    stage = await MandatesStage.start();
  });
  afterAll(() => stage.stop());

  it(
    'debit only by the rules, once for each order, and always end, in any order of commands',
    async () => {
      const taken = new Set<string>();
      const commands = fc.commands(COMMANDS, {
        maxCommands: MOST_COMMANDS,
        size: 'max',
        ...(replayPath ? { replayPath } : {}),
      });
      const beginning = fc.tuple(fc.constantFrom(...START_TIMES), fc.constantFrom(...PRELUDES));
      const property = fc.asyncProperty(beginning, commands, async ([at, prelude], sequence) => {
        const orders = await stage.begin(new Date(at), ORDERS);
        const model: Model = { orders, mandates: [], authorisations: [], debits: [] };
        for (const step of prelude) await step.run(model, stage);
        await fc.asyncModelRun(() => ({ model, real: stage }), sequence);
        await comeToRest(model, stage);
        for (const trigger of await stage.triggers()) taken.add(trigger);
      });
      const result = await fc.check(property, RUN);
      if (result.failed) throw new Error(replayOf(result, 'verification/src/model'));
      if (RUN.numRuns < RUNS_THAT_REACH_ALL) return;
      // The issuers of the model change no terms: modification.int.spec.ts of mandates does.
      const triggers = Object.keys(mandateMachine.transitions).filter((trigger) => trigger !== 'modify');
      const all = triggers.map((trigger) => `mandate ${trigger}`);
      expect([...all, ...PAYMENT_STEPS].filter((trigger) => !taken.has(trigger))).toEqual([]);
    },
    RUN.numRuns * RUN_LIMIT_MS,
  );
});

const PAYMENT_STEPS = [
  ...['NACH submit', 'NACH succeed', 'NACH fail', 'NACH cancel', 'NACH start_transfer', 'NACH settle'],
  ...['NACH reject_transfer', 'NACH plan_debit', 'NACH report_debit', 'NACH refund', 'NACH receive'],
  ...['debit succeeded', 'debit failed', 'debit cancelled', 'notice sent', 'notice withdrawn'],
  ...['attempt succeeded', 'attempt failed', 'attempt unreceived'],
  ...[
    'AUTH_TRANSACTION submit',
    'AUTH_TRANSACTION succeed',
    'AUTH_TRANSACTION fail',
    'AUTH_TRANSACTION expire',
  ],
  ...['AUTH_TRANSACTION cancel', 'AUTH_TRANSACTION receive', 'AUTH_TRANSACTION tell_mandate'],
];
