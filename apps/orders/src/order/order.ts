import {
  ApiError,
  consentMismatches,
  istTimestamp,
  recordedConsent,
  ValidationFailed,
  type ConsentInput,
  type CreateMfPurchase,
  type CreateMfRedemption,
  type Decimal,
  type InvestmentAccountFacts,
  type MfOrderState,
  type MfPurchaseDto,
  type SchemeCategory,
} from '@fundrail/contracts';
import { apply, mfPurchaseMachine, mfRedemptionMachine, transition } from '@fundrail/state-machines';
import type { Decision, Machine, MfPurchaseTrigger, MfRedemptionTrigger } from '@fundrail/state-machines';
import type { MfOrder } from './order.table.ts';
import { firstPayoutDay, payoutDayOf } from './payout-day.ts';

/** A purchase or a redemption as its row in `mf_orders`. Code for only one of them is in its own folder. */
export type Order = Readonly<MfOrder>;
/** The steps that both machines have. */
export type OrderTrigger = Extract<MfPurchaseTrigger, MfRedemptionTrigger>;
export type OrderStep = Decision<
  Order,
  MfPurchaseTrigger | MfRedemptionTrigger | 'create_skipped' | 'return_collection' | 'pay_out'
>;
export type Contacts = InvestmentAccountFacts['contacts'];

/** What the caller has looked up for a new order: our ids, the account's owner, and the business time. */
export interface OrderOrigin {
  readonly id: string;
  readonly old_id: number;
  readonly tenant: string;
  readonly investor_profile: string;
  readonly now: Date;
}

/** The registrar's data of a processed order. `traded_on` is an IST date, the rest is in units and rupees. */
interface Settlement {
  readonly traded_on: string;
  readonly units: Decimal;
  readonly amount: Decimal;
  readonly price: Decimal;
  readonly folio_number: string;
  readonly is_overseas?: boolean;
}

/** The day whose NAV an order is expected to get, and by what. */
export type ExpectedNav = Pick<MfPurchaseDto, 'expected_nav_date' | 'expected_nav_basis'>;

/** The columns of an order that are still unknown at its creation. */
export const NOTHING_YET = {
  state: 'under_review',
  gateway: 'gatewaypoa',
  event_seq: 0,
  plan: null,
  installment_number: null,
  payable_until: null,
  traded_on: null,
  scheme_category: null,
  money_received_at: null,
  money_settled_at: null,
  allotted_units: null,
  purchased_amount: null,
  purchased_price: null,
  redeemed_units: null,
  redeemed_amount: null,
  redeemed_price: null,
  payout_due_date: null,
  is_overseas: null,
  paid_out_at: null,
  payout_reference: null,
  consent: null,
  payment_id: null,
  last_payment_id: null,
  order_reference: null,
  failure_code: null,
  review_completed_at: null,
  confirmed_at: null,
  submitted_at: null,
  succeeded_at: null,
  failed_at: null,
  cancelled_at: null,
  reversed_at: null,
  server_ip: null,
  retried_at: null,
  retried_as: null,
  collection_mandate: null,
  debited_mandate: null,
  debit_over_at: null,
  collected_at: null,
  submission_called_at: null,
  submission_over_at: null,
  submission_stopped_at: null,
  collection_returned_at: null,
  claimed_by: null,
  claimed_at: null,
  claim_check_at: null,
  given_up_by: null,
  unanswered_since: null,
} as const satisfies Partial<Order>;

/** The optional fields of an order of either kind. */
export function optionsOf(input: CreateMfPurchase | CreateMfRedemption) {
  return {
    mf_investment_account: input.mf_investment_account,
    scheme: input.scheme,
    scheduled_on: input.scheduled_on ?? null,
    source_ref_id: input.source_ref_id ?? null,
    user_ip: input.user_ip ?? null,
    server_ip: input.server_ip ?? null,
    euin: input.euin ?? null,
    partner: input.partner ?? null,
    initiated_by: input.initiated_by ?? null,
    initiated_via: input.initiated_via ?? null,
  };
}

/** The machine of the order's kind, limited to what both kinds share. */
export function machineOf({ kind }: Pick<Order, 'kind'>): Machine<MfOrderState, OrderTrigger, 'state'> {
  return kind === 'purchase' ? mfPurchaseMachine : mfRedemptionMachine;
}

/** The kind of order that an id of ours belongs to. */
export function kindOfId(id: string): Order['kind'] {
  return id.startsWith('mfrd_') ? 'redemption' : 'purchase';
}

/** `category` is null where the gateway does not report it. */
export function passReview(row: Order, now: Date, category: SchemeCategory | null = null): OrderStep {
  return transition(machineOf(row), row, 'pass_review', {
    scheme_category: category,
    review_completed_at: now,
  });
}

/** `review_completed_at` stays null. It is the time of `.review_completed`, and distinguishes this failure from later ones. */
export function failReview(row: Order, failureCode: string, now: Date): OrderStep {
  return transition(machineOf(row), row, 'fail_review', { failure_code: failureCode, failed_at: now });
}

/**
 * Records the consent: once, while pending, and only with the account's own contacts. Throws in this order (ORD-10):
 * `ORDER_NOT_PENDING`, `CONSENT_ALREADY_SET`, `ValidationFailed` on the field that does not match.
 */
