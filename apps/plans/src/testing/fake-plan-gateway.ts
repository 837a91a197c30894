import {
  BadSignature,
  type Answer,
  type CallbackHeaders,
  type GatewayPlan,
  type GatewayPlanStatus,
  type PlanCallback,
  type PlanGateway,
} from '@fundrail/providers';
import { NOT_FOUND, YES } from '@fundrail/testing';

export { SILENCE } from '@fundrail/testing';

/** The facts of a plan in review, with `changes` applied. */
export function facts(changes: Partial<GatewayPlanStatus> = {}): GatewayPlanStatus {
  return { review: { result: 'waiting' }, registration: { result: 'none' }, ...changes };
}
export const PASSED = facts({ review: { result: 'passed' } });
export const REGISTERED = facts({ review: { result: 'passed' }, registration: { result: 'registered' } });

type Operation = 'review' | 'register' | 'status';

/**
 * A gateway of plans with answers set by the test. By default it accepts every call, registers immediately, and answers a status
 * question with the facts in `known`, or `not_found`.
 */
export class FakePlanGateway implements PlanGateway {
  readonly calls: { readonly operation: Operation; readonly reference: string }[] = [];
  readonly known = new Map<string, GatewayPlanStatus>();
  onReview: () => Answer<null> = () => YES;
  onRegister: (reference: string) => Answer<GatewayPlanStatus> = () => ({ kind: 'yes', value: REGISTERED });

  requestReview({ reference }: GatewayPlan): Promise<Answer<null>> {
    this.calls.push({ operation: 'review', reference });
    return Promise.resolve(this.onReview());
  }

  register({ reference }: GatewayPlan): Promise<Answer<GatewayPlanStatus>> {
    this.calls.push({ operation: 'register', reference });
    return Promise.resolve(this.onRegister(reference));
  }

  status(reference: string): Promise<Answer<GatewayPlanStatus>> {
    this.calls.push({ operation: 'status', reference });
    const value = this.known.get(reference);
    return Promise.resolve(value ? { kind: 'yes', value } : NOT_FOUND);
  }

  /** The body is the callback itself; the header states whether its signature is good. */
  readCallback(headers: CallbackHeaders, rawBody: string): PlanCallback {
    if (headers['x-gatewaypoa-signature'] !== 'good') throw new BadSignature('not ours');
    return JSON.parse(rawBody) as PlanCallback;
  }

  callsAbout(reference: string): Operation[] {
    return this.calls.filter((call) => call.reference === reference).map(({ operation }) => operation);
  }
}
