import type { MfRedemptionPlanDto, SkipInstructionDto } from '@fundrail/contracts';
import { aPlanBody, CONSENT, MANDATE } from '../plan.builder.ts';
import { facts, PASSED, REGISTERED } from '../fake-plan-gateway.ts';
import { PLANS } from '../plans-under-test.ts';
import { one, type Model, type Run } from './plans-model.ts';
import type { PlansStage } from './plans-stage.ts';
import { dayAt, textOf } from './reference-days.ts';
import { ReferencePlan, type State, type Terms } from './reference-plan.ts';

const FAILED = facts({ review: { result: 'failed', failure_code: 'model' } });
const REFUSED = facts({
  review: { result: 'passed' },
  registration: { result: 'refused', failure_code: 'model' },
});

export function createPlan(terms: Terms, hasConsent: boolean): Run {
  return async ({ plans, mandate }, stage) => {
    const { installment_day, number_of_installments, auto, firstNow, byMandate, registration } = terms;
    const body = aPlanBody({
      ...{ installment_day, number_of_installments, auto_generate_installments: auto },
      generate_first_installment_now: firstNow,
      ...(byMandate ? { payment_method: 'mandate', payment_source: String(MANDATE) } : {}),
      ...(hasConsent ? {} : { consent: undefined }),
    });
    const answer = await stage.ask('POST', PLANS, { body });
    expect(answer.status).toBe(byMandate && !mandate.isUsable ? 409 : 200);
    if (answer.status !== 200) return;
    stage.registers(answer.body.id, registration);
    plans.push(new ReferencePlan(answer.body.id, terms, hasConsent));
  };
}

/** Creates a plan that becomes active immediately, if the gateway accepts it and a scheduler runs. */
export function activePlan(terms: Terms): Run {
  return async (model, stage) => {
    const { plans } = model;
    const index = plans.length;
    await createPlan(terms, true)(model, stage);
    if (plans.length > index) await passReview(plans[index], stage);
  };
}

function oneIn(state: State, plans: readonly ReferencePlan[], which: number): ReferencePlan | null {
  const waiting = plans.filter((plan) => plan.state === state);
  return one(waiting.length > 0 ? waiting : plans, which);
}

async function passReview(plan: ReferencePlan | undefined, { service }: PlansStage): Promise<void> {
  if (!plan) return;
  await service.callback(plan.id, PASSED);
  plan.passReview();
}

/** The gateway reviews a plan, preferably one in review. A repeated result changes nothing. */
export function review(which: number, hasPassed: boolean): Run {
  return async ({ plans }, stage) => {
    const plan = oneIn('created', plans, which);
    if (!plan) return;
    if (hasPassed) return passReview(plan, stage);
    await stage.service.callback(plan.id, FAILED);
    plan.failReview();
  };
}

/** The gateway reports the result of the registration of a submitted plan. */
export function registered(which: number, isTaken: boolean): Run {
  return async ({ plans, calendar }, stage) => {
    const plan = one(
      plans.filter(({ state }) => state === 'submitted'),
      which,
    );
    if (!plan) return;
    await stage.service.callback(plan.id, isTaken ? REGISTERED : REFUSED);
    plan.submit(isTaken ? 'registered' : 'refused', stage.now, calendar);
  };
}

/** Sets the consent, confirms, or both, preferably on a plan that waits for it. */
export function change(which: number, part: 'consent' | 'state' | 'both'): Run {
  return async ({ plans }, stage) => {
    const plan = oneIn('review_completed', plans, which);
    if (!plan) return;
    const [hasConsent, hasState] = [part !== 'state', part !== 'consent'];
    const isRight = hasConsent ? !plan.hasConsent : plan.hasConsent;
    const body = {
      id: plan.id,
      ...(hasConsent ? { consent: CONSENT } : {}),
      ...(hasState ? { state: 'confirmed' } : {}),
    };
    const { status } = await stage.ask('PATCH', PLANS, { body });
    expect(status).toBe(plan.state === 'review_completed' && isRight ? 200 : 409);
    if (status !== 200) return;
    plan.hasConsent = true;
    if (hasState) plan.confirm();
  };
}

