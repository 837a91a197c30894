import { istDate } from '@fundrail/contracts';
import type { MandateFacts, PaymentFailureCode } from '@fundrail/contracts';
import type { ProviderPaymentStatus } from '@fundrail/providers';
import { amended, paymentMachine, transition } from '@fundrail/state-machines';
import { providerSaid } from '../payment/capture.ts';
import { endedShares } from '../payment/orders-of-payment.ts';
import type { OrderStates } from '../payment/orders-of-payment.ts';
import {
  andThen,
  contradicted,
  failPayment,
  firstQuestion,
  note,
  stepped,
  unchanged,
} from '../payment/payment.ts';
import type { Amendment, DueTask, Outcome, Payment } from '../payment/payment.ts';
import { retryAt } from './debit-policy.ts';
import type { DebitMandateType, DebitRules } from './debit-policy.ts';

/** A row of `debits`: how a NACH payment takes its money. The mandate is as it was when the debit was admitted. */
export interface DebitRow {
  readonly payment_id: number;
  readonly tenant: string;
  readonly mandate_id: number;
  readonly mandate_type: DebitMandateType;
  readonly mandate_token: string;
  readonly provider_id: string | null;
  readonly umrn: string | null;
  /** When the next attempt is planned. Until `planned_at` it is only expected. */
  readonly execute_at: Date;
  readonly planned_at: Date | null;
  /** The intent of the notice: from here on it may be out. */
  readonly notice_begun_at: Date | null;
  /** The provider said that the notice is out; its answer is kept as proof. */
  readonly notified_at: Date | null;
  readonly notice_reference: string | null;
  readonly notice_proof: string | null;
  readonly notice_withdrawn_at: Date | null;
}

/** One attempt: the intent before the call, the outcome after it. Open until it is known whether money came. */
export interface AttemptRow {
  readonly payment_id: number;
  /** Counts from 1. */
  readonly number: number;
  readonly tenant: string;
  readonly reference: string;
  readonly started_at: Date;
  /** The provider has taken it on, and the result comes. */
  readonly accepted_at: Date | null;
  readonly ended_at: Date | null;
  /** Null while it is open, and when the money came. */
  readonly failure_code: PaymentFailureCode | null;
}

/** Attempts in their order. */
export interface Debit extends DebitRow {
  readonly attempts: readonly AttemptRow[];
}

/** What a decision over a payment and its debit comes to. */
export interface DebitOutcome {
  readonly outcome: Outcome;
  readonly debit: Debit;
}

export function unmoved(payment: Payment, debit: Debit): DebitOutcome {
  return { outcome: unchanged(payment), debit };
}

/** The debit of an admitted mandate; `execute_at` is what is expected at its admission. */
export function newDebit(
  payment_id: number,
  mandate: MandateFacts,
  mandate_token: string,
  execute_at: Date,
): Debit {
  const { tenant, id: mandate_id, mandate_type, provider_id, umrn } = mandate;
  return {
    payment_id,
    tenant,
    mandate_id,
    mandate_type,
    mandate_token,
    provider_id,
    umrn,
    execute_at,
    planned_at: null,
    notice_begun_at: null,
    notified_at: null,
    notice_reference: null,
    notice_proof: null,
    notice_withdrawn_at: null,
    attempts: [],
  };
}

/** The attempt whose result is not known: no other one is begun while there is one. */
export function openAttempt({ attempts }: Debit): AttemptRow | null {
  return attempts.find(({ ended_at }) => ended_at === null) ?? null;
}

/** Whether the debit may still take the money, as far as its payment goes. */
export function isLive({ status }: Payment): boolean {
  return status === 'PENDING' || status === 'SUBMITTED';
}

export function hasOrderEnded(payment: Payment, states: OrderStates): boolean {
  return endedShares(payment.orders, states).length > 0;
}

/** Plans the next attempt. `debit_date` is the planned day, and told when it becomes another one. */
export function plan(
  payment: Payment,
  debit: Debit,
  execute_at: Date,
  now: Date,
  word: Amendment = 'plan_debit',
): DebitOutcome {
  const debit_date = istDate(execute_at);
  const events = debit_date === payment.debit_date ? [] : (['payment.updated'] as const);
  const step = amended(paymentMachine, payment, word, { debit_date }, events);
  return {
    outcome: stepped(step, [{ kind: 'debit.execute', key: String(payment.id), due_at: execute_at }]),
    debit: { ...debit, execute_at, planned_at: now },
  };
}

/**
 * Ends a debit for which no money came: FAILED, and its notice is taken back while nothing was tried on it. What was tried is
 * asked about for days, because money may come late.
 */
export function failDebit(payment: Payment, debit: Debit, code: PaymentFailureCode, now: Date): DebitOutcome {
  return ended(payment, debit, failPayment(payment, 'fail', code, now), now);
}

/** The same at the wish of the client. */
export function ended(payment: Payment, debit: Debit, outcome: Outcome, now: Date): DebitOutcome {
  const due = [...withdrawal(payment, debit, now), ...watch(payment, debit, now)];
  return { outcome: { ...outcome, due: [...outcome.due, ...due] }, debit };
}

