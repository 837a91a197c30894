import { istDate, type PaymentFailureCode } from '@fundrail/contracts';
import { firstStatusCall, note, type Payment } from '../payment/payment.ts';
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
  followedBy,
  UNRESOLVED_MS,
  unchangedDebit,
  withAttempt,
} from './debit.ts';
import type { PaymentWithDebit } from './change-debit.ts';
import type { Circumstances, DebitOutcome } from './debit.ts';
import type { AttemptRow, Debit } from './debit.tables.ts';
import {
  emandateExecution,
  emandateRetry,
  executionAfterNotice,
  keepsNotice,
  nextExecution,
} from './debit-policy.ts';
import type { DebitRules } from './debit-policy.ts';
import { executionOnNoticeDay, planOnNotice } from './notice.ts';

/**
 * Starts the next attempt when it is due: the intent, before the permit and the call. All obstacles are checked here: the order,
 * the notice's 24 hours, the window, an attempt that is still open.
 */
export function beginAttempt(payment: Payment, debit: Debit, circumstances: Circumstances): DebitOutcome {
  const { states, rules, now } = circumstances;
  if (!isLive(payment) || debit.planned_at === null || openAttempt(debit))
    return unchangedDebit(payment, debit);
  if (hasOrderEnded(payment, states)) return failDebit(payment, debit, 'payment_failed', now);
  if (now < debit.execute_at) return unchangedDebit(payment, debit);
  const stop = stopOf(debit);
  if (stop) return failDebit(payment, debit, stop, now);
  if (isFirstOnNotice(debit) && executionOnNoticeDay(debit, rules, now) === null)
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
    outcome: { ...note(payment, 'begin_attempt', {}), due: [firstStatusCall(payment, now)] },
    debit: { ...debit, attempts: [...debit.attempts, attempt] },
  };
}

/** The first attempt of UPI Autopay, which is made on the day in the notice. Its retries follow NPCI's windows. */
function isFirstOnNotice({ mandate_type, attempts }: Debit): boolean {
  return mandate_type === 'UPI' && attempts.length === 0;
}

/** The provider did not receive the first attempt, and the day in the notice is over. */
function isDayOver(debit: Debit, { number }: AttemptRow, rules: DebitRules, now: Date): boolean {
  return debit.mandate_type === 'UPI' && number === 1 && executionOnNoticeDay(debit, rules, now) === null;
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

/** Why an attempt ends without money, and without having reached the provider. */
export interface NeverReceived {
  readonly code: PaymentFailureCode;
  readonly never: NonNullable<AttemptRow['never']>;
}

/** The attempt ends without money: mandates refused the permit, or the provider never received the attempt. */
export function attemptForbidden(
  { payment, debit }: PaymentWithDebit,
  attempt: AttemptRow,
  { code, never }: NeverReceived,
  now: Date,
): DebitOutcome {
  const row = rowOf(debit, attempt);
  if (row?.ended_at !== null) return unchangedDebit(payment, debit);
  const end = withAttempt(debit, { ...row, ended_at: now, failure_code: code, never });
  const outcome = { ...note(payment, 'end_attempt', {}), due: closing(payment, row, now) };
  return followedBy(outcome, (after) =>
    isLive(after) ? failDebit(after, end, code, now) : unchangedDebit(after, end),
  );
}

/**
 * The provider reports that it did not receive the attempt, and no call for it is under way. The attempt is sent again for up to a day,
 * while payment, order, mandate and the rules still allow it. Otherwise it ends, but its status is still queried, because the provider
 * may process an earlier call later.
 */
export function attemptNotReceived(
  payment: Payment,
  debit: Debit,
  attempt: AttemptRow,
  { states, rules, now }: Circumstances,
): DebitOutcome {
  const row = rowOf(debit, attempt);
  if (!row || isUnderWay(row, now)) return unchangedDebit(payment, debit);
  const over = (code: PaymentFailureCode) =>
    attemptForbidden({ payment, debit }, attempt, { code, never: 'unheard' }, now);
  if (!isLive(payment) || hasOrderEnded(payment, states)) return over('payment_failed');
  const stop = stopOf(debit);
  if (stop) return over(stop);
  const isUnresolved = now.getTime() - attempt.started_at.getTime() >= UNRESOLVED_MS;
  if (isUnresolved || isDayOver(debit, attempt, rules, now)) return over('pg_timeout');
  if (executableAt(payment, debit, rules, now) === null) return over('pg_timeout');
  return unchangedDebit(payment, debit);
}

/** The intent of another call for the attempt. No call is made while one is under way. */
export function callAgain(payment: Payment, debit: Debit, attempt: AttemptRow, now: Date): DebitOutcome {
  const row = rowOf(debit, attempt);
  if (!isLive(payment) || row?.ended_at !== null || isUnderWay(row, now))
    return unchangedDebit(payment, debit);
  return {
    outcome: note(payment, 'begin_attempt', {}),
    debit: withAttempt(debit, { ...row, called_at: now }),
  };
}

function lastCode({ attempts }: Debit): PaymentFailureCode {
  return attempts.at(-1)?.failure_code ?? 'payment_failed';
}
