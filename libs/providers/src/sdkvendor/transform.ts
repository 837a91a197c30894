import { Decimal, type PaymentFailureCode } from '@fundrail/contracts';
import type { z } from 'zod';
import { notSent, tooMany, type WireAnswer } from '../http-caller.ts';
import { answerIn, notUnderstood, type Answer } from '../answer.ts';
import type {
  BrowserFacts,
  ProviderCapture,
  ProviderPayment,
  ProviderPaymentStatus,
  ProviderRefund,
  RefundStatus,
} from '../provider-payment.ts';
import { failureCodeOf, ORDER_ALREADY_PAID } from './failure-codes.ts';
import { failure, type Order, type Payment, type Refund } from './wire.ts';

/**
 * The meaning of Razorpay's answer (GATE-12): 2xx that fits the schema → yes; 400 with an error → its own refusal; no answer in
 * time, 409 (the same key is in use) and 5xx → no answer, requested again; 429 → too many requests; everything else, above all an
 * unknown word → not understood. The refusal's code is Razorpay's reason.
 */
export function answerOf<S extends z.ZodType>(answer: WireAnswer, schema: S): Answer<z.output<S>> {
  if (answer.kind === 'not_sent') return notSent(answer);
  if (answer.kind === 'silence') return { kind: 'unknown', why: 'no_answer', detail: answer.detail };
  const { status, body } = answer;
  if (status === 400) return refusalOf(body);
  if (status === 429) return tooMany(answer);
  if (status >= 500 || status === 409)
    return { kind: 'unknown', why: 'no_answer', detail: `status ${status}` };
  if (status >= 300) return notUnderstood(`status ${status}`);
  return answerIn(schema, body);
}

/** The answer to the start of an attempt, its refusal with our code. An order that is already paid is not a failure of the payment. */
export function started<T>(answer: Answer<T>): Answer<T, PaymentFailureCode> {
  if (answer.kind !== 'no') return answer;
  if (answer.failure_code === ORDER_ALREADY_PAID) return notUnderstood('the order has been paid already');
  return { ...answer, failure_code: failureCodeOf(answer.failure_code) };
}

/**
 * The answer to a creation. Only `BAD_REQUEST_ERROR` means that the request itself is refused: with `GATEWAY_ERROR` and
 * `SERVER_ERROR` (razorpay.com/docs/errors) the same request may succeed later, with any status.
 */
export function createdOf<S extends z.ZodType>(answer: WireAnswer, schema: S): Answer<z.output<S>> {
  const code = answer.kind === 'answered' ? failure.safeParse(answer.body).data?.error.code : undefined;
  const isTheirs = code === 'GATEWAY_ERROR' || code === 'SERVER_ERROR';
  return isTheirs ? { kind: 'unknown', why: 'no_answer', detail: code } : answerOf(answer, schema);
}

/** When Razorpay does not accept an order, the fault is between us and Razorpay, not with the investor. */
export function ordered<T>(answer: Answer<T>): Answer<T, PaymentFailureCode> {
  return answer.kind === 'no' ? { ...answer, failure_code: 'pg_server_error' } : answer;
}

/**
 * The status of one of our payments, by all attempts under its orders: the first received money, and any further money; else it
 * waits while an attempt may still succeed or none was made; else it failed, with the reason of the last attempt.
 */
export function statusOf(attempts: readonly Payment[]): ProviderPaymentStatus {
  const inOrder = [...attempts].sort((one, other) => one.created_at - other.created_at);
  const [first, ...others] = inOrder.filter(isPaid).map(captureOf);
  if (first) return { status: 'captured', ...first, ...(others.length > 0 ? { others } : {}) };
  const isOpen = inOrder.some(({ status }) => status === 'created' || status === 'authorized');
  const last = inOrder.at(-1);
  if (!last) return { status: 'waiting' };
  const newest = attemptStatus(last);
  if (!isOpen) return newest;
  return newest.status === 'failed'
    ? { status: 'waiting', newest_failed: newest.failure_code }
    : { status: 'waiting' };
}

/** The status of one attempt. Money that was only authorised is not received (CAP-5). */
export function attemptStatus(wire: Payment): ProviderPaymentStatus {
  switch (wire.status) {
    case 'created':
    case 'authorized':
      return { status: 'waiting' };
    case 'captured':
      return { status: 'captured', ...captureOf(wire) };
    case 'refunded':
      return isPaid(wire)
        ? { status: 'captured', ...captureOf(wire) }
        : { status: 'failed', failure_code: 'pg_payment_expired', message: 'The money went back by itself' };
    case 'failed':
      return {
        status: 'failed',
        failure_code: failureCodeOf(wire.error_reason),
        message: wire.error_description ?? 'The payment failed',
      };
    default:
      return wire.status satisfies never;
  }
}

