import type { Decimal, PlanFrequency } from '@fundrail/contracts';
import type { Answer, CallbackHeaders } from './answer.ts';

/** A plan as sent to the order gateway. `reference` is our plan id and the call's idempotency key. */
export interface GatewayPlan {
  readonly reference: string;
  readonly kind: 'redemption' | 'purchase';
  readonly frequency: PlanFrequency;
  readonly tenant: string;
  readonly old_id: number;
  readonly investment_account: string;
  readonly scheme: string;
  readonly folio_number: string | null;
  /** Rupees of each installment. When `units` is null too, all units are redeemed. */
  readonly amount: Decimal | null;
  readonly units: Decimal | null;
  /** The day of the month, or of the week from 1 (Monday); null when `daily`. */
  readonly installment_day: number | null;
  readonly number_of_installments: number;
  readonly euin: string | null;
}

/** The gateway's status of a plan: its two steps. */
export interface GatewayPlanStatus {
  readonly review:
    { readonly result: 'waiting' | 'passed' } | { readonly result: 'failed'; readonly failure_code: string };
  /** `none`: never requested; `waiting`: accepted, and being registered. */
  readonly registration:
    | { readonly result: 'none' | 'waiting' | 'registered' }
    | { readonly result: 'refused'; readonly failure_code: string };
}

/** The order gateway as far as plans go (GATE-1): review, registration, status, and signed callbacks. */
export interface PlanGateway {
  requestReview(plan: GatewayPlan): Promise<Answer<null>>;
  /** Requests the registration of a plan whose review has passed. */
  register(plan: GatewayPlan): Promise<Answer<GatewayPlanStatus>>;
  status(reference: string): Promise<Answer<GatewayPlanStatus>>;
  /** Checks the signature over the raw body. Throws `BadSignature`. */
  readCallback(headers: CallbackHeaders, rawBody: string): PlanCallback;
}

/** `event_id` is the gateway's own; `status` is null when it is not understood (then request the plan's status). */
export interface PlanCallback {
  readonly event_id: string;
  readonly reference: string;
  readonly status: GatewayPlanStatus | null;
}
