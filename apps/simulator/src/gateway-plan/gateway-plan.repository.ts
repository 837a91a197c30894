import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import { recordCallback } from '../callback/callback.repository.ts';
import { toPlanObject, type GatewayPlanRow } from './gateway-plan.ts';

/** Due kinds of the simulated gateway; the key is the plan's reference. */
export const REVIEW_PLAN = 'review_plan';
export const REGISTER_PLAN = 'register_plan';

const insert = sql(
  'gateway_plans.insert',
  `INSERT INTO gateway_plans (reference, tenant, old_id, number_of_installments, review, registration, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING reference`,
);
const find = sql('gateway_plans.find', 'SELECT * FROM gateway_plans WHERE reference = $1');
const lock = sql('gateway_plans.lock', 'SELECT * FROM gateway_plans WHERE reference = $1 FOR UPDATE');
const update = sql(
  'gateway_plans.update',
  'UPDATE gateway_plans SET review = $2, registration = $3, failure_code = $4 WHERE reference = $1',
);

/** Returns whether the plan was new. */
export async function insertPlan(tx: Tx, row: GatewayPlanRow): Promise<boolean> {
  const { reference, tenant, old_id, number_of_installments, review, registration, created_at } = row;
  const values = [reference, tenant, old_id, number_of_installments, review, registration, created_at];
  return (await tx.query(insert, values)).length === 1;
}

export async function findPlan(db: Queryable, reference: string): Promise<GatewayPlanRow | null> {
  return (await db.query<GatewayPlanRow>(find, [reference]))[0] ?? null;
}

export async function lockPlan(tx: Tx, reference: string): Promise<GatewayPlanRow | null> {
  return (await tx.query<GatewayPlanRow>(lock, [reference]))[0] ?? null;
}

/** Stores a plan's step and the callback that reports it. This transaction holds the row's lock. */
export async function savePlan(tx: Tx, row: GatewayPlanRow): Promise<void> {
  const { tenant, reference, review, registration, failure_code } = row;
  await tx.query(update, [reference, review, registration, failure_code]);
  const object = toPlanObject(row);
  await recordCallback(tx, { tenant, topic: 'plans', event: 'plan.updated', reference, object });
}
