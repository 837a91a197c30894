import { sql, type Queryable } from '@fundrail/persistence';
import type { StepUpTerms } from '../schedule/step-up.ts';
import type { NextCollection } from './mandate-rules.ts';

/** The installment that a plan's mandate has to collect next. */
export interface PlanCollection extends NextCollection, StepUpTerms {
  readonly plan_id: string;
  readonly tenant: string;
  readonly mandate: number;
  /** Why the mandate could not collect, as last published. */
  readonly reason: string | null;
  /** The plan's last event. Together with `reason` it shows whether the plan has changed since it was read. */
  readonly event_seq: number;
  readonly held_step: number | null;
  readonly mandate_seq: number | null;
}

const find = sql(
  'plan_courses.collections',
  `SELECT c.plan_id, c.tenant, p.payment_source AS mandate, coalesce(c.amount, p.amount) AS amount, p.reason, c.event_seq,
          b.day AS next_day, b.moved AS next_business_day, c.step_up_type, c.step_up_value, c.step_up_frequency, c.step_up_max,
          c.steps_passed, c.held_step, c.mandate_limit, c.mandate_seq, c.first_by_day, c.next_nominal
     FROM plan_courses c JOIN redemption_plans p ON p.id = c.plan_id
     JOIN business_calendar b ON b.day = c.next_date + CASE p.kind WHEN 'purchase' THEN 0 ELSE 1 END
    WHERE c.plan_id = ANY ($1) AND p.payment_source IS NOT NULL`,
);

// `reason` describes the mandate only while the plan has not ended. Locks in the order of the ids, as in every statement that locks
// plans.
const clear = sql(
  'redemption_plans.forget_reasons',
  `UPDATE redemption_plans SET reason = NULL WHERE id IN (
     SELECT id FROM redemption_plans
      WHERE id = ANY ($1) AND reason IS NOT NULL AND state NOT IN ('completed', 'cancelled', 'failed')
      ORDER BY id FOR UPDATE)`,
);

/**
 * The next installment that each of these plans' mandates has to collect. Plans without a mandate, or without a next installment,
 * are left out.
 */
export async function findCollections(db: Queryable, plans: readonly string[]): Promise<PlanCollection[]> {
  return db.query<PlanCollection>(find, [plans]);
}

/** Deletes the stored reasons of these plans: their mandates can collect again. */
export async function clearReasons(db: Queryable, plans: readonly string[]): Promise<void> {
  if (plans.length > 0) await db.query(clear, [plans]);
}
