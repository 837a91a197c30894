import {
  addDays,
  EQUITY_HOLIDAYS,
  istDate,
  PLAN_FREQUENCIES,
  UNPAID_TOO_OFTEN,
  type MfPurchasePlanDto,
  type PlanFrequency,
  type SkipInstructionDto,
} from '@fundrail/contracts';
import { emptying, type Answered } from '@fundrail/testing';
import { ModelCommands, nameOf, replayOf, runOf } from '@fundrail/testing/model';
import fc from 'fast-check';
import { addMonths, scheduleFrom } from '../schedule/schedule.ts';
import { CONSENT, MANDATE } from '../testing/plan.builder.ts';
import { purchaseDates, type PurchaseTerms } from '../testing/purchase-dates.ts';
import { PURCHASE_PLANS, PurchasesUnderTest } from '../testing/purchases-under-test.ts';

const { replayPath, ...RUN } = runOf({ MODEL_SEED: '23', ...process.env });
const MOST_COMMANDS = 25;
const RUN_LIMIT_MS = 30_000;
/** In a run of this many sequences, every step must occur. */
const RUNS_THAT_REACH_ALL = 300;
const STEPS = ['create', 'activate', 'cancel', 'auto_cancel', 'complete', 'change_amount', 'change_skips'];
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const MOST_PLANS = 4;
/** The mandate's: a step above it is not taken. */
const LIMIT = 15_000;
const TIMES = ['2027-01-04T10:00', '2027-01-31T00:04', '2028-02-25T20:00', '2026-12-31T23:59'];
const HOLIDAYS = new Map(
  Object.entries(EQUITY_HOLIDAYS).map(([year, dates]) => [Number(year), new Set<string>(dates)]),
);
const KEPT = ['migrations', 'business_clock', 'holidays', 'holiday_years', 'business_calendar'];
const UNPAID = { failure_code: 'order_expiry' };
const ENDS = {
  paid: ['successful', {}],
  unpaid: ['failed', UNPAID],
  refused: ['failed', { failure_code: 'registrar_rejected' }],
  cancelled: ['cancelled', {}],
} as const;
type End = keyof typeof ENDS;

interface Terms extends PurchaseTerms {
  readonly amount: number;
  /** Rupees of a yearly step-up up to a greatest amount, or null. */
  readonly step: { readonly value: number; readonly max_amount: number } | null;
}

interface Made {
  readonly date: string;
  readonly amount: number;
  readonly isSkipped: boolean;
  end: End | null;
}

/** What comes after so many installments: what a pause or a skip is judged by. */
interface Coming {
  readonly dates: readonly { readonly date: string; readonly isSkipped: boolean }[];
  readonly skippedBefore: number;
}

interface Range {
  readonly from: string;
  readonly to: string;
}

/** A purchase plan as SIP-10 to SIP-24 require. */
class ReferencePlan {
  readonly made: Made[] = [];
  readonly skips: (Range & { cancelledAt: number | null })[] = [];
  readonly events = ['created', 'review_completed', 'confirmed', 'submitted', 'activated'];
  state: MfPurchasePlanDto['state'] = 'active';
  isAutoCancelled = false;
  failed = 0;
  base: number;
  private stepsPassed = 0;
  private readonly dates: readonly { readonly nominal: string; readonly date: string }[];
  private readonly firstByDay: string;

  constructor(
    readonly id: string,
    readonly terms: Terms,
    private readonly activatedAt: number,
  ) {
    const today = istDate(new Date(activatedAt));
    this.base = terms.amount;
    this.dates = purchaseDates(terms, today, HOLIDAYS);
    this.firstByDay = scheduleFrom(terms, today).first_by_day;
  }

  /** SIP-22: L − 1. */
  get mostInRow(): number {
    return ['quarterly', 'half_yearly', 'yearly'].includes(this.terms.frequency) ? 1 : 2;
  }

  get lead(): number {
    return this.terms.payment_source === null ? 0 : 1;
  }

