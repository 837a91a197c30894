import {
  ApiError,
  istTimestamp,
  type CreateMfPurchase,
  type MfPurchaseDto,
  type PatchMfPurchase,
} from '@fundrail/contracts';
import {
  created,
  IllegalTransition,
  mfPurchaseMachine,
  transition,
  type Decision,
} from '@fundrail/state-machines';
import { hasConfirmedItself } from './purchase-installment.ts';
import {
  confirmConsented,
  headOf,
  middleOf,
  NOTHING_YET,
  optionsOf,
  recordConsent,
  refuseWithoutConsent,
  tailOf,
  type Contacts,
  type ExpectedNav,
  type Order,
  type OrderOrigin,
  type OrderStep,
} from '../order/order.ts';

/** Creates an order (ORD-3). The caller has checked the account, and refused a `scheduled_on` in the future. */
export function createPurchase(input: CreateMfPurchase, origin: OrderOrigin): Decision<Order> {
  const { now, ...identity } = origin;
  const row: Order = {
    ...NOTHING_YET,
    ...identity,
    ...optionsOf(input),
    kind: 'purchase',
    amount: input.amount,
    units: null,
    folio_number: input.folio_number ?? null,
    type: input.folio_number ? 'additional' : 'fresh',
    created_at: now,
  };
  return created(mfPurchaseMachine, row);
}

/**
 * The same purchase again, from a failed one (ORD-34). Throws `ILLEGAL_TRANSITION` for one that has not failed or was retried, and for
 * an installment, which its plan makes. A folio that the failed purchase would have opened is opened by the new one. The addresses are
 * those of the first request, so the new purchase has none.
 */
export function retryPurchase(
  failed: Order,
  { now, ...ids }: Pick<OrderOrigin, 'id' | 'old_id' | 'now'>,
): Decision<Order> {
  const { id, state, retried_at, retried_as, plan, type, folio_number } = failed;
  if (retried_at)
    throw new ApiError(
      'ILLEGAL_TRANSITION',
      `${id} was retried before${retried_as ? ` as ${retried_as}` : ''}`,
    );
  const from = plan ? `${state} installment` : state;
  if (from !== 'failed') throw new IllegalTransition('mf_purchase', from, 'retry', 'under_review');
  return created(mfPurchaseMachine, {
    ...{ ...failed, ...NOTHING_YET, ...ids },
    folio_number: type === 'additional' ? folio_number : null,
    ...{ source_ref_id: null, scheduled_on: null, user_ip: null, created_at: now },
  });
}

/**
 * A purchase needs two requests: one for its consent, one for its confirmation (ORD-11). Confirming an installment that has confirmed
 * itself changes nothing (SIP-26).
 */
export function changePurchase(
  row: Order,
  patch: PatchMfPurchase,
  contacts: Contacts,
  now: Date,
): readonly OrderStep[] {
  if (patch.consent) return [recordConsent(row, patch.consent, contacts)];
  return hasConfirmedItself(row) ? [] : [confirm(row, now)];
}

/**
 * The same for a client of the upstream interface: it may confirm a purchase that no payment holds, and pay once it is submitted
 * (COMP-7). Not an installment, whose debit is still to come (SIP-25).
 */
export function changePurchaseBeforePayment(
  row: Order,
  patch: PatchMfPurchase,
  contacts: Contacts,
  now: Date,
): readonly OrderStep[] {
  const isUnpaid = !patch.consent && row.claimed_by === null && row.plan === null;
  return isUnpaid ? [confirmConsented(row, now)] : changePurchase(row, patch, contacts, now);
}

/** Throws `IllegalTransition`, then `CONSENT_MISSING`, then `PAYMENT_MISSING` (ORD-19: state, consent, payment). */
export function confirm(row: Order, now: Date): OrderStep {
  refuseWithoutConsent(row);
  if (row.claimed_by === null) throw new ApiError('PAYMENT_MISSING', `${row.id} has no live payment`);
  if (row.claimed_by === row.given_up_by)
    throw new ApiError(
      'PAYMENT_MISSING',
      `payment ${row.claimed_by} of ${row.id} came too late and is refunded`,
    );
  return confirmConsented(row, now);
}

/** `payment_url_unused`, or null when the order is no longer submitted or a payment holds it. */
export function expireUnpaid(row: Order, now: Date): OrderStep | null {
  if (row.state !== 'submitted' || row.claimed_by !== null) return null;
  return transition(mfPurchaseMachine, row, 'expire_unpaid', {
    failure_code: 'payment_url_unused',
    failed_at: now,
  });
}

/** The purchase as GET returns it and as its events carry it (ORD-14). */
export function toMfPurchase(row: Order, nav: ExpectedNav): MfPurchaseDto {
  const { type, amount, allotted_units, purchased_amount, purchased_price } = row;
  if (!amount || (type !== 'fresh' && type !== 'additional')) throw new Error(`${row.id} is not a purchase`);
  return {
    object: 'mf_purchase',
    ...headOf(row),
    type,
    amount,
    ...middleOf(row, nav),
    payable_until: istTimestamp(row.payable_until),
    allotted_units,
    purchased_amount,
    purchased_price,
    ...tailOf(row),
    retried_as: row.retried_as,
  };
}
