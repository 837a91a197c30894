import { Decimal, newId, type CreateMfPurchase } from '@fundrail/contracts';
import { createPurchase } from '../mf-purchase/mf-purchase.ts';
import type { Order } from '../order/order.ts';

/** Monday, 21 December 2026, 10:00 IST. */
export const MONDAY = new Date('2026-12-21T10:00:00.000+05:30');
export const ACCOUNT = `mfia_${'1'.repeat(32)}`;
export const INVESTOR = `invp_${'1'.repeat(32)}`;
export const CONTACTS = { email: 'asha@example.com', isd_code: '91', mobile: '9876543210' };

/** The body of a creation with valid defaults. */
export function aRequest(changes: Partial<CreateMfPurchase> = {}): CreateMfPurchase {
  return {
    mf_investment_account: ACCOUNT,
    scheme: 'INF173K01FE6',
    amount: Decimal.parse('5000'),
    ...changes,
  };
}

/** A purchase under review, with `changes` applied. */
export function aPurchase(changes: Partial<Order> = {}): Order {
  const origin = {
    id: newId('purchase'),
    old_id: 1001,
    tenant: 'demo',
    investor_profile: INVESTOR,
    now: MONDAY,
  };
  return { ...createPurchase(aRequest(), origin).row, ...changes };
}

/** A purchase that waits for its confirmation, without consent and payment unless `changes` add them. */
export function aPendingPurchase(changes: Partial<Order> = {}): Order {
  return aPurchase({ state: 'pending', event_seq: 2, review_completed_at: MONDAY, ...changes });
}

/** A purchase with a passed review and a consent, which can be paid for. */
export function aPayablePurchase(changes: Partial<Order> = {}): Order {
  return aPendingPurchase({ consent: CONTACTS, event_seq: 3, ...changes });
}

/** A purchase that is held by payment 7 and confirmed. */
export function aConfirmedPurchase(changes: Partial<Order> = {}): Order {
  const claim = { payment_id: 7, claimed_by: 7, claimed_at: MONDAY };
  return aPayablePurchase({ ...claim, state: 'confirmed', event_seq: 4, confirmed_at: MONDAY, ...changes });
}

/** A purchase that the gateway has accepted as `REF1`. */
export function aSubmittedPurchase(changes: Partial<Order> = {}): Order {
  const submission = { state: 'submitted', order_reference: 'REF1', submitted_at: MONDAY } as const;
  return aConfirmedPurchase({ ...submission, event_seq: 5, ...changes });
}
