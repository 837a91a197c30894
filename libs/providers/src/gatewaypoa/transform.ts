import { Decimal, PAYMENT_FAILURE_CODES, type PaymentFailureCode } from '@fundrail/contracts';
import type { z } from 'zod';
import { answerIn, notUnderstood, type Answer } from '../answer.ts';
import type { GatewayOrder, GatewayOrderStatus, RegistrarResult } from '../gateway-order.ts';
import type { Transfer } from '../ports.ts';
import type {
  ProviderPayment,
  ProviderCapture,
  ProviderPaymentStatus,
  ProviderRefund,
  RefundStatus,
  TransferStatus,
} from '../provider-payment.ts';
import { notSent, tooMany, type WireAnswer } from '../http-caller.ts';
import { refusal } from './wire.ts';
import type {
  OrderObject,
  OrderRequestWire,
  PaymentObject,
  PaymentRequest,
  RefundObject,
  RefundRequest,
  TransferObject,
  TransferRequest,
} from './wire.ts';

/**
 * The meaning of gatewaypoa's answer (GATE-12): 2xx that fits the schema → yes; 404 → not found; 422 with a code → its own
 * refusal; 429 → too many requests; everything else (a 5xx, a proxy's page, an unknown word) → unknown, and requested again.
 */
export function answerOf<S extends z.ZodType>(answer: WireAnswer, schema: S): Answer<z.output<S>> {
  if (answer.kind === 'not_sent') return notSent(answer);
  if (answer.kind === 'silence') return { kind: 'unknown', why: 'no_answer', detail: answer.detail };
  if (answer.status === 404) return { kind: 'not_found' };
  if (answer.status === 422) return refusalOf(answer.body);
  if (answer.status === 429) return tooMany(answer);
  if (answer.status >= 500) return { kind: 'unknown', why: 'no_answer', detail: `status ${answer.status}` };
  if (answer.status >= 300) return notUnderstood(`status ${answer.status}`);
  return answerIn(schema, answer.body);
}

/** The same for an answer about one object, with its names. An answer with other names is about another object, and not understood. */
export function answerAbout<S extends z.ZodType<object>>(
  names: Readonly<Record<string, string>>,
  wire: WireAnswer,
  schema: S,
): Answer<z.output<S>> {
  const answer = answerOf(wire, schema);
  if (answer.kind !== 'yes') return answer;
  const other = Object.keys(names).find((name) => Reflect.get(answer.value, name) !== names[name]);
  return other === undefined ? answer : notUnderstood(`${other}: is another object's`);
}

/** The same answer with the provider's refusal code translated to ours. */
export function withPaymentFailureCode<T>(answer: Answer<T>): Answer<T, PaymentFailureCode> {
  return answer.kind === 'no'
    ? { ...answer, failure_code: toPaymentFailureCode(answer.failure_code) }
    : answer;
}

function refusalOf(body: unknown): Answer<never> {
  const parsed = refusal.safeParse(body);
  if (!parsed.success) return notUnderstood('status 422 without a code');
  return { kind: 'no', failure_code: parsed.data.code, message: parsed.data.message };
}

/** An unknown code is still a certain failure; its code is then `payment_failed`. */
export function toPaymentFailureCode(code: string | null): PaymentFailureCode {
  return PAYMENT_FAILURE_CODES.find((known) => known === code) ?? 'payment_failed';
}

export function toOrderStatus(wire: OrderObject): GatewayOrderStatus {
  const review = toReview(wire.review);
  const { scheme_category, payout } = wire;
  return {
    review: review.result === 'passed' && scheme_category ? { ...review, scheme_category } : review,
    submission: toSubmission(wire.submission),
    outcome: toOutcome(wire.outcome),
    ...(payout && { payout: { paid_at: new Date(payout.paid_at), reference: payout.utr } }),
  };
}

/** The gateway's review of an order or a plan. */
export function toReview(wire: OrderObject['review']): GatewayOrderStatus['review'] {
  switch (wire.status) {
    case 'in_review':
      return { result: 'waiting' };
    case 'passed':
      return { result: 'passed' };
    case 'rejected':
      return { result: 'failed', failure_code: wire.failure_code ?? 'review_rejected' };
    default:
      return wire satisfies never;
  }
}

function toSubmission(wire: OrderObject['submission']): GatewayOrderStatus['submission'] {
  switch (wire.status) {
    case 'none':
      return { result: 'none' };
    case 'accepted':
      return { result: 'accepted', order_reference: wire.order_reference };
    case 'refused':
      return { result: 'refused', failure_code: wire.failure_code ?? 'submission_refused' };
    default:
      return wire satisfies never;
  }
}

function toOutcome(wire: OrderObject['outcome']): GatewayOrderStatus['outcome'] {
  switch (wire.status) {
    case 'processing':
      return { result: 'waiting' };
    case 'processed':
      return { result: 'successful', details: toRegistrarResult(wire) };
    case 'rejected':
      return { result: 'failed', failure_code: wire.failure_code ?? 'registrar_rejected' };
    case 'reversed':
      return { result: 'reversed', failure_code: wire.failure_code };
    default:
      return wire satisfies never;
  }
}

function toRegistrarResult(wire: Extract<OrderObject['outcome'], { status: 'processed' }>): RegistrarResult {
  return {
    traded_on: wire.traded_on,
    units: wire.units,
    amount: Decimal.ofPaise(wire.amount_paise),
    price: wire.nav,
    folio_number: wire.folio_number,
    ...(wire.is_overseas !== undefined && { is_overseas: wire.is_overseas }),
  };
}

