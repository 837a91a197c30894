import type { ReferenceCalendar } from './reference-days.ts';
import type { ReferencePlan } from './reference-plan.ts';
import { PLANS } from '../swp-under-test.ts';
import type { PlansStage } from './plans-stage.ts';

/** Everything that should be so. */
export interface Model {
  readonly plans: ReferencePlan[];
  readonly calendar: ReferenceCalendar;
  /** Whether the one mandate collects, and whether it always has. */
  mandate: { isUsable: boolean; wasUnusable: boolean };
}

/** What a command does. */
export type Run = (model: Model, stage: PlansStage) => Promise<void>;

/** One of several, whatever the number; null when there is none. */
export function one<T>(items: readonly T[], index: number): T | null {
  return items[index % items.length] ?? null;
}

/** Brings the model to the stage's time: what falls due is done, as far as a scheduler runs. */
export function catchUp({ plans, calendar }: Model, { now, isRunning }: PlansStage): void {
  if (!isRunning) return;
  for (const plan of plans) {
    // The gateway is told of a confirmed plan by the scheduler; a submitted one waits for its callback.
    if (plan.state === 'confirmed') plan.submit(plan.terms.registration, now, calendar);
    plan.generate(now, calendar);
    plan.tellDrawn(now);
  }
}

/** Has everything done that is due now, reads the plans meanwhile, and lets orders end what was skipped. */
export async function settle(model: Model, stage: PlansStage): Promise<void> {
  catchUp(model, stage);
  stage.wake();
  await expectTrails(model, stage);
  await stage.quiet();
  await endSkipped(model, stage);
}

/** Whoever looks meanwhile sees a plan as it was, as it will be, or as it is in between, and never a mixture. */
async function expectTrails({ plans }: Model, stage: PlansStage): Promise<void> {
  for (const { id, trail } of plans) {
    const { state, ...plan } = (await stage.ask('GET', `${PLANS}/${id}`)).body;
    const { remaining_installments, next_installment_date, previous_installment_date } = plan;
    expect(trail).toContainEqual({
      ...{ state, remaining_installments, next_installment_date, previous_installment_date },
    });
  }
}

/** Orders stores a skipped installment as cancelled, and says so. */
async function endSkipped({ plans }: Model, stage: PlansStage): Promise<void> {
  for (const plan of plans)
    for (const installment of plan.made)
      if (installment.state === 'cancelled' && !installment.hasEnded) {
        const [told] = (await stage.swp.told(plan.id)).filter(
          (one) => one.installment_number === installment.number,
        );
        if (!told) throw new Error(`orders was not told of ${plan.id} ${installment.number}`);
        await stage.swp.ended(told, 'cancelled');
        plan.end(installment);
      }
}
