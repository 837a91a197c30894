import { istTimestamp } from '@fundrail/contracts';
import type { AuthorisationFact, PaymentDto, PaymentFailureCode } from '@fundrail/contracts';
import { amended, paymentMachine, transition } from '@fundrail/state-machines';
import type { Changes, Decision, PaymentTrigger } from '@fundrail/state-machines';
import type { DueKind, DueTask } from './due-task.ts';
import { failedReason } from './failed-reasons.ts';
import type { Holder } from './payment-id.repository.ts';
import type { CaptureRow, PaymentRow, RefundRow, ShareRow } from './payment.entity.ts';

export type { DueTask } from './due-task.ts';

/** The aggregate: the row with what belongs to it. Shares are in `old_id` order, refunds and captures in theirs. */
export interface Payment extends PaymentRow {
  readonly orders: readonly ShareRow[];
  readonly refunds: readonly RefundRow[];
  readonly captures: readonly CaptureRow[];
}

/** `fact` is what the step's event carries when that is not the payment itself: what mandates is told of an authorisation. */
export type Step = Decision<Payment, PaymentTrigger | Amendment> & { readonly fact?: AuthorisationFact };
/** What changes a payment without moving it: the words of the history. */
export type Amendment =
  | 'request_uri'
  | 'open_checkout'
  | 'open_page'
  | 'begin_ending'
  | 'close_at_provider'
  | 'accept_transfer'
  | 'receive'
  | 'refund'
  | 'accept_refund'
  | 'return_by_registrar'
  | 'tell_mandate'
  | 'begin_notice'
  | 'record_notice'
  | 'withdraw_notice'
  | 'plan_debit'
  | 'stop_debit'
  | 'begin_attempt'
  | 'accept_attempt'
  | 'put_off_attempt'
  | 'end_attempt';

/** What a decision comes to: the steps in their order, and what is to be done later. */
export interface Outcome {
  readonly payment: Payment;
  readonly steps: readonly Step[];
  readonly due: readonly DueTask[];
  /** A fact that cannot be squared with what is known here; told in the log, never an overwrite (architecture §11). */
  readonly contradiction?: string;
}

export function unchanged(payment: Payment): Outcome {
  return { payment, steps: [], due: [] };
}

export function contradicted(payment: Payment, contradiction: string): Outcome {
  return { payment, steps: [], due: [], contradiction };
}

export function stepped(step: Step, due: readonly DueTask[] = []): Outcome {
  return { payment: step.row, steps: [step], due };
}

/** One outcome after another: the second decides over what the first left. */
export function andThen(first: Outcome, decide: (payment: Payment) => Outcome): Outcome {
  const second = decide(first.payment);
  const contradiction = second.contradiction ?? first.contradiction;
  return {
    payment: second.payment,
    steps: [...first.steps, ...second.steps],
    due: [...first.due, ...second.due],
    ...(contradiction === undefined ? {} : { contradiction }),
  };
}

export function task(payment: { readonly id: number }, kind: DueKind, due_at: Date): DueTask {
  return { kind, key: String(payment.id), due_at };
}

/** How long a payment waits for the investor, in milliseconds (contract §3 "Times"). */
export interface PaymentTimes {
  readonly fromCreationMs: number;
  readonly fromUriMs: number;
  readonly fromCollectMs: number;
  /** A `token_url` that nobody opens. */
  readonly tokenMs: number;
}

/** When a payment that waits for the investor ends by itself. Throws for a debit, which does not. */
export function expiryOf({ id, expires_at }: Pick<Payment, 'id' | 'expires_at'>): Date {
  if (expires_at === null) throw new Error(`payment ${id} is a debit, which has no expiry`);
  return expires_at;
}

