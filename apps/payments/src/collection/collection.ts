import type { PaymentFailureCode } from '@fundrail/contracts';
import { nextUpiQuestion } from '@fundrail/policies';
import type { ProviderPaymentStatus } from '@fundrail/providers';
import {
  apply,
  canApply,
  checkoutMachine,
  paymentMachine,
  transition,
  upiRequestMachine,
  type Machine,
} from '@fundrail/state-machines';
import type { PaymentTimes } from '../config.ts';
import { captured } from '../payment/capture.ts';
import { sweepOf } from '../payment/orders-of-payment.ts';
import {
  contradicted,
  endPayment,
  failPayment,
  joined,
  note,
  stepped,
  task,
  type DueTask,
  type Ending,
  type Outcome,
  type Payment,
  type Step,
} from '../payment/payment.ts';
import type { Authorisation, CheckoutRow, UpiRequest } from './collection.tables.ts';

/** A payment and how its money is asked for. Rows that were read without the payment's lock are read again under it before a change. */
export interface Collection extends Payment {
  /** Null for a debit, which mandates carries out. */
  readonly request: UpiRequest | CheckoutRow | null;
  /** Null for a payment that brings money. */
  readonly authorisation: Authorisation | null;
}

/** The result of a decision about a payment and its request. */
export interface CollectionOutcome extends Outcome {
  readonly payment: Collection;
}

/** A decision to create a payment, and how its money is asked for. */
export interface NewCollection extends Pick<Collection, 'request' | 'authorisation'> {
  readonly step: Step;
}

/** Decides about the locked rows. */
export type Decide = (payment: Collection, now: Date) => CollectionOutcome;

export function upiOf({ request }: Pick<Collection, 'request'>): UpiRequest | null {
  return request && !('session_hash' in request) ? request : null;
}

export function checkoutOf({ request }: Pick<Collection, 'request'>): CheckoutRow | null {
  return request && 'session_hash' in request ? request : null;
}

export function still(payment: Collection): CollectionOutcome {
  return { payment, steps: [], due: [] };
}

/**
 * The outcome for the payment with its request as given, and what follows from it. After a failure the provider is asked for days whether
 * money comes late, if it may know of the payment (PAY-30). Paid on the page or by SDK, the money may come before the orders are
 * confirmed, so they are swept (REF-11).
 */
export function decided({ request, authorisation }: Collection, outcome: Outcome): CollectionOutcome {
  const payment = { ...outcome.payment, request, authorisation };
  const follows = outcome.steps.flatMap(({ trigger, from, row }): DueTask[] => {
    if (row.status === 'FAILED' && from !== 'FAILED' && row.failed_at && mayBePaid(payment))
      return [
        firstStatusCall(row, row.failed_at, payment.request?.state === 'closed' ? upiStartOf(payment) : null),
      ];
    if (trigger === 'succeed' && row.orders.length > 0 && row.debit_confirmed_at && checkoutOf(payment))
      return [task(row, 'payment.sweep', sweepOf(row.debit_confirmed_at))];
    return [];
  });
  return { ...outcome, payment, due: [...outcome.due, ...(request ? follows : [])] };
}

/** Chains two decisions: the second decides about the rows as the first left them. */
export function chain(
  first: CollectionOutcome,
  decide: (after: Collection) => CollectionOutcome,
): CollectionOutcome {
  return joined(first, decide(first.payment));
}

/** Whether the investor may be paying: the provider may have received the payment, and the investor a request or an order. */
export function mayBePaid(payment: Collection): boolean {
  const isRequested = (upiOf(payment)?.state ?? 'waiting') !== 'waiting';
  const isOpen = (checkoutOf(payment)?.order_id ?? null) !== null;
  return payment.authorisation !== null || isRequested || isOpen || payment.captures.length > 0;
}

// The first step of the schedule of GATE-3; the due worker's back-off continues from there.
const FIRST_STATUS_CALL_MS = 5_000;

/** When the investor was asked to pay or to authorise by UPI, and after how many seconds the provider is asked first; the policy's when left out. */
export interface UpiStart {
  readonly start: Date;
  readonly firstSeconds?: number | undefined;
}

/** The start of a payment by URI or collect request; null for one on the page or by SDK. */
export function upiStartOf(payment: Collection): UpiStart | null {
  const upi = upiOf(payment);
  // Without an answer to the request, it is known only that it went out after the creation.
  return upi && { start: upi.sent_at ?? payment.created_at };
}

/** The first status call to the provider: by the policy `upi_status_enquiry` after a start by UPI. */
export function firstStatusCall(
  payment: Pick<Payment, 'id'>,
  now: Date,
  byUpi: UpiStart | null = null,
): DueTask {
  const question = byUpi && nextUpiQuestion({ ...byUpi, asked: 0 }, now);
  if (question) return { ...task(payment, 'payment.status', question.at), attempts: question.position };
  const due_at = new Date(now.getTime() + FIRST_STATUS_CALL_MS);
  return { ...task(payment, 'payment.status', due_at), attempts: 1 };
}

/** When a payment that waits for the investor expires. Throws for a debit, which does not expire. */
export function expiryOf({ id, request }: Collection): Date {
  if (request === null) throw new Error(`payment ${id} is a debit, which has no expiry`);
  return request.expires_at;
}

/** The URI is issued: the investor can pay until the earlier of both limits. */
export function issueUri(
  payment: Collection,
  uri: string,
  now: Date,
  times: PaymentTimes,
): CollectionOutcome {
  const { upi, status } = payment;
  if (status !== 'PENDING' || upi?.uri !== null) return still(payment);
  return sent(payment, transition(paymentMachine, payment, 'issue_uri', { upi: { ...upi, uri } }), {
    withinMs: times.fromUriMs,
    firstSeconds: times.firstStatusSeconds,
    now,
  });
}

