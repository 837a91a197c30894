import { istDate } from '@fundrail/contracts';
import type { PaymentFailureCode } from '@fundrail/contracts';
import type { OrderStates } from '../payment/orders-of-payment.ts';
import { firstQuestion, note } from '../payment/payment.ts';
import type { Payment } from '../payment/payment.ts';
import { attemptReference } from '../payment/references.ts';
import {
  closing,
  failDebit,
  hasOrderEnded,
  isLive,
  isUnderWay,
  openAttempt,
  plan,
  rowOf,
  stopOf,
  thenOf,
  UNRESOLVED_MS,
  unmoved,
  withAttempt,
} from './debit.ts';
import type { AttemptRow, Debit, DebitOutcome } from './debit.ts';
import {
  emandateExecution,
  emandateRetry,
  executionAfterNotice,
  keepsNotice,
  nextExecution,
} from './debit-policy.ts';
import type { DebitRules } from './debit-policy.ts';
import { executionOnToldDay, planOnNotice } from './notice.ts';

/**
 * Begins the next attempt when its time has come: the intent, before the permit and the call. Whatever stands against it now is
 * decided here: the order, the notice's 24 hours, the window, an attempt that is still open.
 */
export function beginAttempt(
  payment: Payment,
  debit: Debit,
  states: OrderStates,
  rules: DebitRules,
  now: Date,
): DebitOutcome {
  if (!isLive(payment) || debit.planned_at === null || openAttempt(debit)) return unmoved(payment, debit);
  if (hasOrderEnded(payment, states)) return failDebit(payment, debit, 'payment_failed', now);
  if (now < debit.execute_at) return unmoved(payment, debit);
  const stop = stopOf(debit);
  if (stop) return failDebit(payment, debit, stop, now);
  if (isFirstOnNotice(debit) && executionOnToldDay(debit, rules, now) === null)
    return planOnNotice(payment, debit, rules, now);
  const at = executableAt(payment, debit, rules, now);
  if (at === null) return failDebit(payment, debit, lastCode(debit), now);
  if (at > now) return plan(payment, debit, at, now);
  const number = debit.attempts.length + 1;
  const attempt: AttemptRow = {
    payment_id: payment.id,
    number,
    tenant: payment.tenant,
    reference: attemptReference(payment.id, number),
    started_at: now,
    called_at: null,
    uncalled: false,
    accepted_at: null,
    ended_at: null,
    failure_code: null,
    never: null,
  };
  return {
    outcome: { ...note(payment, 'begin_attempt', {}), due: [firstQuestion(payment, now)] },
    debit: { ...debit, attempts: [...debit.attempts, attempt] },
  };
}

/** UPI Autopay's first attempt, which is made on the day that the investor was told; its retries follow NPCI's windows. */
function isFirstOnNotice({ mandate_type, attempts }: Debit): boolean {
  return mandate_type === 'UPI' && attempts.length === 0;
}

/** The first attempt never arrived, and the day that the investor was told has gone by. */
function isDayOver(debit: Debit, { number }: AttemptRow, rules: DebitRules, now: Date): boolean {
  return debit.mandate_type === 'UPI' && number === 1 && executionOnToldDay(debit, rules, now) === null;
}

/** The earliest time, from now on, at which the rules let this debit be executed; null when its time is over. */
export function executableAt(payment: Payment, debit: Debit, rules: DebitRules, now: Date): Date | null {
  if (debit.mandate_type === 'E_MANDATE') {
    const first = debit.attempts[0];
    return first
      ? emandateRetry(first.started_at, now, rules)
      : emandateExecution(payment.created_at, now, rules);
  }
  const { notified_at } = debit;
  if (notified_at === null)
    throw new Error(`debit ${istDate(debit.execute_at)} of ${payment.id} has no notice`);
  return keepsNotice(now, notified_at) ? nextExecution(now, rules) : executionAfterNotice(notified_at, rules);
}

/** The attempt ends without money: mandates gave no permit for its call, or the provider never heard of it. */
export function attemptForbidden(
  payment: Payment,
  debit: Debit,
  attempt: AttemptRow,
  code: PaymentFailureCode,
  never: AttemptRow['never'],
  now: Date,
): DebitOutcome {
  const row = rowOf(debit, attempt);
  if (row?.ended_at !== null) return unmoved(payment, debit);
  const end = withAttempt(debit, { ...row, ended_at: now, failure_code: code, never });
  const outcome = { ...note(payment, 'end_attempt', {}), due: closing(payment, row, now) };
  return thenOf(outcome, (after) => (isLive(after) ? failDebit(after, end, code, now) : unmoved(after, end)));
}

/**
 * The provider says that it never heard of the attempt, and no call for it is under way: it is sent again while payment, order,
 * mandate and the days of the rules still want it, and for a day; else it ends. A call of ours that it may work later is asked
 * about all the same.
 */
export function attemptUnheard(
  payment: Payment,
  debit: Debit,
  attempt: AttemptRow,
  states: OrderStates,
  rules: DebitRules,
  now: Date,
): DebitOutcome {
  const row = rowOf(debit, attempt);
  if (!row || isUnderWay(row, now)) return unmoved(payment, debit);
  const over = (code: PaymentFailureCode) => attemptForbidden(payment, debit, attempt, code, 'unheard', now);
  if (!isLive(payment) || hasOrderEnded(payment, states)) return over('payment_failed');
  const stop = stopOf(debit);
  if (stop) return over(stop);
  const isUnresolved = now.getTime() - attempt.started_at.getTime() >= UNRESOLVED_MS;
  if (isUnresolved || isDayOver(debit, attempt, rules, now)) return over('pg_timeout');
  if (executableAt(payment, debit, rules, now) === null) return over('pg_timeout');
  return unmoved(payment, debit);
}

/** The intent of another call for the attempt, whoever sends it: none is made while one is under way. */
export function callAgain(payment: Payment, debit: Debit, attempt: AttemptRow, now: Date): DebitOutcome {
  const row = rowOf(debit, attempt);
  if (!isLive(payment) || row?.ended_at !== null || isUnderWay(row, now)) return unmoved(payment, debit);
  return {
    outcome: note(payment, 'begin_attempt', {}),
    debit: withAttempt(debit, { ...row, called_at: now }),
  };
}

function lastCode({ attempts }: Debit): PaymentFailureCode {
  return attempts.at(-1)?.failure_code ?? 'payment_failed';
}
