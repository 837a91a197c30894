import type { GatewayPlan, GatewayPlanStatus } from '../plan-ports.ts';
import { toReview } from './transform.ts';
import type { PlanObject, PlanRequest } from './plan-wire.ts';

export function fromPlan({ amount, units, ...plan }: GatewayPlan): PlanRequest {
  return { ...plan, amount_paise: amount?.toPaise() ?? null, units: units?.toString() ?? null };
}

export function toPlanStatus({ review, registration }: PlanObject): GatewayPlanStatus {
  return { review: toReview(review), registration: toRegistration(registration) };
}

function toRegistration(wire: PlanObject['registration']): GatewayPlanStatus['registration'] {
  switch (wire.status) {
    case 'none':
      return { result: 'none' };
    case 'in_progress':
      return { result: 'waiting' };
    case 'registered':
      return { result: 'registered' };
    case 'refused':
      return { result: 'refused', failure_code: wire.failure_code ?? 'registration_refused' };
    default:
      return wire satisfies never;
  }
}