/** The URI has come: the investor can pay until the earlier of both limits. */
export function issueUri(payment: Payment, uri: string, now: Date, times: PaymentTimes): Outcome {
  if (payment.status !== 'PENDING' || payment.upi_uri !== null) return unchanged(payment);
  const expires_at = new Date(Math.min(expiryOf(payment).getTime(), now.getTime() + times.fromUriMs));
  const step = transition(paymentMachine, payment, 'issue_uri', { upi_uri: uri, expires_at });
  return stepped(step, [task(payment, 'payment.expire', expires_at), firstQuestion(payment, now)]);
}

/** The provider has taken the collect request on: the investor answers it within its time. */
export function collectSent(payment: Payment, now: Date, times: PaymentTimes): Outcome {
  if (payment.status !== 'PENDING' || payment.collect_sent_at !== null) return unchanged(payment);
  const expires_at = new Date(Math.min(expiryOf(payment).getTime(), now.getTime() + times.fromCollectMs));
  const step = transition(paymentMachine, payment, 'send_collect', { collect_sent_at: now, expires_at });
  return stepped(step, [task(payment, 'payment.expire', expires_at), firstQuestion(payment, now)]);
}

/** Whether it is paid on the hosted page or through an SDK. Its creation is its point of no return (contract §10 "Payments"). */
export function isCheckout(payment: Payment): boolean {
  return payment.token_expires_at !== null;
}

/** Whether somebody may be paying it: the provider may know of it, and the investor of the provider's request or order. */
export function mayBePaid(payment: Payment): boolean {
  const { payment_type, uri_requested_at, checkout_order_id } = payment;
  return payment_type === 'AUTH_TRANSACTION' || uri_requested_at !== null || checkout_order_id !== null;
}

/**
 * How long a creation may take until its provider's answer is recorded: as long as a request that died holds its key
 * (contract §10 "Idempotency"), and several times what the calls in it may take before they count as silence.
 */
export const CREATION_LIMIT_MS = 60_000;

/** Whether its creation still needs the provider's answer: nobody has been told where to pay. */
export function isUnanswered(payment: Payment): boolean {
  if (payment.status !== 'PENDING') return false;
  if (payment.sdk_options_offered) return payment.checkout_order_id === null;
  const { payment_type, upi_type, upi_uri } = payment;
  return payment_type === 'AUTH_TRANSACTION' && upi_type === 'uri' && upi_uri === null;
}

// The first step of the schedule of contract §2; the due worker's back-off goes on from there.
const FIRST_QUESTION_MS = 5_000;

/** The first time that the provider is asked how a payment ended. */
export function firstQuestion(payment: Pick<Payment, 'id' | 'payment_type'>, now: Date): DueTask {
  const due_at = new Date(now.getTime() + FIRST_QUESTION_MS);
  const kind = payment.payment_type === 'NACH' ? 'debit.status' : 'payment.status';
  return { ...task(payment, kind, due_at), attempts: 1 };
}

/**
 * Ends a payment for which no money came. When the provider knows of it, it is asked about for days (contract §3 "Late
 * authorisation"). Throws `IllegalTransition` when the payment is past that.
 */
export function failPayment(
  payment: Payment,
  trigger: 'fail' | 'expire' | 'cancel',
  code: PaymentFailureCode,
  now: Date,
): Outcome {
  const changes = { failed_at: now, failure_code: code, failed_reason: failedReason(code) };
  const step = transition(paymentMachine, payment, trigger, changes);
  return stepped(step, mayBePaid(payment) ? [firstQuestion(payment, now)] : []);
}

/** How a payment ends when it is we who end it. */
export type Ending = NonNullable<PaymentRow['ending']>;
const ENDINGS = { expire: 'payment_expired', cancel: 'user_cancelled' } as const satisfies Record<
  Ending,
  PaymentFailureCode
>;

/** Ends a PENDING payment at our own wish, the provider having nothing for it or having closed it. */
export function endPayment(payment: Payment, ending: Ending, now: Date): Outcome {
  return failPayment(payment, ending, ENDINGS[ending], now);
}

