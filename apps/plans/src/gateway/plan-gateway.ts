import { GatewaypoaPlans, type Answer, type GatewayPlan, type GatewayPlanStatus } from '@fundrail/providers';
import { ProviderCalls } from '@fundrail/service-kit';
import type { OutsideAnswer } from '@fundrail/service-kit/due';
import type { FactoryProvider, OnApplicationShutdown } from '@nestjs/common';
import { PlansConfig } from '../config.ts';
import type { Plan } from '../plan/plan.ts';

/** Injection token of the `PlanGateway` (GATE-1). */
export const PLAN_GATEWAY = Symbol('plans:plan-gateway');

/** gatewaypoa, with connections that close when the service shuts down. */
class Gatewaypoa extends GatewaypoaPlans implements OnApplicationShutdown {
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}

export const gatewaypoa: FactoryProvider<GatewaypoaPlans> = {
  provide: PLAN_GATEWAY,
  inject: [PlansConfig, ProviderCalls],
  useFactory: (config: PlansConfig, { observe, businessTime }: ProviderCalls) =>
    new Gatewaypoa({ ...config.gatewaypoa, observe, businessTime }),
};

/** The plan as it is sent to the gateway. Our id is the reference and the idempotency key. */
export function toGatewayPlan(row: Plan): GatewayPlan {
  const { id: reference, mf_investment_account: investment_account, tenant, old_id, scheme } = row;
  const { kind, frequency, folio_number, amount, units, installment_day, number_of_installments, euin } = row;
  return {
    ...{
      reference,
      kind,
      frequency,
      investment_account,
      tenant,
      old_id,
      scheme,
      folio_number,
      amount,
      units,
    },
    ...{ installment_day, number_of_installments, euin },
  };
}

/** The facts in the answer to a review request, a refusal included. A `yes` only means that the request arrived. */
export function factsOfReview(answer: Answer<null>): OutsideAnswer<GatewayPlanStatus> {
  if (answer.kind !== 'yes' && answer.kind !== 'no') return answer;
  const review =
    answer.kind === 'yes'
      ? ({ result: 'waiting' } as const)
      : ({ result: 'failed', failure_code: answer.failure_code } as const);
  return { kind: 'yes', value: { review, registration: { result: 'none' } } };
}

/** The facts in the answer to a registration, a refusal included. */
export function factsOfRegistration(answer: Answer<GatewayPlanStatus>): OutsideAnswer<GatewayPlanStatus> {
  if (answer.kind !== 'no') return answer;
  const registration = { result: 'refused', failure_code: answer.failure_code } as const;
  return { kind: 'yes', value: { review: { result: 'passed' }, registration } };
}