/** A notice that is or may be out and is of no use any more. */
export function withdrawal({ id }: Payment, debit: Debit, due_at: Date): DueTask[] {
  const isOut = debit.notice_begun_at !== null && debit.notice_withdrawn_at === null;
  return isOut && debit.attempts.length === 0 ? [{ kind: 'debit.withdraw', key: String(id), due_at }] : [];
}

function watch(payment: Payment, debit: Debit, now: Date): DueTask[] {
  return debit.attempts.length > 0 ? [firstQuestion(payment, now)] : [];
}

export interface SaidOfAttempt {
  readonly reference: string;
  readonly said: ProviderPaymentStatus;
}

/**
 * Applies what the provider says of an attempt, whoever brought it: callback, status answer or our own call's answer. Said
 * twice, it changes nothing the second time.
 */
export function attemptSaid(
  payment: Payment,
  debit: Debit,
  { reference, said }: SaidOfAttempt,
  states: OrderStates,
  rules: DebitRules,
  now: Date,
): DebitOutcome {
  const attempt = debit.attempts.find((row) => row.reference === reference);
  if (!attempt) return { outcome: contradicted(payment, 'attempt_unknown_here'), debit };
  switch (said.status) {
    case 'waiting':
      return accepted(payment, debit, attempt, now);
    case 'captured':
      return captured(payment, debit, attempt, said, now);
    case 'failed':
      return failed(payment, debit, attempt, said.failure_code, hasOrderEnded(payment, states), rules, now);
    default:
      return said satisfies never;
  }
}

function accepted(payment: Payment, debit: Debit, attempt: AttemptRow, now: Date): DebitOutcome {
  if (attempt.accepted_at !== null || attempt.ended_at !== null) return unmoved(payment, debit);
  const taken = withAttempt(debit, { ...attempt, accepted_at: now });
  if (payment.status !== 'PENDING') return { outcome: note(payment, 'accept_attempt', {}), debit: taken };
  return {
    outcome: stepped(transition(paymentMachine, payment, 'submit', { submitted_at: now })),
    debit: taken,
  };
}

/** Money came: in time, late, or twice; `providerSaid` knows which. An attempt that was thought failed took it after all. */
function captured(
  payment: Payment,
  debit: Debit,
  attempt: AttemptRow,
  said: Extract<ProviderPaymentStatus, { status: 'captured' }>,
  now: Date,
): DebitOutcome {
  const outcome = providerSaid(payment, said, now);
  if (outcome.steps.length === 0) return { outcome, debit };
  const end = withAttempt(debit, { ...attempt, ended_at: attempt.ended_at ?? now, failure_code: null });
  const due = [...outcome.due, ...closing(payment, attempt, now)];
  return { outcome: { ...outcome, due }, debit: end };
}

function failed(
  payment: Payment,
  debit: Debit,
  attempt: AttemptRow,
  failure_code: PaymentFailureCode,
  orderEnded: boolean,
  rules: DebitRules,
  now: Date,
): DebitOutcome {
  if (attempt.ended_at !== null)
    return attempt.failure_code === null
      ? { outcome: contradicted(payment, 'failed_after_success'), debit }
      : unmoved(payment, debit);
  const end = withAttempt(debit, { ...attempt, ended_at: now, failure_code });
  const closed: Outcome = { ...note(payment, 'end_attempt', {}), due: closing(payment, attempt, now) };
  if (!isLive(payment)) return { outcome: closed, debit: end };
  const next = orderEnded ? null : retryAt(failedAttempt(end, attempt, failure_code, now), rules);
  return thenOf(closed, (row) => (next ? plan(row, end, next, now) : failDebit(row, end, failure_code, now)));
}

function failedAttempt(debit: Debit, attempt: AttemptRow, failure_code: PaymentFailureCode, ended_at: Date) {
  const { number, started_at } = attempt;
  const { mandate_type } = debit;
  const first_started_at = debit.attempts[0]?.started_at ?? started_at;
  return { mandate_type, number, failure_code, started_at, ended_at, first_started_at };
}

/** One outcome after another, the second over payment and debit. */
export function thenOf(first: Outcome, decide: (payment: Payment) => DebitOutcome): DebitOutcome {
  const second = decide(first.payment);
  return { outcome: andThen(first, () => second.outcome), debit: second.debit };
}

export function withAttempt(debit: Debit, attempt: AttemptRow): Debit {
  return { ...debit, attempts: debit.attempts.map((row) => (row.number === attempt.number ? attempt : row)) };
}

/** Nothing is in flight under this permit any more. */
export function closing({ id }: Payment, { number }: Pick<AttemptRow, 'number'>, due_at: Date): DueTask[] {
  return [{ kind: 'debit.close_permit', key: permitKey(id, 'execute', number), due_at }];
}

/** The due work's key of a permit that is to be closed. */
export function permitKey(id: number, step: 'notify' | 'execute', attempt: number): string {
  return `${id} ${step} ${attempt}`;
}