/** When the request comes in the minute of an installment, the answer shows how many installments were generated. */
export function cancelPlan(which: number): Run {
  return async (model, stage) => {
    const plan = one(model.plans, which);
    if (!plan) return;
    const body = { cancellation_code: 'invest_later' };
    const answer = await stage.ask('POST', `${PLANS}/${plan.id}/cancel`, { body });
    expect(answer.status).toBe(plan.mayBeCancelled ? 200 : 409);
    if (answer.status !== 200) return;
    expectMadeBefore(plan, answer.body, model, stage);
    plan.cancel();
    expect(answer.body).toMatchObject(plan.shown);
  };
}

/** An installment that was due and is not in the answer is never generated, because the plan is cancelled. */
function expectMadeBefore(
  plan: ReferencePlan,
  answered: MfRedemptionPlanDto,
  { calendar }: Model,
  { now }: PlansStage,
): void {
  const made = plan.terms.number_of_installments - answered.remaining_installments;
  while (plan.next && plan.next.dueAt <= now && plan.made.length < made) plan.makeNext(calendar);
}

/** Skips from that many days after the next installment's date, or after today; for that many days, or without an end. */
export function skip(which: number, after: 'today' | 'next', from: number, days: number | null): Run {
  return async ({ plans }, stage) => {
    const plan = one(plans, which);
    if (!plan) return;
    const today = dayAt(stage.now);
    const first = (after === 'next' ? (plan.next?.date ?? today) : today) + from;
    const to = days === null ? null : first + days;
    const body = { from: textOf(first), to: to === null ? null : textOf(to) };
    const expected = expectedOfSkip(plan, first <= today, stage);
    const { status, body: answered } = await stage.ask<SkipInstructionDto>(
      'POST',
      `${PLANS}/${plan.id}/skip_instructions`,
      { body },
    );
    expect(expected).toContain(status);
    if (status === 200) plan.skips.push({ id: answered.id, from: first, to, cancelledAt: null });
  };
}

/** When nothing is left to come, the skip may be accepted or refused: the specification does not decide it. */
function expectedOfSkip(plan: ReferencePlan, isEarly: boolean, stage: PlansStage): readonly number[] {
  const { state, terms, next } = plan;
  if (state !== 'active' || !terms.auto) return isEarly ? [400, 409] : [409];
  const isLeft = next !== null && expectedWhile(plan, stage).length === 1;
  if (isEarly) return isLeft ? [400] : [400, 409];
  return isLeft ? [200] : [200, 409];
}

/** The expected answer for an active plan. If its last installment is being generated, nothing is left to change. */
function expectedWhile({ next }: ReferencePlan, { now, isRunning }: PlansStage): readonly number[] {
  return isRunning && next !== null && next.dueAt <= now ? [200, 409] : [200];
}

export function cancelSkip(which: number, index: number): Run {
  return async ({ plans }, stage) => {
    const plan = one(
      plans.filter(({ skips }) => skips.length > 0),
      which,
    );
    const instruction = plan && one(plan.skips, index);
    if (!instruction) return;
    const isActive = plan.stateOfSkip(instruction, stage.now) === 'active';
    const expected = isActive ? expectedWhile(plan, stage) : [409];
    const { status } = await stage.ask('POST', `${PLANS}/skip_instructions/${instruction.id}/cancel`);
    expect(expected).toContain(status);
    if (status === 200) instruction.cancelledAt = stage.now;
  };
}

/** Moves to the minute of a plan's next installment, or before or after it, and acts while the schedulers work. */
export function atDue(which: number, offsetMs: number, act: Run | null): Run {
  return async (model, stage) => {
    const due = one(
      model.plans.filter(({ next }) => next !== null),
      which,
    )?.next?.dueAt;
    const to = due === undefined ? stage.now : due + offsetMs;
    if (to > stage.now) stage.service.clock.set(new Date(to));
    if (!act) return;
    stage.wake();
    await act(model, stage);
  };
}

export function pass(ms: number): Run {
  return (_, { service }) => {
    service.clock.advance(ms);
    return Promise.resolve();
  };
}