  /** The next installment and when it falls due; null when none comes. */
  get next(): { readonly nominal: string; readonly date: string; readonly dueAt: number } | null {
    const dates = this.state === 'active' ? this.dates[this.made.length] : undefined;
    return dates ? { ...dates, dueAt: this.dueAt(this.made.length, dates.date) } : null;
  }

  private dueAt(index: number, date: string): number {
    if (this.terms.first_now && index === 0) return this.activatedAt;
    return Date.parse(`${addDays(date, -this.lead)}T00:05:00+05:30`);
  }

  /** The amount of the next one, whether a step is due with it, and the amount that the mandate's limit holds back (SIP-19 to SIP-21). */
  private get step(): { readonly amount: number; readonly isDue: boolean; readonly held: number | null } {
    const { base, next } = this;
    const { step, payment_source } = this.terms;
    const isDue =
      step !== null &&
      next !== null &&
      next.nominal >= addMonths(this.firstByDay, 12 * (this.stepsPassed + 1));
    if (!isDue) return { amount: base, isDue, held: null };
    const raised = Math.min(base + step.value, step.max_amount);
    const isHeld = payment_source !== null && raised > LIMIT;
    return isHeld ? { amount: base, isDue, held: raised } : { amount: raised, isDue, held: null };
  }

  get shown(): object {
    const { next, made } = this;
    return {
      state: this.state,
      remaining_installments: this.terms.number_of_installments - made.length,
      next_installment_date: next?.date ?? null,
      previous_installment_date: made.at(-1)?.date ?? null,
      paused_until: next && this.pausedUntil(next.date),
      amount: made.at(-1)?.amount ?? this.base,
      next_installment_amount: next && this.step.amount,
      held_step_up: this.step.held && { amount: this.step.held, mandate_limit: LIMIT },
      consecutive_failed_installments: this.failed,
      auto_cancelled: this.isAutoCancelled,
      cancellation_code:
        this.state === 'cancelled' ? (this.isAutoCancelled ? UNPAID_TOO_OFTEN : 'invest_later') : null,
    };
  }

  private pausedUntil(day: string): string | null {
    if (!this.covers(day, Number.POSITIVE_INFINITY)) return null;
    return this.pausedUntil(addDays(day, 1)) ?? day;
  }

  /** An instruction that is cancelled later than the installment fell due still skips it. */
  private covers(date: string, dueAt: number): boolean {
    return this.skips.some(
      ({ from, to, cancelledAt }) =>
        from <= date && date <= to && (cancelledAt === null || cancelledAt >= dueAt),
    );
  }

  makeNext(): void {
    const { next, step } = this;
    if (!next) throw new Error(`${this.id} has no next installment`);
    const isSkipped = this.covers(next.date, next.dueAt);
    this.made.push({ date: next.date, amount: step.amount, isSkipped, end: null });
    this.base = step.amount;
    if (step.isDue) this.stepsPassed += 1;
    this.events.push('installment_generated');
  }

  generate(now: number): void {
    while (this.next && this.next.dueAt <= now) this.makeNext();
  }

  /** What may be to come while the installments that are due are being made: each point between none and all of them. */
  comings(now: number): (Coming | null)[] {
    const due = this.dates.filter(
      (_, index) => index >= this.made.length && this.dueAt(index, this.dates[index]?.date ?? '') <= now,
    );
    return Array.from({ length: due.length + 1 }, (_, made) => this.comingAfter(this.made.length + made));
  }

  private comingAfter(count: number): Coming | null {
    if (this.state !== 'active' || count >= this.dates.length) return null;
    const flags = this.dates.map(({ date }, index) => ({
      date,
      isSkipped: this.made[index]?.isSkipped ?? this.covers(date, this.dueAt(index, date)),
    }));
    const before = flags.slice(0, count).map(({ isSkipped }) => isSkipped);
    return { dates: flags.slice(count), skippedBefore: count - 1 - before.lastIndexOf(false) };
  }

