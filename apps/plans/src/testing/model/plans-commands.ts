import { ModelCommands, nameOf } from '@fundrail/testing/model';
import fc from 'fast-check';
import type { PlansFaultPoint } from '../../fault-points.ts';
import { draw, end, mandateEnds, mandateResumes, replaceHolidays, type Draw } from './more-acts.ts';
import {
  activePlan,
  atDue,
  cancelPlan,
  cancelSkip,
  change,
  createPlan,
  pass,
  registered,
  review,
  skip,
} from './plan-acts.ts';
import { settle, type Model, type Run } from './plans-model.ts';
import { expectRules } from './plans-rules.ts';
import type { Breakage, PlansStage } from './plans-stage.ts';
import type { Terms } from './reference-plan.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const MOST_PLANS = 4;
const MOST_INSTALLMENTS = 5;

const commands = new ModelCommands<Model, PlansStage>(async (model, stage) => {
  await settle(model, stage);
  await expectRules(model, stage);
  for (const plan of model.plans) plan.clearTrail();
});
const hasPlan = ({ plans }: Readonly<Model>) => plans.length > 0;
const hasRoom = ({ plans }: Readonly<Model>) => plans.length < MOST_PLANS;

const which = fc.nat(3);
const terms: fc.Arbitrary<Terms> = fc
  .record({
    installment_day: fc.constantFrom(1, 5, 5, 10, 15, 25, 26, 28, 28),
    number_of_installments: fc.integer({ min: 1, max: MOST_INSTALLMENTS }),
    auto: fc.constantFrom(true, true, true, false),
    firstNow: fc.boolean(),
    byMandate: fc.constantFrom(false, false, true),
    registration: fc.constantFrom<Terms['registration']>(
      'registered',
      'registered',
      'registered',
      'registered',
      'waiting',
      'refused',
    ),
  })
  .map((asked) => ({ ...asked, firstNow: asked.firstNow && asked.auto }));

const actives = commands.of(activePlan, [terms], hasRoom);
/** The first command of a sequence: an active plan, if the gateway accepts it, so that the sequence gets far. */
export const BEGINNINGS = actives;
const creations = commands.of(createPlan, [terms, fc.boolean()], hasRoom);
const reviews = commands.of(review, [which, fc.constantFrom(true, true, true, false)], hasPlan);
const changes = commands.of(change, [which, fc.constantFrom('consent', 'state', 'both')], hasPlan);
const registrations = commands.of(registered, [which, fc.boolean()], hasPlan);

const CANCEL = [which] as const;
const SKIP = [
  which,
  fc.constantFrom('today' as const, 'next' as const, 'next' as const),
  fc.constantFrom(-3, -1, 0, 0, 1, 1, 4, 32),
  fc.constantFrom(null, null, 0, 0, 2, 31, 75),
] as const;
const CANCEL_SKIP = [which, fc.nat(2)] as const;
const REPLACE = [which, fc.constantFrom(0, 1, 1, 2, 3, 6)] as const;
const cancels = commands.of(cancelPlan, CANCEL, hasPlan);
const skips = commands.of(skip, SKIP, hasPlan);
const skipCancels = commands.of(cancelSkip, CANCEL_SKIP, hasPlan);
const replacements = commands.of(replaceHolidays, REPLACE, hasPlan);

/** An action at the minute of an installment, while the schedulers work. */
const acts = fc.oneof(
  fc.constant(['', null] as const),
  fc.constant(['', null] as const),
  fc.tuple(...CANCEL).map((of) => [nameOf(cancelPlan, of), cancelPlan(...of)] as const),
  fc.tuple(...SKIP).map((of) => [nameOf(skip, of), skip(...of)] as const),
  fc.tuple(...CANCEL_SKIP).map((of) => [nameOf(cancelSkip, of), cancelSkip(...of)] as const),
  fc.tuple(...REPLACE).map((of) => [nameOf(replaceHolidays, of), replaceHolidays(...of)] as const),
);
const dues = fc
  .tuple(which, fc.constantFrom(0, 0, 0, -1, -MINUTE, -5 * MINUTE, MINUTE, DAY), acts)
  .map(([n, offset, [name, act]]) =>
    commands.one(`atDue(${n}, ${offset}, ${name})`, atDue(n, offset, act), hasPlan),
  );
const passes = commands.of(
  pass,
  [
    fc.constantFrom(
      ...[MINUTE, MINUTE, 6 * MINUTE, 700 * MINUTE, DAY],
      ...[3 * DAY, 11 * DAY, 31 * DAY, 31 * DAY, 75 * DAY],
    ),
  ],
  hasPlan,
);

const draws = commands.of(
  draw,
  [which, fc.constantFrom<Draw>('one', 'one', 'same', 'two', 'again')],
  hasPlan,
);
const endings = fc.constantFrom('successful' as const, 'failed' as const, 'cancelled' as const);
const ends = commands.of(end, [fc.nat(9), endings, fc.boolean()], hasPlan);
const POINTS: readonly PlansFaultPoint[] = [
  ...(['plans.generate.before_commit', 'plans.generate.before_commit', 'plans.generate.committed'] as const),
  ...(['plans.draw.before_commit', 'plans.draw.committed', 'plans.cancel.before_commit'] as const),
  ...(['plans.cancel.committed', 'plans.skip.before_commit', 'plans.skip.committed'] as const),
  ...(['plans.cancel_skip.before_commit', 'plans.cancel_skip.committed'] as const),
  ...(['plans.holidays.before_commit', 'plans.holidays.committed'] as const),
];
const breakages = fc.constantFrom<Breakage>('error', 'error', 'cut');
const breaks = commands.of(breakOnce, [fc.constantFrom(...POINTS), breakages], hasPlan);
const schedulers = commands.of(scheduler, [fc.nat(1), fc.constantFrom(true, false)], hasPlan);
const stops = commands.of(stopBoth, [], hasPlan);
const mandateEndings = commands.of(mandateEnds, [fc.constantFrom('paused', 'cancelled', 'expired')], hasPlan);

function breakOnce(point: PlansFaultPoint, how: Breakage): Run {
  return (_, stage) => {
    stage.breakOnce(point, how);
    return Promise.resolve();
  };
}

function scheduler(index: number, isUp: boolean): Run {
  return async (_, stage) => {
    if (isUp) stage.startScheduler(index);
    else await stage.stopScheduler(index);
  };
}

function stopBoth(): Run {
  return async (_, stage) => {
    for (const index of stage.isUp.keys()) await stage.stopScheduler(index);
  };
}

/** Every command with its possible arguments. The usual ones come more often, so that sequences get far. */
export const COMMANDS = [
  ...[actives, actives, actives, creations, creations, reviews, reviews, changes, changes, registrations],
  ...[cancels, skips, skips, skips, skipCancels],
  ...[dues, dues, dues, dues, dues, dues, passes, passes, passes, passes, draws, draws, ends, ends, ends],
  ...[replacements, breaks, breaks, schedulers, schedulers],
  ...[stops, mandateEndings, commands.of(mandateResumes, [], hasPlan)],
];
