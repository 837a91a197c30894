import fc from 'fast-check';
import type { SwpFaultPoint } from '../../fault-points.ts';
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

/** A fast-check command that waits until all work is done and then checks every rule. */
class Step implements fc.AsyncCommand<Model, PlansStage> {
  constructor(
    private readonly name: string,
    private readonly act: Run,
    private readonly isCreation = false,
  ) {}

  check({ plans }: Readonly<Model>): boolean {
    return this.isCreation ? plans.length < MOST_PLANS : plans.length > 0;
  }

  async run(model: Model, stage: PlansStage): Promise<void> {
    await this.act(model, stage);
    await settle(model, stage);
    await expectRules(model, stage);
    for (const plan of model.plans) plan.clearTrail();
  }

  toString(): string {
    return this.name;
  }
}

type Commands = fc.Arbitrary<fc.AsyncCommand<Model, PlansStage>>;
/** Makes a command with its name and its arguments. */
function step<T extends readonly unknown[]>(
  name: string,
  act: (...of: T) => Run,
  isCreation = false,
): (of: T) => Step {
  return (of) =>
    new Step(`${name}(${of.map((value) => fc.stringify(value)).join(', ')})`, act(...of), isCreation);
}

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

const actives = terms.map((of) => step('activePlan', activePlan, true)([of]));
/** The first command of a sequence: an active plan, if the gateway accepts it, so that the sequence gets far. */
export const BEGINNINGS: Commands = actives;
const creations = fc.tuple(terms, fc.boolean()).map(step('createPlan', createPlan, true));
const reviews = fc.tuple(which, fc.constantFrom(true, true, true, false)).map(step('review', review));
const changes = fc
  .tuple(which, fc.constantFrom('consent' as const, 'state' as const, 'both' as const))
  .map(step('change', change));
const registrations = fc.tuple(which, fc.boolean()).map(step('registered', registered));

const cancels = fc.tuple(which);
const skips = fc.tuple(
  which,
  fc.constantFrom('today' as const, 'next' as const, 'next' as const),
  fc.constantFrom(-3, -1, 0, 0, 1, 1, 4, 32),
  fc.constantFrom(null, null, 0, 0, 2, 31, 75),
);
const skipCancels = fc.tuple(which, fc.nat(2));
const replacements = fc.tuple(which, fc.constantFrom(0, 1, 1, 2, 3, 6));

/** An action at the minute of an installment, while the schedulers work. */
const acts = fc.oneof(
  fc.constant(['', null] as const),
  fc.constant(['', null] as const),
  cancels.map((of) => [`cancelPlan(${of.join(', ')})`, cancelPlan(...of)] as const),
  skips.map((of) => [`skip(${of.join(', ')})`, skip(...of)] as const),
  skipCancels.map((of) => [`cancelSkip(${of.join(', ')})`, cancelSkip(...of)] as const),
  replacements.map((of) => [`replaceHolidays(${of.join(', ')})`, replaceHolidays(...of)] as const),
);
const dues = fc
  .tuple(which, fc.constantFrom(0, 0, 0, -1, -MINUTE, -5 * MINUTE, MINUTE, DAY), acts)
  .map(([n, offset, [name, act]]) => new Step(`atDue(${n}, ${offset}, ${name})`, atDue(n, offset, act)));
const passes = fc
  .constantFrom(
    MINUTE,
    MINUTE,
    6 * MINUTE,
    700 * MINUTE,
    DAY,
    3 * DAY,
    11 * DAY,
    31 * DAY,
    31 * DAY,
    75 * DAY,
  )
  .map((ms) => step('pass', pass)([ms]));

const draws = fc
  .tuple(which, fc.constantFrom<Draw>('one', 'one', 'same', 'two', 'again'))
  .map(step('draw', draw));
const ends = fc
  .tuple(
    fc.nat(9),
    fc.constantFrom('successful' as const, 'failed' as const, 'cancelled' as const),
    fc.boolean(),
  )
  .map(step('end', end));
const POINTS: readonly SwpFaultPoint[] = [
  ...(['swp.generate.before_commit', 'swp.generate.before_commit', 'swp.generate.committed'] as const),
  ...(['swp.draw.before_commit', 'swp.draw.committed', 'swp.cancel.before_commit'] as const),
  ...(['swp.cancel.committed', 'swp.skip.before_commit', 'swp.skip.committed'] as const),
  ...(['swp.cancel_skip.before_commit', 'swp.cancel_skip.committed'] as const),
  ...(['swp.holidays.before_commit', 'swp.holidays.committed'] as const),
];
const breaks = fc
  .tuple(fc.constantFrom(...POINTS), fc.constantFrom<Breakage>('error', 'error', 'cut'))
  .map(step('breakOnce', breakOnce));
const schedulers = fc.tuple(fc.nat(1), fc.constantFrom(true, false)).map(step('scheduler', scheduler));
const stops = fc.constant(new Step('stopBoth()', stopBoth));
const mandateEndings = fc
  .tuple(fc.constantFrom('paused' as const, 'cancelled' as const, 'expired' as const))
  .map(step('mandateEnds', mandateEnds));

function breakOnce(point: SwpFaultPoint, how: Breakage): Run {
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

async function stopBoth(_: Model, stage: PlansStage): Promise<void> {
  for (const index of stage.isUp.keys()) await stage.stopScheduler(index);
}

/** Every command with its possible arguments. The usual ones come more often, so that sequences get far. */
export const COMMANDS: Commands[] = [
  ...[actives, actives, actives, creations, creations, reviews, reviews, changes, changes, registrations],
  ...[
    cancels.map(step('cancelPlan', cancelPlan)),
    skips.map(step('skip', skip)),
    skips.map(step('skip', skip)),
  ],
  ...[skips.map(step('skip', skip)), skipCancels.map(step('cancelSkip', cancelSkip))],
  ...[dues, dues, dues, dues, dues, dues, passes, passes, passes, passes, draws, draws, ends, ends, ends],
  ...[replacements.map(step('replaceHolidays', replaceHolidays)), breaks, breaks, schedulers, schedulers],
  ...[stops, mandateEndings, fc.constant(new Step('mandateResumes()', mandateResumes()))],
];