  isResumable(now: number, coming: Coming | null): boolean {
    const today = istDate(new Date(now));
    return coming !== null && this.skips.some(({ to, cancelledAt }) => cancelledAt === null && to >= today);
  }

  cancel(isAutomatic: boolean): void {
    this.state = 'cancelled';
    this.isAutoCancelled = isAutomatic;
    this.events.push('cancelled');
  }

  /** SIP-16 to SIP-18. */
  end(installment: Made, end: End): void {
    installment.end = end;
    const lastPaid = this.made.findLastIndex((one) => one.end === 'paid');
    this.failed = this.made.filter((one, index) => index > lastPaid && one.end === 'unpaid').length;
    if (end === 'unpaid') this.events.push('installment_failed');
    if (this.state !== 'active') return;
    if (this.made.length < this.dates.length) {
      if (this.failed > this.mostInRow) this.cancel(true);
    } else if (this.made.every((one) => one.end !== null)) {
      this.state = 'completed';
      this.events.push('completed');
    }
  }
}

/** SIP-23, as the status of the answer. */
function judgeRange({ dates, skippedBefore }: Coming, { from, to }: Range, most: number): number {
  const isInRange = (date: string) => from <= date && date <= to;
  if (!dates.some(({ date, isSkipped }) => isInRange(date) && !isSkipped)) return 400;
  let inRow = skippedBefore;
  for (const { date, isSkipped } of dates) {
    inRow = isSkipped || isInRange(date) ? inRow + 1 : 0;
    if (inRow > most) return 400;
  }
  return 200;
}

/** SIP-22: the status of a pause, with its range when it is taken. */
function judgePause(
  plan: ReferencePlan,
  coming: Coming | null,
  count: number,
  earliest: string,
): Partial<Range> & { status: number } {
  if (!coming) return { status: 409 };
  const dates = coming.dates.filter(({ date }) => date >= earliest).slice(0, count);
  const [first, last] = [dates[0], dates.at(-1)];
  if (count > plan.mostInRow || !first || !last) return { status: 400 };
  if (first.isSkipped) return { status: 409 };
  const range = { from: first.date, to: last.date };
  const status = judgeRange(coming, range, plan.mostInRow);
  return status === 200 ? { status, ...range } : { status };
}

interface Stage {
  readonly purchases: PurchasesUnderTest;
  turn: number;
}
interface Model {
  readonly plans: ReferencePlan[];
}
type Run = (model: Model, stage: Stage) => Promise<void>;

const nowOf = ({ purchases }: Stage) => purchases.stage.clock.now().getTime();
const one = <T>(items: readonly T[], index: number): T | null => items[index % items.length] ?? null;
const earliestOf = (plan: ReferencePlan, stage: Stage) =>
  addDays(istDate(new Date(nowOf(stage))), 1 + plan.lead);

/** A request to one of the two replicas. */
function ask<T>(
  { purchases, ...stage }: Stage,
  method: 'POST' | 'PATCH',
  path: string,
  body?: object,
): Promise<Answered<T>> {
  return purchases.stage.ask<T>(method, `${PURCHASE_PLANS}${path}`, { body, at: stage.turn % 2 });
}

/** An accepted request comes before or after installments that are due at the same time: its event states which. */
async function madeBefore(plan: ReferencePlan, event: string, { purchases }: Stage): Promise<void> {
  const events = await purchases.stage.eventsOf(plan.id);
  const before = events.slice(0, events.lastIndexOf(event));
  const count = before.filter((type) => type === 'installment_generated').length;
  while (plan.made.length < count) plan.makeNext();
}

function create(terms: Terms): Run {
  return async ({ plans }, stage) => {
    const { frequency, installment_day, number_of_installments, amount, step, payment_source } = terms;
    const plan = await stage.purchases.createActive({
      ...{ frequency, number_of_installments, amount, generate_first_installment_now: terms.first_now },
      ...(installment_day === null ? { installment_day: undefined } : { installment_day }),
      ...(payment_source === null ? { payment_method: undefined, payment_source: undefined } : {}),
      ...(step ? { step_up: { type: 'amount', frequency: 'yearly', ...step } } : {}),
    });
    plans.push(new ReferencePlan(plan.id, terms, nowOf(stage)));
  };
}