/**
 * Whether the investor may begin anew when one attempt has failed: on the hosted page, until its time is over or somebody
 * ends it. An SDK's checkout ends with its attempt, and UPI asked for here has one only (decision 0012).
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
 * The provider says that the investor did not pay. One failed attempt of the hosted page is not the payment's end. Words that only echo our own wish to end the payment, or that come once
 * its time is over, end it as ours: `pg_payment_expired` is the provider's own doing (contract §10 "Payments").
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
  // What failed on the page was an attempt: the payment waited on, and ends as it is ended.
  if (payment.token_used_at !== null) return payment.ending ?? 'expire';
  if (code !== 'user_cancelled' && code !== 'pg_payment_expired') return null;
  if (payment.ending) return payment.ending;
  return code === 'pg_payment_expired' && now >= expiryOf(payment) ? 'expire' : null;
}

/** Writes down what no event tells: an intent before a call, or that the other side has taken it on. */
export function note(payment: Payment, word: Amendment, changes: Changes<Payment, 'status'>): Outcome {
  return stepped(amended(paymentMachine, payment, word, changes, []));
}

/** FAILED and REJECTED hold no order any more. */
export function isDead(status: PaymentRow['status']): boolean {
  return status === 'FAILED' || status === 'REJECTED';
}

/** Whether an id holds no order and never will again: no payment can come to be under it, or its payment is dead. */
export function holdsNothing({ kind, status }: Holder): boolean {
  return kind === 'void' || (status !== null && isDead(status));
}

/** The payment as GET answers it and as its events carry it (interface "Payment (returned by fetch)"). */
export function toPayment(payment: Payment): PaymentDto {
  // The interface's four refund fields tell the latest one that is ours to make.
  const latest = payment.refunds.filter((refund) => refund.returned_by === 'provider').at(-1);
  return {
    id: payment.id,
    payment_type: payment.payment_type,
    status: payment.status,
    amount: payment.amount,
    debit_date: payment.debit_date,
    amc_order_ids: payment.orders.map((share) => share.old_id),
    method: payment.method,
    failed_reason: payment.failed_reason,
    failure_code: payment.failure_code,
    created_at: istTimestamp(payment.created_at),
    submitted_at: stamp(payment.submitted_at),
    debit_confirmed_at: stamp(payment.debit_confirmed_at),
    failed_at: stamp(payment.failed_at),
    transfer_initiated_at: stamp(payment.transfer_initiated_at),
    settled_at: stamp(payment.settled_at),
    rejected_at: stamp(payment.rejected_at),
    from_bank_account_id: payment.from_bank_account_id,
    provider_name: payment.provider_name,
    late_auth: payment.late_auth,
    refund_reference: latest?.reference ?? null,
    refund_reason: latest?.reason ?? null,
    refund_status: latest?.status ?? null,
    refund_created_at: stamp(latest?.created_at ?? null),
    refunds: payment.refunds.map(toRefund),
    ...(payment.upi_type ? { upi: upiOf(payment, payment.upi_type) } : {}),
    mandate_id: payment.mandate_id,
    source_ref_id: payment.source_ref_id,
  };
}

/** The UPI object of an answer: a collect request has no URI (interface "UPI object"). */
export function upiOf(
  { upi_vpa, upi_uri }: Payment,
  type: 'uri' | 'collect',
): NonNullable<PaymentDto['upi']> {
  return { type, vpa: upi_vpa, uri: type === 'collect' ? '' : upi_uri };
}

function toRefund(refund: RefundRow): PaymentDto['refunds'][number] {
  const { reference, amount, reason, status, amc_order_ids } = refund;
  const shown = {
    reference,
    amount,
    reason,
    status,
    created_at: istTimestamp(refund.created_at),
    amc_order_ids,
  };
  return refund.returned_by === 'provider' ? shown : { ...shown, returned_by: 'registrar' };
}

function stamp(at: Date | null): string | null {
  return at ? istTimestamp(at) : null;
}
