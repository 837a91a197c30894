import type { ReferenceCalendar } from './reference-days.ts';
import type { ReferencePlan } from './reference-plan.ts';
import { PLANS } from '../plans-under-test.ts';
import type { PlansStage } from './plans-stage.ts';

/** The expected state of everything. */
export interface Model {
  readonly plans: ReferencePlan[];
  readonly calendar: ReferenceCalendar;
  /** Whether the one mandate can collect, and whether it ever could not. */
  mandate: { isUsable: boolean; wasUnusable: boolean };
}

/** What a command does. */
export type Run = (model: Model, stage: PlansStage) => Promise<void>;

/** The item at this index modulo the length; null when there are no items. */
export function one<T>(items: readonly T[], index: number): T | null {
  return items[index % items.length] ?? null;
}

/** Advances the model to the stage's time: does what falls due, if a scheduler runs. */
export function catchUp({ plans, calendar }: Model, { now, isRunning }: PlansStage): void {
  if (!isRunning) return;
  for (const plan of plans) {
    // The scheduler sends a confirmed plan to the gateway; a submitted plan waits for its callback.
    if (plan.state === 'confirmed') plan.submit(plan.terms.registration, now, calendar);
    plan.generate(now, calendar);
    plan.publishDrawn(now);
  }
}

/** Waits until everything due now is done, reads the plans meanwhile, and lets orders end the skipped installments. */
export async function settle(model: Model, stage: PlansStage): Promise<void> {
  catchUp(model, stage);
  stage.wake();
  await expectTrails(model, stage);
  await stage.quiet();
  await endSkipped(model, stage);
}

/** A reader during the work sees a plan before, after or between the steps, and never a mixture. */
async function expectTrails({ plans }: Model, stage: PlansStage): Promise<void> {
  for (const { id, trail } of plans) {
    const { state, ...plan } = (await stage.ask('GET', `${PLANS}/${id}`)).body;
    const { remaining_installments, next_installment_date, previous_installment_date } = plan;
    expect(trail).toContainEqual({
      ...{ state, remaining_installments, next_installment_date, previous_installment_date },
    });
  }
}

/** Orders stores a skipped installment as cancelled and publishes that. */
async function endSkipped({ plans }: Model, stage: PlansStage): Promise<void> {
  for (const plan of plans)
    for (const installment of plan.made)
      if (installment.state === 'cancelled' && !installment.hasEnded) {
        const [published] = (await stage.service.published(plan.id)).filter(
          (one) => one.installment_number === installment.number,
        );
        if (!published) throw new Error(`${plan.id} ${installment.number} was not published`);
        await stage.service.ended(published, 'cancelled');
        plan.end(installment);
      }
}
