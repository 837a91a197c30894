import { newId, type DrawResult } from '@fundrail/contracts';
import { mandateObject } from '../mandate-object.ts';
import { aMandate, MANDATE } from '../plan.builder.ts';
import { catchUp, one, type Run } from './plans-model.ts';
import { UNUSABLE } from './plans-rules.ts';
import type { PlansStage } from './plans-stage.ts';
import { textOf } from './reference-days.ts';
import type { ReferencePlan } from './reference-plan.ts';

/** How a caller draws: one installment, the same one at two replicas at once, two at once, or one that it has drawn before. */
export type Draw = 'one' | 'same' | 'two' | 'again';

const ANY = 3;

/** Draws from a plan without automatic generation if there is one; for the last `which`, from any plan. */
export function draw(which: number, how: Draw): Run {
  return async ({ plans }, stage) => {
    const drawable = plans.filter(({ mayDraw }) => mayDraw);
    const plan = one(drawable.length > 0 && which < ANY ? drawable : plans, which);
    if (!plan) return;
    const known = plan.made.find(({ publishAt }) => publishAt !== null);
    const first = how === 'again' && known?.redemption ? known.redemption : newId('redemption');
    const second = how === 'two' ? newId('redemption') : first;
    const asked = how === 'same' || how === 'two' ? [first, second] : [first];
    const results = await Promise.all(
      asked.map((redemption, at) => drawPatiently(stage, plan, redemption, at)),
    );
    const answers = results.map((result, index) => ({ result, redemption: asked[index] ?? first }));
    answers.sort((a, b) => numberOf(a.result) - numberOf(b.result));
    for (const { redemption, result } of answers) expectDraw(plan, redemption, result, stage.now);
  };
}

async function drawPatiently(
  stage: PlansStage,
  { id }: ReferencePlan,
  redemption: string,
  at: number,
): Promise<DrawResult> {
  const { body } = await stage.patiently(() => stage.service.askToDraw(id, redemption, at));
  return body;
}

function numberOf(result: DrawResult): number {
  return result.outcome === 'drawn' ? result.installment.installment_number : Number.POSITIVE_INFINITY;
}

/** A redemption that has drawn before gets the same installment, in any state of the plan. */
function expectDraw(plan: ReferencePlan, asked: string, result: DrawResult, now: number): void {
  const { terms, made, mayDraw } = plan;
  const known = made.find(({ redemption }) => redemption === asked);
  if (!known && !mayDraw) {
    expect(result).toMatchObject({
      outcome: 'refused',
      code: terms.auto ? 'BAD_REQUEST_ERROR' : 'ILLEGAL_TRANSITION',
    });
    return;
  }
  if (result.outcome !== 'drawn') throw new Error(`${plan.id} returned no installment: ${result.message}`);
  const { installment } = result;
  expect(installment.redemption).toBe(asked);
  const drawn = known ?? plan.draw(now, asked);
  expect(installment).toMatchObject({
    ...{ installment_number: drawn.number, date: textOf(drawn.date), nominal_date: textOf(drawn.nominal) },
  });
}

/** Orders reports the end of a redemption, perhaps twice. */
export function end(which: number, how: 'successful' | 'failed' | 'cancelled', isTwice: boolean): Run {
  return async ({ plans }, stage) => {
    const open = plans.flatMap((plan) =>
      plan.made
        .filter(({ hasEnded, isPublished }) => isPublished && !hasEnded)
        .map((made) => ({ plan, made })),
    );
    const chosen = one(open, which);
    if (!chosen) return;
    const { plan, made } = chosen;
    const published = await stage.service.published(plan.id);
    const installment = published.find(({ installment_number }) => installment_number === made.number);
    if (!installment) throw new Error(`${plan.id} ${made.number} was not published`);
    const event = newId('event');
    await stage.service.ended(installment, how, event);
    if (isTwice) await stage.service.ended(installment, how, event);
    plan.end(made);
  };
}

/** Replaces the holidays of the year of a plan's next nominal date: that day and some after it are closed, or all are open. */
export function replaceHolidays(which: number, closed: number): Run {
  return async (model, stage) => {
    const plan = one(
      model.plans.filter(({ next }) => next !== null),
      which,
    );
    const nominal = plan?.nominals[plan.made.length];
    if (nominal === undefined) return;
    // An overdue installment keeps its date; the specification states no more, so it is generated first.
    catchUp(model, stage);
    if (model.plans.some(({ next }) => next && next.dueAt <= stage.now)) return;
    const year = Number(textOf(nominal).slice(0, 4));
    const days = Array.from({ length: closed }, (_, index) => textOf(nominal + index));
    const dates = days.filter((date) => date.startsWith(`${year}-`));
    const { status } = await stage.replaceHolidays(year, dates);
    expect(status).toBe(200);
    model.calendar.replace(year, dates);
    for (const one of model.plans) one.follow(model.calendar, stage.now);
  };
}

const STATUS = { paused: 'PAUSED', cancelled: 'CANCELLED', expired: 'EXPIRED' } as const;

/** The mandate is paused or cancelled or expires. Each plan that uses it and has more to come publishes one event. */
export function mandateEnds(how: 'paused' | 'cancelled' | 'expired'): Run {
  return async (model, stage) => {
    const concerned = model.plans.filter(({ terms, hasMoreToCome }) => terms.byMandate && hasMoreToCome);
    const before = await countUnusable(concerned, stage);
    const mandate = aMandate({ mandate_status: STATUS[how] });
    stage.service.neighbours.mandates.set(MANDATE, mandate);
    model.mandate = { isUsable: false, wasUnusable: true };
    await stage.service.consume(`mandate.${how}`, mandateObject(mandate));
    expect(await countUnusable(concerned, stage)).toEqual(before.map((count) => count + 1));
  };
}

export function mandateResumes(): Run {
  return (model, stage) => {
    stage.service.neighbours.mandates.set(MANDATE, aMandate());
    model.mandate.isUsable = true;
    return Promise.resolve();
  };
}

async function countUnusable(plans: readonly ReferencePlan[], { service }: PlansStage): Promise<number[]> {
  const counts: number[] = [];
  for (const { id } of plans)
    counts.push((await service.eventsOf(id)).filter((type) => type === UNUSABLE).length);
  return counts;
}
