import type { gatewaypoaWire } from '@fundrail/providers';
import type { StoreRow } from '../store/simulator.tables.ts';

export type GatewayPlanRow = StoreRow<'plans'>;

/** A plan with this number of installments fails its review (SAND-6). */
export const UNLUCKY_NUMBER = 13;

/** A new plan, in review. */
export function takePlan(request: gatewaypoaWire.PlanRequest, now: Date): GatewayPlanRow {
  const { reference, tenant, old_id, number_of_installments } = request;
  const steps = { review: 'in_review', registration: 'none', failure_code: null } as const;
  return { reference, tenant, old_id, number_of_installments, ...steps, created_at: now };
}

/** Whether a repeated call describes the same plan. */
export function isSamePlan(row: GatewayPlanRow, request: gatewaypoaWire.PlanRequest): boolean {
  return row.tenant === request.tenant && row.old_id === request.old_id;
}

/** The review's result; null when it was decided before. */
export function decidePlanReview(row: GatewayPlanRow): GatewayPlanRow | null {
  if (row.review !== 'in_review') return null;
  if (row.number_of_installments === UNLUCKY_NUMBER)
    return { ...row, review: 'rejected', failure_code: 'number_of_installments_not_allowed' };
  return { ...row, review: 'passed' };
}

/** The plan with its registration started. Returns the same row when it was started before, and null when the review has not passed. */
export function startRegistration(row: GatewayPlanRow): GatewayPlanRow | null {
  if (row.review !== 'passed') return null;
  return row.registration === 'none' ? { ...row, registration: 'in_progress' } : row;
}

/** Null when there is nothing to register. */
export function register(row: GatewayPlanRow): GatewayPlanRow | null {
  return row.registration === 'in_progress' ? { ...row, registration: 'registered' } : null;
}

/** The plan as in the gateway's responses and callbacks. */
export function toPlanObject(row: GatewayPlanRow): gatewaypoaWire.PlanObject {
  const { reference, failure_code } = row;
  return {
    reference,
    review: row.review === 'rejected' ? { status: 'rejected', failure_code } : { status: row.review },
    registration: { status: row.registration },
  };
}