function pause(which: number, installments: number): Run {
  return async ({ plans }, stage) => {
    const plan = one(plans, which);
    if (!plan) return;
    const expected = plan
      .comings(nowOf(stage))
      .map((coming) => judgePause(plan, coming, installments, earliestOf(plan, stage)));
    const { status, body } = await ask<SkipInstructionDto>(stage, 'POST', `/${plan.id}/pause`, {
      installments,
    });
    const { from, to } = body;
    expect(expected).toContainEqual(status === 200 ? { status, from, to } : { status });
    if (status !== 200 || to === null) return;
    await madeBefore(plan, 'paused', stage);
    plan.skips.push({ from, to, cancelledAt: null });
    plan.events.push('paused');
  };
}

function skip(which: number, after: number, days: number): Run {
  return async ({ plans }, stage) => {
    const plan = one(plans, which);
    if (!plan) return;
    const from = addDays(plan.next?.date ?? istDate(new Date(nowOf(stage))), after);
    const range = { from, to: addDays(from, days) };
    const isEarly = from < earliestOf(plan, stage);
    const expected = plan.comings(nowOf(stage)).map((coming) => {
      if (!coming) return 409;
      return isEarly ? 400 : judgeRange(coming, range, plan.mostInRow);
    });
    const { status } = await ask(stage, 'POST', `/${plan.id}/skip_instructions`, range);
    expect(expected).toContain(status);
    if (status !== 200) return;
    await madeBefore(plan, 'paused', stage);
    plan.skips.push({ ...range, cancelledAt: null });
    plan.events.push('paused');
  };
}

function resume(which: number): Run {
  return async ({ plans }, stage) => {
    const plan = one(plans, which);
    if (!plan) return;
    const now = nowOf(stage);
    const expected = plan.comings(now).map((coming) => (plan.isResumable(now, coming) ? 200 : 409));
    const { status } = await ask(stage, 'POST', `/${plan.id}/resume`);
    expect(expected).toContain(status);
    if (status !== 200) return;
    await madeBefore(plan, 'resumed', stage);
    const today = istDate(new Date(now));
    for (const instruction of plan.skips)
      if (instruction.cancelledAt === null && instruction.to >= today) {
        instruction.cancelledAt = now;
        plan.events.push('resumed');
      }
  };
}

function cancel(which: number): Run {
  return async ({ plans }, stage) => {
    const plan = one(plans, which);
    if (!plan) return;
    const body = { id: plan.id, cancellation_code: 'invest_later' };
    const { status } = await ask(stage, 'POST', '/cancel', body);
    expect(status).toBe(plan.state === 'active' ? 200 : 409);
    if (status !== 200) return;
    await madeBefore(plan, 'cancelled', stage);
    plan.cancel(false);
  };
}

function changeAmount(which: number, amount: number): Run {
  return async ({ plans }, stage) => {
    const plan = one(plans, which);
    if (!plan) return;
    const { step, payment_source } = plan.terms;
    const { status } = await ask(stage, 'PATCH', '', { id: plan.id, consent: CONSENT, amount });
    const refusal =
      payment_source !== null && amount > LIMIT ? 422 : step && amount >= step.max_amount ? 400 : 200;
    expect(status).toBe(plan.state === 'active' ? refusal : 409);
    if (status !== 200) return;
    await madeBefore(plan, 'updated', stage);
    plan.base = amount;
    plan.events.push('updated');
  };
}

/** Orders reports the end of an installment's purchase, perhaps twice. */
function end(which: number, how: End, isTwice: boolean): Run {
  return async ({ plans }, { purchases }) => {
    const open = plans
      .flatMap((plan) => plan.made.map((made, index) => ({ plan, made, index })))
      .filter(({ made }) => made.end === null);
    const chosen = one(open, which);
    const published = chosen && (await purchases.published(chosen.plan.id))[chosen.index];
    if (!published) return;
    const [state, changes] = ENDS[how];
    for (let left = isTwice ? 2 : 1; left > 0; left -= 1) await purchases.ended(published, state, changes);
    chosen.plan.end(chosen.made, how);
  };
}

