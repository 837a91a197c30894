import type { SkipInstructionDto } from '@fundrail/contracts';
import { PLANS } from '../plans-under-test.ts';
import type { Model } from './plans-model.ts';
import type { PlansStage } from './plans-stage.ts';
import { textOf } from './reference-days.ts';
import { covers, type ReferenceInstallment, type ReferencePlan } from './reference-plan.ts';

interface StoredInstallment {
  readonly plan_id: string;
  readonly installment_number: number;
  readonly redemption: string;
  readonly state: string;
  readonly nominal_date: string;
  readonly date: string;
  readonly ended: boolean;
}

const INSTALLMENTS = `
  SELECT plan_id, installment_number, redemption, state, nominal_date::text, date::text, ended_at IS NOT NULL AS ended
    FROM plan_installments ORDER BY plan_id, installment_number`;

/** Everything that clients, orders and the database see must match the reference model. */
export async function expectRules(model: Model, stage: PlansStage): Promise<void> {
  const stored = await stage.service.rows<StoredInstallment>(INSTALLMENTS);
  expect(new Set(stored.map(({ redemption }) => redemption)).size).toBe(stored.length);
  for (const plan of model.plans) {
    expectInstallments(
      plan,
      stored.filter(({ plan_id }) => plan_id === plan.id),
    );
    await expectPublished(plan, stage);
    await expectEvents(plan, model, stage);
    await expectShown(plan, stage);
    await expectSkips(plan, model, stage);
  }
}

function expectInstallments(plan: ReferencePlan, stored: readonly StoredInstallment[]): void {
  expect(stored.map(({ plan_id: _plan, redemption: _redemption, ...rest }) => rest)).toEqual(
    plan.made.map((made) => ({ ...wordsOf(made), ended: made.hasEnded })),
  );
  for (const made of plan.made) {
    const redemption = stored[made.number - 1]?.redemption ?? null;
    // Known since it was drawn or first seen. It never changes.
    expect(made.redemption ?? redemption).toBe(redemption);
    made.redemption = redemption;
  }
}

async function expectPublished(plan: ReferencePlan, stage: PlansStage): Promise<void> {
  const published = (await stage.service.published(plan.id)).map(
    ({ installment_number, state, nominal_date, date, redemption }) => ({
      ...{ installment_number, state, nominal_date, date, redemption },
    }),
  );
  // When a scheduler was late, drawn installments are published together, in any order.
  published.sort((a, b) => a.installment_number - b.installment_number);
  const expected = plan.made.filter(({ isPublished }) => isPublished);
  expect(published).toEqual(expected.map((made) => ({ ...wordsOf(made), redemption: made.redemption })));
}

function wordsOf({ number, state, nominal, date }: ReferenceInstallment): object {
  return { installment_number: number, state, nominal_date: textOf(nominal), date: textOf(date) };
}

/** Events are in order and without a gap. Those about the mandate are apart, and there are none while it could always collect. */
async function expectEvents(plan: ReferencePlan, { mandate }: Model, stage: PlansStage): Promise<void> {
  const events = await stage.service.eventsOf(plan.id);
  expect(events.filter((type) => type !== UNUSABLE)).toEqual(plan.events);
  if (!mandate.wasUnusable || !plan.terms.byMandate) expect(events).not.toContain(UNUSABLE);
}

export const UNUSABLE = 'mandate_unusable';

async function expectShown(plan: ReferencePlan, stage: PlansStage): Promise<void> {
  const { nominals } = plan;
  const [first, last] = [nominals[0], nominals.at(-1)];
  const { status, body } = await stage.ask('GET', `${PLANS}/${plan.id}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    ...plan.shown,
    start_date: first === undefined ? null : textOf(first),
    end_date: last === undefined ? null : textOf(last),
  });
}

async function expectSkips(plan: ReferencePlan, { calendar }: Model, stage: PlansStage): Promise<void> {
  const url = `${PLANS}/${plan.id}/skip_instructions`;
  const { body } = await stage.ask<{ data: SkipInstructionDto[] }>('GET', url);
  const coming = plan.next ? plan.nominals.slice(plan.made.length).map((day) => calendar.openFrom(day)) : [];
  if (plan.next) coming[0] = plan.next.date;
  const skipped = plan.made.filter(({ state }) => state === 'cancelled');
  const expected = plan.skips.map((skip) => ({
    ...{ id: skip.id, from: textOf(skip.from), to: skip.to === null ? null : textOf(skip.to) },
    state: plan.stateOfSkip(skip, stage.now),
    remaining_installments: coming.filter((date) => covers(skip, date)).length,
    skipped_installments: skipped.filter(({ date }) => covers(skip, date)).length,
  }));
  expect(
    body.data.map(({ id, from, to, state, remaining_installments, skipped_installments }) => ({
      ...{ id, from, to, state, remaining_installments, skipped_installments },
    })),
  ).toEqual(expected.reverse());
}
