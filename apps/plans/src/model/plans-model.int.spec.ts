import { EQUITY_HOLIDAYS } from '@fundrail/contracts';
import { mfRedemptionPlanMachine } from '@fundrail/state-machines';
import { replayOf, runOf } from '@fundrail/testing/model';
import fc from 'fast-check';
import { BEGINNINGS, COMMANDS } from '../testing/model/plans-commands.ts';
import type { Model } from '../testing/model/plans-model.ts';
import { comeToRest } from '../testing/model/plans-rest.ts';
import { PlansStage } from '../testing/model/plans-stage.ts';
import { dayOf, ReferenceCalendar } from '../testing/model/reference-days.ts';

/** Sequences of commands, always the same; `MODEL_SEED=11 MODEL_RUNS=2000` for many others. */
const { replayPath, ...RUN } = runOf({ MODEL_SEED: '7', ...process.env });
const MOST_COMMANDS = 30;
const RUN_LIMIT_MS = 30_000;
/** In a run of this many sequences, every step must occur. A step that never does means that the commands no longer reach it. */
const RUNS_THAT_REACH_ALL = 500;
/**
 * An ordinary Monday, a month's end, February of a leap year, a Friday night before Diwali, the last minutes of a year, a Saturday.
 */
const TIMES = [
  '2026-12-21T10:00:00+05:30',
  '2027-01-31T20:00:00+05:30',
  '2028-02-28T00:04:00+05:30',
  '2026-11-06T23:30:00+05:30',
  '2026-12-31T23:59:00+05:30',
  '2026-12-26T12:00:00+05:30',
];
const STEPS = [
  ...Object.keys(mfRedemptionPlanMachine.transitions),
  ...['create', 'record_consent', 'draw_installment', 'tell_installment', 'mandate_unusable'],
];

describe('redemption plans, against a model', () => {
  let stage: PlansStage;
  beforeAll(async () => {
    stage = await PlansStage.start();
  });
  afterAll(() => stage.stop());

  it(
    'generate each installment once, on its date, until they are cancelled, and always show their true progress',
    async () => {
      const taken = new Set<string>();
      const commands = fc.commands(COMMANDS, {
        maxCommands: MOST_COMMANDS,
        size: 'max',
        ...(replayPath ? { replayPath } : {}),
      });
      const beginning = fc.tuple(fc.constantFrom(...TIMES), BEGINNINGS);
      const property = fc.asyncProperty(beginning, commands, async ([at, first], sequence) => {
        await stage.begin(new Date(at));
        const calendar = new ReferenceCalendar(new Set(Object.values(EQUITY_HOLIDAYS).flat().map(dayOf)));
        const model: Model = { plans: [], calendar, mandate: { isUsable: true, wasUnusable: false } };
        await first.run(model, stage);
        await fc.asyncModelRun(() => ({ model, real: stage }), sequence);
        await comeToRest(model, stage);
        for (const trigger of await stage.triggers()) taken.add(trigger);
      });
      const result = await fc.check(property, RUN);
      if (result.failed) throw new Error(replayOf(result, 'apps/plans/src/model'));
      if (RUN.numRuns < RUNS_THAT_REACH_ALL) return;
      expect(STEPS.filter((trigger) => !taken.has(trigger))).toEqual([]);
    },
    RUN.numRuns * RUN_LIMIT_MS,
  );
});
