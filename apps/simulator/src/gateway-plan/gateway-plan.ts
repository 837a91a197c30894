import type { gatewaypoaWire } from '@fundrail/providers';

/** A redemption plan as the played gateway knows it. Its installments come as orders, each by itself. */
export interface GatewayPlanRow {
  readonly reference: string;
  readonly tenant: string;
  readonly old_id: number;
  readonly number_of_installments: number;
  readonly review: 'in_review' | 'passed' | 'rejected';
  readonly registration: 'none' | 'in_progress' | 'registered';
  readonly failure_code: string | null;
  readonly created_at: Date;
}

/** With so many installments a plan fails its review (contract §10 "Sandbox"). */
const UNLUCKY_NUMBER = 13;

/** A new plan, in review. */
export function takePlan(request: gatewaypoaWire.PlanRequest, now: Date): GatewayPlanRow {
  const { reference, tenant, old_id, number_of_installments } = request;
  const steps = { review: 'in_review', registration: 'none', failure_code: null } as const;
  return { reference, tenant, old_id, number_of_installments, ...steps, created_at: now };
}

/** Whether a repeated call speaks of the same plan. */
export function isSamePlan(row: GatewayPlanRow, request: gatewaypoaWire.PlanRequest): boolean {
  return row.tenant === request.tenant && row.old_id === request.old_id;
}

/** The review's result; null when it was given before. */
export function decidePlanReview(row: GatewayPlanRow): GatewayPlanRow | null {
  if (row.review !== 'in_review') return null;
  if (row.number_of_installments === UNLUCKY_NUMBER)
    return { ...row, review: 'rejected', failure_code: 'number_of_installments_not_allowed' };
  return { ...row, review: 'passed' };
}

/** The plan whose registration has begun, the same row when it had before, or null when its review has not passed. */
export function beginRegistration(row: GatewayPlanRow): GatewayPlanRow | null {
  if (row.review !== 'passed') return null;
  return row.registration === 'none' ? { ...row, registration: 'in_progress' } : row;
}

/** Null when there is nothing to register (any more). */
export function register(row: GatewayPlanRow): GatewayPlanRow | null {
  return row.registration === 'in_progress' ? { ...row, registration: 'registered' } : null;
}

/** The plan as the gateway answers it and as its callbacks carry it. */
export function toPlanObject(row: GatewayPlanRow): gatewaypoaWire.PlanObject {
  const { reference, failure_code } = row;
  return {
    reference,
    review: row.review === 'rejected' ? { status: 'rejected', failure_code } : { status: row.review },
    registration: { status: row.registration },
  };
}