export function toPaymentStatus(wire: PaymentObject): ProviderPaymentStatus {
  switch (wire.status) {
    case 'awaiting_payer':
      return { status: 'waiting' };
    case 'captured':
      return {
        status: 'captured',
        ...toCapture(wire),
        ...(wire.others ? { others: wire.others.map(toCapture) } : {}),
        ...(wire.third_party ? { third_party: true } : {}),
      };
    case 'declined':
      return { status: 'failed', ...toFailure(wire, 'The payment was declined') };
    case 'expired':
      return {
        status: 'failed',
        failure_code: 'pg_payment_expired',
        message: 'The payment request expired at the provider',
      };
    case 'cancelled':
      return {
        status: 'failed',
        failure_code: 'user_cancelled',
        message: 'The payment request was cancelled',
      };
    default:
      return wire satisfies never;
  }
}

export function toCapture(wire: {
  readonly provider_reference: string;
  readonly amount_paise: number;
  readonly currency: string;
}): ProviderCapture {
  const { provider_reference, amount_paise, currency } = wire;
  return { provider_reference, amount: Decimal.ofPaise(amount_paise), currency };
}

/** Why something failed; `otherwise` when gatewaypoa gives no message. */
export function toFailure(
  wire: { readonly failure_code: string | null; readonly failure_message: string | null },
  otherwise: string,
): { readonly failure_code: PaymentFailureCode; readonly message: string } {
  return {
    failure_code: toPaymentFailureCode(wire.failure_code),
    message: wire.failure_message ?? otherwise,
  };
}

export function toTransferStatus(wire: TransferObject): TransferStatus {
  switch (wire.status) {
    case 'processing':
      return { status: 'waiting' };
    case 'settled':
      return { status: 'settled' };
    case 'rejected':
      return { status: 'rejected', failure_code: wire.failure_code ?? 'transfer_rejected' };
    default:
      return wire satisfies never;
  }
}

export function toRefundStatus(wire: RefundObject): RefundStatus {
  switch (wire.status) {
    case 'processing':
      return { status: 'waiting' };
    case 'processed':
      return { status: 'successful' };
    case 'failed':
      return { status: 'failed', failure_code: wire.failure_code ?? 'refund_failed' };
    default:
      return wire satisfies never;
  }
}

/** An accepted order has a reference; a refused one is a no; anything else is not an answer to a submission. */
export function submissionOf(answer: Answer<OrderObject>): Answer<{ readonly order_reference: string }> {
  if (answer.kind !== 'yes') return answer;
  const submission = toSubmission(answer.value.submission);
  switch (submission.result) {
    case 'accepted':
      return { kind: 'yes', value: { order_reference: submission.order_reference } };
    case 'refused':
      return { kind: 'no', failure_code: submission.failure_code, message: 'The gateway refused the order' };
    case 'none':
      return notUnderstood('the submission was answered without a result');
    default:
      return submission satisfies never;
  }
}

/** The URI, while the payer can still use it; a payment that has already ended is a no. */
export function uriOf(
  answer: Answer<PaymentObject, PaymentFailureCode>,
): Answer<{ readonly uri: string }, PaymentFailureCode> {
  if (answer.kind !== 'yes') return answer;
  const payment = toPaymentStatus(answer.value);
  if (payment.status === 'failed')
    return { kind: 'no', failure_code: payment.failure_code, message: payment.message };
  const uri = answer.value.upi_uri;
  return uri === null ? notUnderstood('the payment has no URI') : { kind: 'yes', value: { uri } };
}

/** The request has reached the payer, or the payer has already answered; a payment that ended without money is a no. */
export function collectOf(
  answer: Answer<PaymentObject, PaymentFailureCode>,
): Answer<null, PaymentFailureCode> {
  if (answer.kind !== 'yes') return answer;
  const payment = toPaymentStatus(answer.value);
  if (payment.status === 'failed')
    return { kind: 'no', failure_code: payment.failure_code, message: payment.message };
  return { kind: 'yes', value: null };
}

/** A cancellation succeeds only when the payment has certainly ended; one that still waits is not an answer. */
export function voidOf(answer: Answer<PaymentObject>): Answer<null> {
  if (answer.kind !== 'yes') return answer;
  const { status } = toPaymentStatus(answer.value);
  if (status === 'captured')
    return { kind: 'no', failure_code: 'already_paid', message: 'The payment has been paid' };
  return status === 'failed'
    ? { kind: 'yes', value: null }
    : notUnderstood('the cancelled payment still waits');
}

export function fromOrder(order: GatewayOrder): OrderRequestWire {
  const { amount, units, ...rest } = order;
  return { ...rest, amount_paise: amount?.toPaise() ?? null, units: units?.toString() ?? null };
}

export function fromPayment(payment: ProviderPayment): PaymentRequest {
  const { reference, payment_id, tenant, amount, currency, payee_name, payer, expires_at } = payment;
  const registered = { reference, payment_id, tenant, currency, payee_name, payer };
  return { ...registered, amount_paise: amount.toPaise(), expires_at: expires_at.toISOString() };
}

export function fromTransfer(transfer: Transfer): TransferRequest {
  const shares = transfer.shares.map(({ amount, ...share }) => ({
    ...share,
    amount_paise: amount.toPaise(),
  }));
  return { reference: transfer.reference, payment_reference: transfer.payment_reference, shares };
}

export function fromRefund({ amount, ...refund }: ProviderRefund): RefundRequest {
  return { ...refund, amount_paise: amount.toPaise() };
}