/** The provider accepted the collect request: the investor can pay until the earlier of both limits. */
export function collectSent(payment: Collection, now: Date, times: PaymentTimes): CollectionOutcome {
  if (payment.status !== 'PENDING' || upiOf(payment)?.sent_at !== null) return still(payment);
  const step = transition(paymentMachine, payment, 'send_collect', {});
  return sent(payment, step, {
    withinMs: times.fromCollectMs,
    firstSeconds: times.firstStatusSeconds,
    now,
  });
}

interface Sent {
  readonly withinMs: number;
  readonly firstSeconds: number | undefined;
  readonly now: Date;
}

function sent(payment: Collection, step: Step, { withinMs, firstSeconds, now }: Sent): CollectionOutcome {
  const upi = upiOf(payment);
  if (!upi) throw new Error(`payment ${payment.id} has no UPI request`);
  const expires_at = new Date(Math.min(upi.expires_at.getTime(), now.getTime() + withinMs));
  // While it is being ended, it stays so.
  const state = next(upiRequestMachine, upi.state, 'send');
  const ask = firstStatusCall(payment, now, { start: now, firstSeconds });
  const due = [task(payment, 'payment.expire', expires_at), ask];
  return decided({ ...payment, request: { ...upi, state, expires_at, sent_at: now } }, stepped(step, due));
}

/** Whether its creation still needs the provider's answer, so that the client has not received a way to pay. */
export function isUnanswered(payment: Collection): boolean {
  const { status, authorisation, upi } = payment;
  if (status !== 'PENDING') return false;
  const checkout = checkoutOf(payment);
  if (checkout?.sdk_offered) return checkout.order_id === null;
  return authorisation !== null && upi?.type === 'uri' && upi.uri === null;
}

/**
 * Whether the investor may try again after a failed attempt: on the hosted page, until the payment expires or is being ended. An
 * SDK's checkout ends with its attempt, and a UPI request has only one (decision 0012).
 */
export function mayTryAgain(payment: Collection, now: Date): boolean {
  const checkout = checkoutOf(payment);
  return payment.status === 'PENDING' && checkout?.state === 'opened' && now < checkout.expires_at;
}

/**
 * The provider reports that the investor did not pay. A failed attempt on the hosted page does not end the payment. A report that
 * results from our own cancel call, or comes after the payment's time is over, ends it with our code: `pg_payment_expired` means
 * that the provider expired it (TIME-8).
 */
export function providerFailed(payment: Collection, code: PaymentFailureCode, now: Date): CollectionOutcome {
  if (payment.status === 'FAILED' || mayTryAgain(payment, now)) return still(payment);
  if (payment.status !== 'PENDING' && payment.status !== 'SUBMITTED')
    return decided(payment, contradicted(payment, 'failed_after_success'));
  const ours = payment.status === 'PENDING' ? ourEnding(payment, code, now) : null;
  const ended = ours ? endPayment(payment, ours, now) : failPayment(payment, 'fail', code, now);
  return decided(moved(payment, 'close'), ended);
}

function ourEnding(payment: Collection, code: PaymentFailureCode, now: Date): Ending | null {
  const ending = payment.request?.ending ?? null;
  // On the page only an attempt failed: the payment was still open, and ends with our own code.
  if ((checkoutOf(payment)?.opened_at ?? null) !== null) return ending ?? 'expire';
  if (code !== 'user_cancelled' && code !== 'pg_payment_expired') return null;
  if (ending) return ending;
  return code === 'pg_payment_expired' && now >= expiryOf(payment) ? 'expire' : null;
}

/** The payment with its request ended or closed. One that has gone further stays as it is. */
function moved(payment: Collection, trigger: 'end' | 'close'): Collection {
  const [upi, checkout] = [upiOf(payment), checkoutOf(payment)];
  if (upi) return { ...payment, request: { ...upi, state: next(upiRequestMachine, upi.state, trigger) } };
  return checkout
    ? { ...payment, request: { ...checkout, state: next(checkoutMachine, checkout.state, trigger) } }
    : payment;
}

/** The state after the trigger, or the same where it is not allowed. */
export function next<S extends string, T extends string>(
  machine: Machine<S, T>,
  state: S,
  trigger: NoInfer<T>,
): S {
  return canApply(machine, state, trigger) ? apply(machine, state, trigger) : state;
}

/** The provider confirmed that it takes no more money. */
export function closeAtProvider(payment: Collection): CollectionOutcome {
  if (payment.request?.state === 'closed') return still(payment);
  return decided(moved(payment, 'close'), note(payment, 'close_at_provider'));
}

/** Records the intent to end it; ends it immediately when the provider does not know of the payment yet. */
export function beginEnding(payment: Collection, ending: Ending, now: Date): CollectionOutcome {
  if (payment.status !== 'PENDING') return still(payment);
  if (!mayBePaid(payment)) return decided(payment, endPayment(payment, ending, now));
  const { request } = moved(payment, 'end');
  if (!request || request.ending === ending) return still(payment);
  return decided({ ...payment, request: { ...request, ending } }, note(payment, 'begin_ending'));
}

/** Applies a status that the provider reported for a payment, by callback, status call or the answer to another call. Idempotent. */
export function applyPaymentStatus(
  payment: Collection,
  reported: ProviderPaymentStatus,
  now: Date,
): CollectionOutcome {
  switch (reported.status) {
    case 'waiting':
      return still(payment);
    case 'failed':
      return providerFailed(payment, reported.failure_code, now);
    case 'captured':
      return decided(payment, captured(payment, reported, now));
    default:
      return reported satisfies never;
  }
}
