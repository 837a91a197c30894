import { sql, type Queryable } from '@fundrail/service-kit/db';
import type { NextCollection } from './mandate-rules.ts';

/** The installment that a plan's mandate is to collect next. */
export interface PlanCollection extends NextCollection {
  readonly plan_id: string;
  readonly tenant: string;
  readonly mandate: number;
  /** Why the mandate could not collect, as last told. */
  readonly reason: string | null;
  /** The plan's last event: with `reason` it tells whether anything has come since it was read. */
  readonly event_seq: number;
}

const find = sql(
  'plan_courses.collections',
  `SELECT c.plan_id, c.tenant, p.payment_source AS mandate, p.amount, p.reason, c.event_seq,
          b.day AS next_day, b.moved AS next_business_day
     FROM plan_courses c JOIN redemption_plans p ON p.id = c.plan_id JOIN business_calendar b ON b.day = c.next_date + 1
    WHERE c.plan_id = ANY ($1) AND p.payment_source IS NOT NULL`,
);

// Of a plan that has not ended, `reason` is its mandate's. In the order of the ids, as everybody locks plans.
const forget = sql(
  'redemption_plans.forget_reasons',
  `UPDATE redemption_plans SET reason = NULL WHERE id IN (
     SELECT id FROM redemption_plans
      WHERE id = ANY ($1) AND reason IS NOT NULL AND state NOT IN ('completed', 'cancelled', 'failed')
      ORDER BY id FOR UPDATE)`,
);

/** What the mandates of these plans are to collect next; plans that have none, or nothing to come, are left out. */
export async function findCollections(db: Queryable, plans: readonly string[]): Promise<PlanCollection[]> {
  return db.query<PlanCollection>(find, [plans]);
}

/** The mandates of these plans can collect again: what was told of them is over. */
export async function forgetReasons(db: Queryable, plans: readonly string[]): Promise<void> {
  if (plans.length > 0) await db.query(forget, [plans]);
}
