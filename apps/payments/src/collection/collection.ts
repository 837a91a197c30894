import type { PaymentFailureCode } from '@fundrail/contracts';
import type { ProviderPaymentStatus } from '@fundrail/providers';
import { paymentMachine, transition } from '@fundrail/state-machines';
import { captured } from '../payment/capture.ts';
import {
  contradicted,
  endPayment,
  failPayment,
  firstStatusCall,
  stepped,
  task,
  unchanged,
} from '../payment/payment.ts';
import type { Ending, Outcome, Payment } from '../payment/payment.ts';

/** How long a payment waits for the investor, in milliseconds (TIME-1 to TIME-4). */
export interface PaymentTimes {
  readonly fromCreationMs: number;
  readonly fromUriMs: number;
  readonly fromCollectMs: number;
  /** For a `token_url` that is not opened. */
  readonly tokenMs: number;
}

/** When a payment that waits for the investor expires. Throws for a debit, which does not expire. */
export function expiryOf({ id, expires_at }: Pick<Payment, 'id' | 'expires_at'>): Date {
  if (expires_at === null) throw new Error(`payment ${id} is a debit, which has no expiry`);
  return expires_at;
}

/** The URI is issued: the investor can pay until the earlier of both limits. */
export function issueUri(payment: Payment, uri: string, now: Date, times: PaymentTimes): Outcome {
  if (payment.status !== 'PENDING' || payment.upi_uri !== null) return unchanged(payment);
  const expires_at = new Date(Math.min(expiryOf(payment).getTime(), now.getTime() + times.fromUriMs));
  const step = transition(paymentMachine, payment, 'issue_uri', { upi_uri: uri, expires_at });
  return stepped(step, [task(payment, 'payment.expire', expires_at), firstStatusCall(payment, now)]);
}

/** The provider accepted the collect request: the investor can pay until the earlier of both limits. */
export function collectSent(payment: Payment, now: Date, times: PaymentTimes): Outcome {
  if (payment.status !== 'PENDING' || payment.collect_sent_at !== null) return unchanged(payment);
  const expires_at = new Date(Math.min(expiryOf(payment).getTime(), now.getTime() + times.fromCollectMs));
  const step = transition(paymentMachine, payment, 'send_collect', { collect_sent_at: now, expires_at });
  return stepped(step, [task(payment, 'payment.expire', expires_at), firstStatusCall(payment, now)]);
}

/** Whether its creation still needs the provider's answer, so that the client has not received a way to pay. */
export function isUnanswered(payment: Payment): boolean {
  if (payment.status !== 'PENDING') return false;
  if (payment.sdk_options_offered) return payment.checkout_order_id === null;
  const { payment_type, upi_type, upi_uri } = payment;
  return payment_type === 'AUTH_TRANSACTION' && upi_type === 'uri' && upi_uri === null;
}

/**
 * Whether the investor may try again after a failed attempt: on the hosted page, until the payment expires or is being ended. An
 * SDK's checkout ends with its attempt, and a UPI request has only one (decision 0012).
 */
export function mayTryAgain({ status, token_used_at, ending, expires_at }: Payment, now: Date): boolean {
  return (
    status === 'PENDING' &&
    token_used_at !== null &&
    ending === null &&
    expires_at !== null &&
    now < expires_at
  );
}

/**
 * The provider reports that the investor did not pay. A failed attempt on the hosted page does not end the payment. A report that
 * results from our own cancel call, or comes after the payment's time is over, ends it with our code: `pg_payment_expired` means
 * that the provider expired it (TIME-8).
 */
export function providerFailed(payment: Payment, code: PaymentFailureCode, now: Date): Outcome {
  if (payment.status === 'FAILED' || mayTryAgain(payment, now)) return unchanged(payment);
  if (payment.status !== 'PENDING' && payment.status !== 'SUBMITTED')
    return contradicted(payment, 'failed_after_success');
  const closed = { ...payment, provider_closed_at: now };
  const ours = payment.status === 'PENDING' ? ourEnding(payment, code, now) : null;
  return ours ? endPayment(closed, ours, now) : failPayment(closed, 'fail', code, now);
}

function ourEnding(payment: Payment, code: PaymentFailureCode, now: Date): Ending | null {
  // On the page only an attempt failed: the payment was still open, and ends with our own code.
  if (payment.token_used_at !== null) return payment.ending ?? 'expire';
  if (code !== 'user_cancelled' && code !== 'pg_payment_expired') return null;
  if (payment.ending) return payment.ending;
  return code === 'pg_payment_expired' && now >= expiryOf(payment) ? 'expire' : null;
}

/**
 * Applies a status that the provider reported for a payment, by callback, status call or the answer to another call. Idempotent.
 */
export function applyPaymentStatus(payment: Payment, reported: ProviderPaymentStatus, now: Date): Outcome {
  switch (reported.status) {
    case 'waiting':
      return unchanged(payment);
    case 'failed':
      return providerFailed(payment, reported.failure_code, now);
    case 'captured':
      return captured(payment, reported, now);
    default:
      return reported satisfies never;
  }
}
