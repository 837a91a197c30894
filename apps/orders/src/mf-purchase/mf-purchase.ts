import {
  ApiError,
  istTimestamp,
  ValidationFailed,
  type ConsentInput,
  type CreateMfPurchase,
  type Decimal,
  type FieldError,
  type InvestmentAccountFacts,
  type MfPurchaseDto,
} from '@fundrail/contracts';
import { apply, created, mfPurchaseMachine, transition } from '@fundrail/state-machines';
import type { Decision, MfPurchaseTrigger } from '@fundrail/state-machines';
import type { MfOrder } from '../order/order.entity.ts';

/** A purchase as its row in `mf_orders`. */
export type Purchase = Readonly<MfOrder>;
export type PurchaseStep = Decision<Purchase, MfPurchaseTrigger>;
export type Contacts = InvestmentAccountFacts['contacts'];

/** What the caller of `createPurchase` has found out: our ids, whose account it is, and the business time. */
export interface PurchaseOrigin {
  readonly id: string;
  readonly old_id: number;
  readonly tenant: string;
  readonly investor_profile: string;
  readonly now: Date;
}

/** What the registrar says of a processed order: `traded_on` is an IST date, the rest is in units and rupees. */
export interface Allotment {
  readonly traded_on: string;
  readonly units: Decimal;
  readonly amount: Decimal;
  readonly price: Decimal;
  readonly folio_number: string;
}

const NOTHING_YET = {
  kind: 'purchase',
  state: mfPurchaseMachine.initial,
  gateway: 'gatewaypoa',
  event_seq: 0,
  units: null,
  plan: null,
  installment_number: null,
  traded_on: null,
  allotted_units: null,
  purchased_amount: null,
  purchased_price: null,
  consent: null,
  payment_id: null,
  order_reference: null,
  failure_code: null,
  review_completed_at: null,
  confirmed_at: null,
  submitted_at: null,
  succeeded_at: null,
  failed_at: null,
  cancelled_at: null,
  reversed_at: null,
  claimed_by: null,
  claimed_at: null,
  claim_check_at: null,
  unanswered_since: null,
} as const satisfies Partial<Purchase>;

/** Takes an order (contract §2 "create"). The caller has checked the account, and refused a `scheduled_on` in the future. */
export function createPurchase(input: CreateMfPurchase, origin: PurchaseOrigin): Decision<Purchase> {
  const { now, ...identity } = origin;
  const row: Purchase = {
    ...NOTHING_YET,
    ...identity,
    mf_investment_account: input.mf_investment_account,
    scheme: input.scheme,
    amount: input.amount,
    folio_number: input.folio_number ?? null,
    type: input.folio_number ? 'additional' : 'fresh',
    scheduled_on: input.scheduled_on ?? null,
    source_ref_id: input.source_ref_id ?? null,
    user_ip: input.user_ip ?? null,
    euin: input.euin ?? null,
    partner: input.partner ?? null,
    initiated_by: input.initiated_by ?? null,
    initiated_via: input.initiated_via ?? null,
    created_at: now,
  };
  return created(mfPurchaseMachine, row);
}

export function passReview(row: Purchase, now: Date): PurchaseStep {
  return transition(mfPurchaseMachine, row, 'pass_review', { review_completed_at: now });
}

/** `review_completed_at` stays null: it is the time of `mf_purchase.review_completed`, and what tells this end from later ones. */
export function failReview(row: Purchase, failureCode: string, now: Date): PurchaseStep {
  return transition(mfPurchaseMachine, row, 'fail_review', { failure_code: failureCode, failed_at: now });
}

/**
 * Records the consent: once, while pending, and only with the account's own contacts. Throws in this order (contract §10
 * "Orders"): `ORDER_NOT_PENDING`, `CONSENT_ALREADY_SET`, `ValidationFailed` on the field that does not match.
 */
export function recordConsent(row: Purchase, input: ConsentInput, contacts: Contacts): PurchaseStep {
  if (row.state !== 'pending')
    throw new ApiError(
      'ORDER_NOT_PENDING',
      `${row.id} is ${row.state}; consent is recorded while it is pending`,
    );
  if (row.consent)
    throw new ApiError('CONSENT_ALREADY_SET', `${row.id} has its consent, which is write-once`);
  const mismatches = consentMismatches(input, contacts);
  if (mismatches.length > 0) throw new ValidationFailed(mismatches);
  const { email = null, isd_code = null, mobile = null } = input;
  return transition(mfPurchaseMachine, row, 'record_consent', { consent: { email, isd_code, mobile } });
}

/** Throws `IllegalTransition`, then `CONSENT_MISSING`, then `PAYMENT_MISSING` (contract §10: state, consent, payment). */
export function confirm(row: Purchase, now: Date): PurchaseStep {
  apply(mfPurchaseMachine, row.state, 'confirm');
  if (!row.consent) throw new ApiError('CONSENT_MISSING', `${row.id} has no consent`);
  if (row.claimed_by === null) throw new ApiError('PAYMENT_MISSING', `${row.id} has no live payment`);
  return transition(mfPurchaseMachine, row, 'confirm', { confirmed_at: now });
}