export function recordConsent(row: Order, input: ConsentInput, contacts: Contacts): OrderStep {
  if (row.state !== 'pending')
    throw new ApiError(
      'ORDER_NOT_PENDING',
      `${row.id} is ${row.state}; consent is recorded while it is pending`,
    );
  if (row.consent)
    throw new ApiError('CONSENT_ALREADY_SET', `${row.id} already has a consent, which is write-once`);
  const mismatches = consentMismatches(input, contacts);
  if (mismatches.length > 0) throw new ValidationFailed(mismatches);
  return transition(machineOf(row), row, 'record_consent', { consent: recordedConsent(input) });
}

/** Throws `IllegalTransition`, then `CONSENT_MISSING` (ORD-19: state, consent, payment). */
export function confirmConsented(row: Order, now: Date): OrderStep {
  refuseWithoutConsent(row);
  return transition(machineOf(row), row, 'confirm', { confirmed_at: now });
}

/** Throws for the first two reasons against a confirmation. */
export function refuseWithoutConsent(row: Order): void {
  apply(machineOf(row), row.state, 'confirm');
  if (!row.consent) throw new ApiError('CONSENT_MISSING', `${row.id} has no consent`);
}

/** Throws `IllegalTransition`, then `PAYMENT_ALREADY_EXISTS` while a payment holds the order. */
export function cancel(row: Order, now: Date): OrderStep {
  apply(machineOf(row), row.state, 'cancel');
  if (row.claimed_by !== null)
    throw new ApiError('PAYMENT_ALREADY_EXISTS', `${row.id} has the live payment ${row.claimed_by}`);
  return transition(machineOf(row), row, 'cancel', { cancelled_at: now });
}

/** `order_expiry`; null when the order is no longer pending, or while a payment holds it, because the deadline waits for that. */
export function expire(row: Order, now: Date): OrderStep | null {
  if (row.state !== 'pending' || row.claimed_by !== null) return null;
  return transition(machineOf(row), row, 'expire', { failure_code: 'order_expiry', failed_at: now });
}

export function submit(row: Order, orderReference: string, now: Date): OrderStep {
  return transition(machineOf(row), row, 'submit', { order_reference: orderReference, submitted_at: now });
}

export function rejectSubmission(row: Order, failureCode: string, now: Date): OrderStep {
  return transition(machineOf(row), row, 'reject_submission', {
    failure_code: failureCode,
    failed_at: now,
  });
}

/** `settlement` is null when the gateway reported a later step without the details of this one. */
export function succeed(row: Order, settlement: Settlement | null, now: Date): OrderStep {
  return transition(machineOf(row), row, 'succeed', {
    ...(settlement && settled(row, settlement)),
    succeeded_at: now,
  });
}

export function fail(row: Order, failureCode: string, now: Date): OrderStep {
  return transition(machineOf(row), row, 'fail', { failure_code: failureCode, failed_at: now });
}

export function reverse(row: Order, failureCode: string | null, now: Date): OrderStep {
  return transition(machineOf(row), row, 'reverse', {
    failure_code: failureCode,
    reversed_at: now,
    payout_due_date: payoutDayOf(row),
  });
}

function settled(row: Order, { traded_on, units, amount, price, folio_number, is_overseas }: Settlement) {
  const sold = { redeemed_units: units, redeemed_amount: amount, redeemed_price: price };
  const figures =
    row.kind === 'purchase'
      ? { allotted_units: units, purchased_amount: amount, purchased_price: price }
      : { ...sold, ...firstPayoutDay({ traded_on, is_overseas: is_overseas ?? false }) };
  return { ...figures, traded_on, folio_number: row.folio_number ?? folio_number };
}

/** The object's fields from its ids up to its state. */
export function headOf({ id, old_id, mf_investment_account, scheme, folio_number, state }: Order) {
  return { id, old_id, mf_investment_account, scheme, folio_number, state };
}

/** The fields for quantity, gateway and time. */
export function middleOf(row: Order, nav: ExpectedNav) {
  const { units, gateway, plan, installment_number, scheduled_on, traded_on, scheme_category } = row;
  return { units, gateway, plan, installment_number, scheduled_on, traded_on, scheme_category, ...nav };
}

/**
 * The payment that clients see: one that exists. A debit that orders has started itself is shown once payments has created it. A
 * purchase's payment is created by the client's own request, which is still running at that time.
 */
function namedPayment(row: Order): number | null {
  const { kind, state, payment_id, last_payment_id, claim_check_at, debited_mandate, debit_over_at } = row;
  const isOurs =
    kind === 'redemption' || (state === 'pending' && debited_mandate !== null && debit_over_at === null);
  return isOurs && claim_check_at !== null ? last_payment_id : payment_id;
}

/** The fields from the consent on. */
export function tailOf(row: Order) {
  return {
    consent: row.consent,
    payment_id: namedPayment(row),
    order_reference: row.order_reference,
    failure_code: row.failure_code,
    source_ref_id: row.source_ref_id,
    user_ip: row.user_ip,
    euin: row.euin,
    partner: row.partner,
    initiated_by: row.initiated_by,
    initiated_via: row.initiated_via,
    created_at: istTimestamp(row.created_at),
    review_completed_at: istTimestamp(row.review_completed_at),
    confirmed_at: istTimestamp(row.confirmed_at),
    submitted_at: istTimestamp(row.submitted_at),
    succeeded_at: istTimestamp(row.succeeded_at),
    failed_at: istTimestamp(row.failed_at),
    cancelled_at: istTimestamp(row.cancelled_at),
    reversed_at: istTimestamp(row.reversed_at),
  };
}