/** Moves to the minute of a plan's next installment, or near it, and acts while both schedulers work. */
function atDue(which: number, offset: number, act: Run | null): Run {
  return async (model, stage) => {
    const due = one(
      model.plans.filter(({ next }) => next !== null),
      which,
    )?.next?.dueAt;
    if (due !== undefined && due + offset > nowOf(stage))
      stage.purchases.stage.clock.set(new Date(due + offset));
    if (!act) return;
    stage.purchases.stage.wake();
    await act(model, stage);
  };
}

function pass(ms: number): Run {
  return (_, { purchases }) => {
    purchases.stage.clock.advance(ms);
    return Promise.resolve();
  };
}

/** Everything that is due is done, and orders has cancelled the skipped installments. Then all that anyone sees must be as expected. */
async function settle({ plans }: Model, stage: Stage): Promise<void> {
  const { purchases } = stage;
  stage.turn += 1;
  await purchases.stage.settled();
  for (const plan of plans) {
    plan.generate(nowOf(stage));
    const published = await purchases.published(plan.id);
    for (const [index, made] of plan.made.entries()) {
      const installment = published[index];
      if (!made.isSkipped || made.end !== null || !installment) continue;
      await purchases.ended(installment, 'cancelled');
      plan.end(made, 'cancelled');
    }
    await expectPlan(plan, stage);
  }
}

async function expectPlan(plan: ReferencePlan, { purchases }: Stage): Promise<void> {
  const published = await purchases.published(plan.id);
  expect(
    published.map(({ installment_number, date, amount, state }) => [
      installment_number,
      date,
      Number(amount.toString()),
      state,
    ]),
  ).toEqual(
    plan.made.map(({ date, amount, isSkipped }, index) => [
      index + 1,
      date,
      amount,
      isSkipped ? 'cancelled' : 'under_review',
    ]),
  );
  expect(new Set(published.map(({ purchase }) => purchase)).size).toBe(published.length);
  const events = await purchases.stage.eventsOf(plan.id);
  expect(events.filter((type) => type !== 'step_up_held')).toEqual(plan.events);
  // With amounts as numbers, which the stage keeps digit by digit.
  expect(JSON.parse(JSON.stringify(await purchases.get(plan.id)))).toMatchObject(plan.shown);
}

const commands = new ModelCommands<Model, Stage>(settle);
const hasPlan = ({ plans }: Readonly<Model>) => plans.length > 0;
const hasRoom = ({ plans }: Readonly<Model>) => plans.length < MOST_PLANS;
const which = fc.nat(3);
const terms = fc
  .record({
    frequency: fc.constantFrom<PlanFrequency>('monthly', 'monthly', ...PLAN_FREQUENCIES),
    day: fc.integer({ min: 1, max: 28 }),
    number_of_installments: fc.integer({ min: 1, max: 15 }),
    first_now: fc.boolean(),
    byMandate: fc.boolean(),
    amount: fc.constantFrom(1000, 1000, 14_800),
    step: fc.option(fc.constantFrom({ value: 500, max_amount: 16_000 }, { value: 100, max_amount: 14_950 })),
  })
  .map(({ frequency, day, byMandate, step, ...rest }): Terms => {
    const isWeekly = frequency === 'day_in_a_week' || frequency === 'day_in_a_fortnight';
    return {
      ...{ kind: 'purchase', frequency, ...rest },
      installment_day: frequency === 'daily' ? null : isWeekly ? 1 + (day % 5) : day,
      payment_source: byMandate ? MANDATE : null,
      step: frequency === 'daily' ? null : step,
    };
  });