/** Throws `IllegalTransition`, then `PAYMENT_ALREADY_EXISTS` while a payment holds the order. */
export function cancel(row: Purchase, now: Date): PurchaseStep {
  apply(mfPurchaseMachine, row.state, 'cancel');
  if (row.claimed_by !== null)
    throw new ApiError('PAYMENT_ALREADY_EXISTS', `${row.id} has the live payment ${row.claimed_by}`);
  return transition(mfPurchaseMachine, row, 'cancel', { cancelled_at: now });
}

/** `order_expiry`, or null when the order is not pending any more or a payment holds it: the deadline waits for that. */
export function expire(row: Purchase, now: Date): PurchaseStep | null {
  if (row.state !== 'pending' || row.claimed_by !== null) return null;
  return transition(mfPurchaseMachine, row, 'expire', { failure_code: 'order_expiry', failed_at: now });
}

export function submit(row: Purchase, orderReference: string, now: Date): PurchaseStep {
  return transition(mfPurchaseMachine, row, 'submit', { order_reference: orderReference, submitted_at: now });
}

export function rejectSubmission(row: Purchase, failureCode: string, now: Date): PurchaseStep {
  return transition(mfPurchaseMachine, row, 'reject_submission', {
    failure_code: failureCode,
    failed_at: now,
  });
}

/** `allotment` is null when the gateway told a later step without the details of this one. */
export function succeed(row: Purchase, allotment: Allotment | null, now: Date): PurchaseStep {
  return transition(mfPurchaseMachine, row, 'succeed', {
    ...(allotment && allotted(row, allotment)),
    succeeded_at: now,
  });
}

export function fail(row: Purchase, failureCode: string, now: Date): PurchaseStep {
  return transition(mfPurchaseMachine, row, 'fail', { failure_code: failureCode, failed_at: now });
}

/** `payment_url_unused`, or null when the order is not submitted any more or a payment holds it. */
export function expireUnpaid(row: Purchase, now: Date): PurchaseStep | null {
  if (row.state !== 'submitted' || row.claimed_by !== null) return null;
  return transition(mfPurchaseMachine, row, 'expire_unpaid', {
    failure_code: 'payment_url_unused',
    failed_at: now,
  });
}

export function reverse(row: Purchase, failureCode: string | null, now: Date): PurchaseStep {
  return transition(mfPurchaseMachine, row, 'reverse', { failure_code: failureCode, reversed_at: now });
}

function allotted(row: Purchase, allotment: Allotment) {
  return {
    traded_on: allotment.traded_on,
    allotted_units: allotment.units,
    purchased_amount: allotment.amount,
    purchased_price: allotment.price,
    folio_number: row.folio_number ?? allotment.folio_number,
  };
}

/** Each contact that the consent names must be the account's own; e-mail in any case, the dialling code with or without `+`. */
function consentMismatches(input: ConsentInput, contacts: Contacts): FieldError[] {
  const message = "is not the investment account's";
  const faults: FieldError[] = [];
  if (input.email && input.email.toLowerCase() !== contacts.email?.toLowerCase())
    faults.push({ field: 'consent.email', message });
  if (input.isd_code && diallingCode(input.isd_code) !== diallingCode(contacts.isd_code ?? ''))
    faults.push({ field: 'consent.isd_code', message });
  if (input.mobile && input.mobile !== contacts.mobile) faults.push({ field: 'consent.mobile', message });
  return faults;
}

function diallingCode(text: string): string {
  return text.replace('+', '');
}

/** The purchase as GET answers it and as its events carry it (contract §2). */
export function toMfPurchase(row: Purchase): MfPurchaseDto {
  if (!row.amount) throw new Error(`${row.id} has no amount`);
  return {
    object: 'mf_purchase',
    id: row.id,
    old_id: row.old_id,
    mf_investment_account: row.mf_investment_account,
    scheme: row.scheme,
    folio_number: row.folio_number,
    state: row.state,
    type: row.type,
    amount: row.amount,
    units: row.units,
    gateway: row.gateway,
    plan: row.plan,
    installment_number: row.installment_number,
    scheduled_on: row.scheduled_on,
    traded_on: row.traded_on,
    allotted_units: row.allotted_units,
    purchased_amount: row.purchased_amount,
    purchased_price: row.purchased_price,
    consent: row.consent,
    payment_id: row.payment_id,
    order_reference: row.order_reference,
    failure_code: row.failure_code,
    source_ref_id: row.source_ref_id,
    user_ip: row.user_ip,
    euin: row.euin,
    partner: row.partner,
    initiated_by: row.initiated_by,
    initiated_via: row.initiated_via,
    created_at: istTimestamp(row.created_at),
    review_completed_at: at(row.review_completed_at),
    confirmed_at: at(row.confirmed_at),
    submitted_at: at(row.submitted_at),
    succeeded_at: at(row.succeeded_at),
    failed_at: at(row.failed_at),
    cancelled_at: at(row.cancelled_at),
    reversed_at: at(row.reversed_at),
  };
}

function at(time: Date | null): string | null {
  return time && istTimestamp(time);
}
