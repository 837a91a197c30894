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
  openAttempt,
  plan,
  thenOf,
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
    accepted_at: null,
    ended_at: null,
    failure_code: null,
  };
  return {
    outcome: { ...note(payment, 'begin_attempt', {}), due: [firstQuestion(payment, now)] },
    debit: { ...debit, attempts: [...debit.attempts, attempt] },
  };
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

/** Nothing was or will be asked of the provider for this attempt, for example because mandates gave no permit. */
export function attemptForbidden(
  payment: Payment,
  debit: Debit,
  attempt: AttemptRow,
  code: PaymentFailureCode,
  now: Date,
): DebitOutcome {
  const row = debit.attempts.find(({ number }) => number === attempt.number);
  if (row?.ended_at !== null) return unmoved(payment, debit);
  const end = withAttempt(debit, { ...row, ended_at: now, failure_code: code });
  const outcome = { ...note(payment, 'end_attempt', {}), due: closing(payment, row, now) };
  return thenOf(outcome, (after) => (isLive(after) ? failDebit(after, end, code, now) : unmoved(after, end)));
}

/**
 * The provider never heard of the attempt: it is sent again while payment, order and the days of the rules still want it, else
 * it ends, and nothing was or will be asked of the provider for it.
 */
export function attemptUnheard(
  payment: Payment,
  debit: Debit,
  attempt: AttemptRow,
  states: OrderStates,
  rules: DebitRules,
  now: Date,
): DebitOutcome {
  if (!isLive(payment) || hasOrderEnded(payment, states))
    return attemptForbidden(payment, debit, attempt, 'payment_failed', now);
  if (executableAt(payment, debit, rules, now) === null)
    return attemptForbidden(payment, debit, attempt, 'pg_timeout', now);
  return unmoved(payment, debit);
}

function lastCode({ attempts }: Debit): PaymentFailureCode {
  return attempts.at(-1)?.failure_code ?? 'payment_failed';
}
