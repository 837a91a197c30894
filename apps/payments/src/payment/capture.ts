import type { PaymentFailureCode } from '@fundrail/contracts';
import type { ProviderPaymentStatus } from '@fundrail/providers';
import { amended, paymentMachine, transition } from '@fundrail/state-machines';
import type { CaptureRow, RefundReason } from './payment.tables.ts';
import { andThen, contradicted, stepped, task, unchanged } from './payment.ts';
import type { Outcome, Payment } from './payment.ts';
import { refundTasks, startRefund } from './refund.ts';

type Captured = Extract<ProviderPaymentStatus, { status: 'captured' }>;
type Received = Pick<Payment, 'captures' | 'received_amount'>;

/** Money came in. Applies each capture by itself, the first one first: the others are duplicates. Idempotent. */
export function captured(payment: Payment, { others = [], ...first }: Captured, now: Date): Outcome {
  const all: Captured[] = [first, ...others.map((other) => ({ status: 'captured' as const, ...other }))];
  return all.reduce<Outcome>(
    (outcome, next) => andThen(outcome, (row) => capture(row, next, now)),
    unchanged(payment),
  );
}

/** Money came in. Only the first capture pays, and only with the exact amount in INR (CAP-1). */
function capture(payment: Payment, captured: Captured, now: Date): Outcome {
  if (payment.captures.some((row) => row.provider_reference === captured.provider_reference))
    return unchanged(payment);
  if (!captured.amount.isPositive()) return contradicted(payment, 'captured_nothing');
  if (payment.captures.length > 0) return giveBack(payment, captured, 'duplicate_payment', now);
  if (payment.status === 'FAILED') return giveBack(payment, captured, 'late_authorization', now);
  const fault = faultOf(payment, captured);
  return fault ? refuse(payment, captured, fault, now) : succeed(payment, captured, now);
}

/** Another amount or currency, or another payer than the investor: third-party validation (CAP-2, CAP-3). */
function faultOf(payment: Payment, captured: Captured) {
  if (captured.third_party) return { code: 'tpv_failed', reason: 'tpv_failed' } as const;
  const exact = captured.currency === 'INR' && captured.amount.equals(payment.amount);
  return exact ? null : ({ code: 'payment_failed', reason: 'amount_mismatch' } as const);
}

function receive(payment: Payment, captured: Captured, now: Date): Received {
  const row: CaptureRow = {
    provider_name: payment.provider_name,
    provider_reference: captured.provider_reference,
    tenant: payment.tenant,
    payment_id: payment.id,
    amount: captured.amount,
    currency: captured.currency,
    captured_at: now,
    by_upi: captured.by_upi ?? null,
  };
  return {
    captures: [...payment.captures, row],
    received_amount: payment.received_amount.plus(captured.amount),
  };
}

function succeed(payment: Payment, captured: Captured, now: Date): Outcome {
  const received = receive(payment, captured, now);
  const step = transition(paymentMachine, payment, 'succeed', { ...received, debit_confirmed_at: now });
  return stepped(step, [task(payment, 'payment.transfer', now)]);
}

/** A second capture, or one after the payment FAILED: the state stays and the money goes back. */
function giveBack(payment: Payment, captured: Captured, reason: RefundReason, now: Date): Outcome {
  const received = receive(payment, captured, now);
  const late_auth = payment.late_auth || reason === 'late_authorization';
  const refund = refundOf(payment, captured, reason, now);
  const step = amended(paymentMachine, payment, 'receive', {
    changes: { ...received, ...refund, late_auth },
    events: ['payment.updated'],
  });
  return stepped(step, refundTasks(payment, refund, now));
}

/** Money that does not count as the payment fails the payment and goes back. */
function refuse(
  payment: Payment,
  captured: Captured,
  { code, reason }: { readonly code: PaymentFailureCode; readonly reason: RefundReason },
  now: Date,
): Outcome {
  const received = receive(payment, captured, now);
  const refund = refundOf(payment, captured, reason, now);
  const failed = { failed_at: now, failure_code: code };
  const step = transition(paymentMachine, payment, 'fail', { ...received, ...refund, ...failed });
  return stepped(step, refundTasks(payment, refund, now));
}

// The refund of a duplicate covers no order: the first capture still pays the orders.
function refundOf(payment: Payment, captured: Captured, reason: RefundReason, now: Date) {
  const orders = reason === 'duplicate_payment' ? [] : payment.orders.map((share) => share.old_id);
  return startRefund(payment, { amount: captured.amount, reason, orders }, now);
}