function captureOf({ id: provider_reference, amount, currency, method }: Payment): ProviderCapture {
  const received = { provider_reference, amount: Decimal.ofPaise(amount), currency };
  return method == null ? received : { ...received, by_upi: method === 'upi' };
}

/** Whether we received an attempt's money, even if it was refunded later: Razorpay also reports `refunded` for money that it never captured. */
export function isPaid({ status, captured }: Payment): boolean {
  return status === 'captured' || (status === 'refunded' && captured !== false);
}

export function toRefundStatus(wire: Refund): RefundStatus {
  switch (wire.status) {
    case 'pending':
      return { status: 'waiting' };
    case 'processed':
      return { status: 'successful' };
    case 'failed':
      return { status: 'failed', failure_code: 'refund_failed' };
    default:
      return wire.status satisfies never;
  }
}

/** The attempt whose money a refund returns: the last one with enough money left, so that a second capture is refunded first. */
export function refundable(attempts: readonly Payment[], amount: Decimal): Payment | null {
  const captured = attempts.filter(isPaid).sort((one, other) => other.created_at - one.created_at);
  const left = (attempt: Payment) => attempt.amount - (attempt.amount_refunded ?? 0);
  return captured.find((attempt) => left(attempt) >= amount.toPaise()) ?? captured[0] ?? null;
}

/** The order of a reference: of several (from concurrent calls), always the oldest. */
export function oldest(orders: readonly Order[]): Order | null {
  const inOrder = [...orders].sort(
    (one, other) => one.created_at - other.created_at || (one.id < other.id ? -1 : 1),
  );
  return inOrder[0] ?? null;
}

// Razorpay captures automatically what is authorised within the days for which we poll a FAILED payment (PAY-30), and refunds
// what is authorised later. 7200 minutes are its maximum
// (razorpay.com/docs/payments/payments/capture-settings/api).
const AUTOMATIC_CAPTURE_MINUTES = 4_320;
const MANUAL_CAPTURE_MINUTES = 7_200;

/** The fields of an order. `receipt` is our reference and the only way to find it again. */
export interface OrderBody {
  readonly receipt: string;
  readonly amount: number;
}

/** The body of `POST /v1/orders`. With the payer's account, Razorpay accepts money from no other account: third-party validation. */
export function fromPayment(payment: ProviderPayment): OrderBody {
  const { reference, payment_id, tenant, amount, currency, payer } = payment;
  const capture_options = {
    automatic_expiry_period: AUTOMATIC_CAPTURE_MINUTES,
    manual_expiry_period: MANUAL_CAPTURE_MINUTES,
    refund_speed: 'normal',
  };
  const order = {
    ...{ amount: amount.toPaise(), currency, receipt: reference },
    notes: { reference, payment_id: String(payment_id), tenant },
    payment: { capture: 'automatic', capture_options },
    ...(payer && {
      bank_account: { account_number: payer.account_number, name: payer.name, ifsc: payer.ifsc_code },
    }),
  };
  return order;
}

/**
 * The common fields of every attempt under an order. Razorpay refuses one over UPI without `email`, `contact`, `ip`, `referer`
 * and `user_agent` (razorpay.com/docs/payments/payment-gateway/s2s-integration/payment-methods/upi/intent, and
 * `RazorpayPaymentUpiCreateRequestBody` of its official SDK).
 */
export function fromAttempt(payment: ProviderPayment, orderId: string, server: BrowserFacts): object {
  const { reference, amount, currency, contact, browser } = payment;
  const { ip, referer, user_agent } = browser ?? server;
  return {
    ...{ amount: amount.toPaise(), currency, order_id: orderId, notes: { reference } },
    ...{ ip, referer, user_agent },
    ...(contact.email && { email: contact.email }),
    ...(contact.mobile && { contact: contact.mobile }),
  };
}

export function fromRefund({ reference, amount }: ProviderRefund): object {
  return { amount: amount.toPaise(), speed: 'normal', receipt: reference };
}

function refusalOf(body: unknown): Answer<never> {
  const parsed = failure.safeParse(body);
  if (!parsed.success) return notUnderstood('status 400 without an error');
  const { code, reason, description } = parsed.data.error;
  return { kind: 'no', failure_code: reason ?? code, message: description };
}
