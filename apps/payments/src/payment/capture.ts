import type { PaymentFailureCode } from '@fundrail/contracts';
import type { ProviderPaymentStatus } from '@fundrail/providers';
import { amended, paymentMachine, transition } from '@fundrail/state-machines';
import { failedReason } from './failed-reasons.ts';
import type { CaptureRow, RefundReason } from './payment.entity.ts';
import {
  andThen,
  contradicted,
  firstQuestion,
  isCheckout,
  providerFailed,
  stepped,
  task,
  unchanged,
} from './payment.ts';
import type { Outcome, Payment } from './payment.ts';
import { refundTasks, startRefund } from './refund.ts';
import { sweepOf } from './sweep.ts';

type Captured = Extract<ProviderPaymentStatus, { status: 'captured' }>;
type Received = Pick<Payment, 'captures' | 'received_amount'>;

/**
 * Applies what the provider says of a payment, whoever brought it: callback, status answer or our own call's answer. Said
 * twice, it changes nothing the second time.
 */
export function providerSaid(payment: Payment, said: ProviderPaymentStatus, now: Date): Outcome {
  switch (said.status) {
    case 'waiting':
      return unchanged(payment);
    case 'failed':
      return providerFailed(payment, said.failure_code, now);
    case 'captured':
      return captures(payment, said, now);
    default:
      return said satisfies never;
  }
}

/** All that came in, each by itself and the first one first: of several, the others are duplicates. */
function captures(payment: Payment, { others = [], ...first }: Captured, now: Date): Outcome {
  const all: Captured[] = [first, ...others.map((other) => ({ status: 'captured' as const, ...other }))];
  return all.reduce<Outcome>(
    (outcome, said) => andThen(outcome, (row) => capture(row, said, now)),
    unchanged(payment),
  );
}

/** Money came in. What counts as paid is the first capture, of the exact amount in INR (contract §3 "What counts as paid"). */
function capture(payment: Payment, said: Captured, now: Date): Outcome {
  if (payment.captures.some((row) => row.provider_reference === said.provider_reference))
    return unchanged(payment);
  if (!said.amount.isPositive()) return contradicted(payment, 'captured_nothing');
  const received = receive(payment, said, now);
  if (payment.captures.length > 0) return giveBack(payment, received, said, 'duplicate_payment', now);
  if (payment.status === 'FAILED') return giveBack(payment, received, said, 'late_authorization', now);
  const fault = faultOf(payment, said);
  return fault ? refuse(payment, received, said, fault, now) : succeed(payment, received, now);
}

/** Another amount or currency, or another payer than the investor: third-party validation (contract §3). */
function faultOf(payment: Payment, said: Captured) {
  if (said.third_party) return { code: 'tpv_failed', reason: 'tpv_failed' } as const;
  const exact = said.currency === 'INR' && said.amount.equals(payment.amount);
  return exact ? null : ({ code: 'payment_failed', reason: 'amount_mismatch' } as const);
}

function receive(payment: Payment, said: Captured, now: Date): Received {
  const row: CaptureRow = {
    provider_name: payment.provider_name,
    provider_reference: said.provider_reference,
    tenant: payment.tenant,
    payment_id: payment.id,
    amount: said.amount,
    currency: said.currency,
    captured_at: now,
  };
  return { captures: [...payment.captures, row], received_amount: payment.received_amount.plus(said.amount) };
}

function succeed(payment: Payment, received: Received, now: Date): Outcome {
  const step = transition(paymentMachine, payment, 'succeed', { ...received, debit_confirmed_at: now });
  // By page and SDK the money may come before its orders are confirmed.
  const sweep = isCheckout(payment) ? [task(payment, 'payment.sweep', sweepOf(now))] : [];
  return stepped(step, [task(payment, 'payment.transfer', now), ...sweep]);
}

/** A second capture, or one after we gave up: the state stays, the money goes back. */
function giveBack(
  payment: Payment,
  received: Received,
  said: Captured,
  reason: RefundReason,
  now: Date,
): Outcome {
  const late_auth = payment.late_auth || reason === 'late_authorization';
  const refund = refundOf(payment, said, reason, now);
  const step = amended(paymentMachine, payment, 'receive', { ...received, ...refund, late_auth }, [
    'payment.updated',
  ]);
  return stepped(step, refundTasks(payment, refund, now));
}

/** Money that counts as no payment fails it, and what came goes back. */
function refuse(
  payment: Payment,
  received: Received,
  said: Captured,
  { code, reason }: { readonly code: PaymentFailureCode; readonly reason: RefundReason },
  now: Date,
): Outcome {
  const refund = refundOf(payment, said, reason, now);
  const failed = { failed_at: now, failure_code: code, failed_reason: failedReason(code) };
  const step = transition(paymentMachine, payment, 'fail', { ...received, ...refund, ...failed });
  return stepped(step, [...refundTasks(payment, refund, now), firstQuestion(payment, now)]);
}

// A duplicate covers no order: the first capture's money is still the orders'.
function refundOf(payment: Payment, said: Captured, reason: RefundReason, now: Date) {
  const orders = reason === 'duplicate_payment' ? [] : payment.orders.map((share) => share.old_id);
  return startRefund(payment, { amount: said.amount, reason, orders }, now);
}