const CHANGES = {
  pause: [which, fc.constantFrom(1, 1, 2, 3)] as const,
  skip: [which, fc.constantFrom(-2, 0, 0, 1, 30), fc.constantFrom(0, 0, 31, 70)] as const,
  resume: [which] as const,
  cancel: [which] as const,
  changeAmount: [which, fc.constantFrom(900, 1200, 14_900, 15_001)] as const,
};
const acts = fc.oneof(
  fc.constant(['', null] as const),
  fc.tuple(...CHANGES.pause).map((of) => [nameOf(pause, of), pause(...of)] as const),
  fc.tuple(...CHANGES.skip).map((of) => [nameOf(skip, of), skip(...of)] as const),
  fc.tuple(...CHANGES.resume).map((of) => [nameOf(resume, of), resume(...of)] as const),
  fc.tuple(...CHANGES.cancel).map((of) => [nameOf(cancel, of), cancel(...of)] as const),
  fc.tuple(...CHANGES.changeAmount).map((of) => [nameOf(changeAmount, of), changeAmount(...of)] as const),
);
const dues = fc
  .tuple(which, fc.constantFrom(0, 0, 0, -1, -MINUTE, -5 * MINUTE, MINUTE), acts)
  .map(([n, offset, [name, act]]) =>
    commands.one(`atDue(${n}, ${offset}, ${name})`, atDue(n, offset, act), hasPlan),
  );
const creations = commands.of(create, [terms], hasRoom);
const passes = commands.of(pass, [fc.constantFrom(MINUTE, DAY, 3 * DAY, 31 * DAY, 100 * DAY)], hasPlan);
const endings = fc.constantFrom<End>('paid', 'unpaid', 'unpaid', 'unpaid', 'refused', 'cancelled');
const ends = commands.of(end, [fc.nat(9), endings, fc.boolean()], hasPlan);
const COMMANDS = [
  ...[creations, creations, dues, dues, dues, dues, passes, passes, ends, ends, ends],
  commands.of(pause, CHANGES.pause, hasPlan),
  commands.of(skip, CHANGES.skip, hasPlan),
  commands.of(resume, CHANGES.resume, hasPlan),
  commands.of(cancel, CHANGES.cancel, hasPlan),
  commands.of(changeAmount, CHANGES.changeAmount, hasPlan),
];

describe('purchase plans, against a model', () => {
  let stage: Stage;
  let empty: string;
  beforeAll(async () => {
    stage = { purchases: await PurchasesUnderTest.start(2), turn: 0 };
    empty = await emptying(stage.purchases.stage.service, (table) => KEPT.includes(table));
  });
  afterAll(() => stage.purchases.stage.stop());

  it(
    'make each installment once, on its date and with its amount, as their pauses, changes and failures require (SIP-10 to SIP-24)',
    async () => {
      const { stage: service } = stage.purchases;
      const taken = new Set<string>();
      const sequences = fc.commands(COMMANDS, {
        ...{ maxCommands: MOST_COMMANDS, size: 'max' as const },
        ...(replayPath ? { replayPath } : {}),
      });
      const property = fc.asyncProperty(
        fc.constantFrom(...TIMES),
        terms,
        sequences,
        async (at, first, sequence) => {
          await service.settled();
          await service.rows(empty);
          service.clock.set(`${at}:00.000+05:30`);
          const model: Model = { plans: [] };
          await create(first)(model, stage);
          await settle(model, stage);
          await fc.asyncModelRun(() => ({ model, real: stage }), sequence);
          const text = 'SELECT DISTINCT trigger FROM redemption_plan_history';
          for (const { trigger } of await service.rows<{ trigger: string }>(text)) taken.add(trigger);
        },
      );
      const result = await fc.check(property, RUN);
      if (result.failed) throw new Error(replayOf(result, 'apps/plans/src/model/purchase'));
      if (RUN.numRuns < RUNS_THAT_REACH_ALL) return;
      expect(STEPS.filter((trigger) => !taken.has(trigger))).toEqual([]);
    },
    RUN.numRuns * RUN_LIMIT_MS,
  );
});
