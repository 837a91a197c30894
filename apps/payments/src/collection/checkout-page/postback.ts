import { failureCodeFor, type Compatibility } from '@fundrail/contracts';
import { hmac } from '@fundrail/service-kit/crypto';
import { failedReason } from '../../payment/failed-reasons.ts';
import type { PaymentRow } from '../../payment/payment.tables.ts';
import type { Payment } from '../../payment/payment.ts';
import type { CheckoutRow } from '../collection.tables.ts';
import { checkoutOf, type Collection } from '../collection.ts';

/** What the postback needs (PAGE-9). */
export type Postable = Pick<PaymentRow, 'id' | 'payment_type' | 'status' | 'amount' | 'failure_code'> &
  Pick<CheckoutRow, 'postback_url'> & {
    /** Whose words its client receives (COMP-6); null: ours. */
    readonly compatibility: Compatibility | null;
  };

/** The payment with the address that its browser returns to, and the compatibility of its tenant. */
export function postableOf(payment: Collection, compatibility: Compatibility | null): Payment & Postable {
  const checkout = checkoutOf(payment);
  if (!checkout) throw new Error(`payment ${payment.id} has no page`);
  return { ...payment, postback_url: checkout.postback_url, compatibility };
}

type PostbackStatus = 'success' | 'failure' | 'pending';

/** The fields of the form that the investor's browser posts to `payment_postback_url`. */
export interface Postback {
  readonly paymentId: string;
  readonly status: PostbackStatus;
  readonly failureCode: string;
  readonly failureReason: string;
  readonly signature: string;
}

const STATUSES = {
  PENDING: 'pending',
  SUBMITTED: 'pending',
  SUCCESS: 'success',
  INITIATED: 'success',
  APPROVED: 'success',
  FAILED: 'failure',
  REJECTED: 'failure',
} as const satisfies Record<PaymentRow['status'], PostbackStatus>;

export function postbackStatus({ status }: Pick<PaymentRow, 'status'>): PostbackStatus {
  return STATUSES[status];
}

/**
 * The postback with its signature: hex HMAC-SHA256 of `paymentId|status|failureCode|failureReason` under the tenant's
 * `postback_secret` (PAGE-11).
 */
export function postbackOf(payment: Postable, secret: string): Postback {
  const paymentId = String(payment.id);
  const status = postbackStatus(payment);
  const failureCode = failureCodeFor(payment.compatibility, payment.failure_code ?? '');
  const failureReason = payment.failure_code ? failedReason(payment.failure_code) : '';
  const signature = hmac(secret, [paymentId, status, failureCode, failureReason].join('|'));
  return { paymentId, status, failureCode, failureReason, signature };
}
