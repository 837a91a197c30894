import { istDate, type PaymentFailureCode } from '@fundrail/contracts';
import type { DebitNotice, PaymentCallback } from '@fundrail/providers';
import { mayBeDebited } from '../payment/orders-of-payment.ts';
import { note, task, type DueTask, type Payment } from '../payment/payment.ts';
import {
  failDebit,
  hasOrderEnded,
  isLive,
  openAttempt,
  permitKey,
  plan,
  stopped,
  followedBy,
  UNDER_WAY_MS,
  UNRESOLVED_MS,
  unchangedDebit,
  withdrawal,
} from './debit.ts';
import type { Circumstances, DebitOutcome, Timing } from './debit.ts';
import type { Debit } from './debit.tables.ts';
import {
  emandateExecution,
  executionAfterNotice,
  keepsNotice,
  LEAST_NOTICE_MS,
  nextExecution,
} from './debit-policy.ts';
import type { DebitRules } from './debit-policy.ts';

/** The content of a callback about a debit: the status of an attempt, or whether its notice reached the investor. */
export type DebitFact = Extract<NonNullable<PaymentCallback['fact']>, { about: 'debit' | 'notice' }>;

/** The maximum number of notices for one debit. Another one is sent when the day in the last one is over. */
const MOST_NOTICES = 3;

/**
 * Called when the debit's order changes. An order that has ended ends the debit, unless an attempt is open, whose result counts. A
 * submitted order starts the debit: UPI Autopay with its notice, an e-mandate with its plan.
 */
export function beginDebit(
  payment: Payment,
  debit: Debit,
  { states, rules, now }: Circumstances,
): DebitOutcome {
  if (!isLive(payment) || openAttempt(debit)) return unchangedDebit(payment, debit);
  if (hasOrderEnded(payment, states)) return failDebit(payment, debit, 'payment_failed', now);
  const isStarted = debit.planned_at !== null || debit.notice_begun_at !== null;
  if (isStarted || !mayBeDebited(payment.orders, states)) return unchangedDebit(payment, debit);
  if (debit.mandate_type === 'E_MANDATE')
    return plan(payment, debit, emandateExecution(payment.created_at, now, rules), now);
  return {
    outcome: note(payment, 'begin_notice', {}),
    debit: { ...debit, notice_begun_at: now, execute_at: executionAfterNotice(now, rules) },
  };
}

/** Whether the notice is to be sent now: it was started, and its outcome is not known. */
export function wantsNotice(payment: Payment, debit: Debit): boolean {
  return payment.status === 'PENDING' && debit.notice_begun_at !== null && debit.notified_at === null;
}

/** Until when another call for the notice is under way; null when this one may be made. */
export function noticeCalledUntil({ notice_called_at }: Debit, now: Date): Date | null {
  if (notice_called_at === null) return null;
  const until = new Date(notice_called_at.getTime() + UNDER_WAY_MS);
  return until > now ? until : null;
}

/**
 * The intent of one call for the notice. No other call is made meanwhile. The notice contains a day that keeps the law's minimum time from
 * now on, even after a long time without an answer.
 */
export function callNotice(payment: Payment, debit: Debit, rules: DebitRules, now: Date): DebitOutcome {
  const execute_at = keepsNotice(debit.execute_at, now) ? debit.execute_at : executionAfterNotice(now, rules);
  return {
    outcome: note(payment, 'begin_notice', {}),
    debit: { ...debit, notice_called_at: now, execute_at },
  };
}

/**
 * The call has ended without a known result, or mandates did not permit it for now. A notice takes no money, so it is given up after
 * a day.
 */
export function noticeUnanswered(payment: Payment, debit: Debit, now: Date): DebitOutcome {
  if (debit.notice_called_at === null || debit.notified_at !== null) return unchangedDebit(payment, debit);
  const after = { ...debit, notice_called_at: null };
  const { notice_begun_at } = debit;
  if (notice_begun_at !== null && now.getTime() - notice_begun_at.getTime() >= UNRESOLVED_MS)
    return noticeRefused(payment, after, 'pg_timeout', now);
  return { outcome: note(payment, 'begin_notice', {}), debit: after };
}

/**
 * The notice was sent. The amount and day that the investor received count; they may come from an earlier call. If the debit has ended
 * meanwhile, the notice is withdrawn.
 */
export function noticeOut(
  payment: Payment,
  debit: Debit,
  notice: DebitNotice,
  { rules, now }: Timing,
): DebitOutcome {
  if (debit.notified_at !== null || debit.notice_begun_at === null) return unchangedDebit(payment, debit);
  const notified: Debit = {
    ...debit,
    notice_called_at: null,
    notified_at: sentAt(notice, debit.notice_begun_at, now),
    notice_reference: notice.notice_reference,
    notice_proof: notice.proof,
    told_execute_at: notice.execute_at,
  };
  const recorded = note(payment, 'record_notice', {});
  const closed = { ...recorded, due: [closingNotice(payment, now)] };
  return followedBy(closed, (row) => {
    if (!isLive(row))
      return {
        outcome: { ...unchangedDebit(row, notified).outcome, due: withdrawal(row, notified, now) },
        debit: notified,
      };
    if (notice.amount.equals(row.amount)) return planOnNotice(row, notified, rules, now);
    const failed = failDebit(row, notified, 'pg_server_error', now);
    return { ...failed, outcome: { ...failed.outcome, contradiction: 'another_amount_was_notified' } };
  });
}

/** When the notice was sent by the provider's clock, limited to the time between the start and now. */
function sentAt({ sent_at }: DebitNotice, startedAt: Date, now: Date): Date {
  const at = sent_at ?? now;
  if (at < startedAt) return startedAt;
  return at > now ? now : at;
}

/** Plans the first attempt on the day in the notice. When that day is over, another notice is sent. */
export function planOnNotice(payment: Payment, debit: Debit, rules: DebitRules, now: Date): DebitOutcome {
  const at = executionOnNoticeDay(debit, rules, now);
  return at ? plan(payment, debit, at, now) : notifyAgain(payment, debit, rules, now);
}

/** The earliest time from now on that is on the day in the notice and keeps the law's minimum time; null when none is left. */
export function executionOnNoticeDay(
  { payment_id, notified_at, told_execute_at }: Debit,
  rules: DebitRules,
  now: Date,
): Date | null {
  if (notified_at === null || told_execute_at === null)
    throw new Error(`the investor was not notified of debit ${payment_id}`);
  const from = Math.max(told_execute_at.getTime(), notified_at.getTime() + LEAST_NOTICE_MS, now.getTime());
  const at = nextExecution(new Date(from), rules);
  return istDate(at) === istDate(told_execute_at) ? at : null;
}

/** Withdraws a notice that was replaced, if its day is still to come. */
function withdrawingReplaced({ payment_id, notice_number, told_execute_at }: Debit, now: Date): DueTask[] {
  if (told_execute_at === null || istDate(told_execute_at) < istDate(now)) return [];
  return [{ kind: 'debit.withdraw', key: `${payment_id} ${notice_number}`, due_at: now }];
}

function notifyAgain(payment: Payment, debit: Debit, rules: DebitRules, now: Date): DebitOutcome {
  if (debit.notice_number >= MOST_NOTICES) return failDebit(payment, debit, 'pg_timeout', now);
  const restarted: Debit = {
    ...debit,
    notice_number: debit.notice_number + 1,
    notice_begun_at: now,
    notice_called_at: null,
    notified_at: null,
    notice_reference: null,
    notice_proof: null,
    told_execute_at: null,
    planned_at: null,
    execute_at: executionAfterNotice(now, rules),
  };
  const due = [...withdrawingReplaced(debit, now), task(payment, 'debit.notify', now)];
  return { outcome: { ...note(payment, 'begin_notice', {}), due }, debit: restarted };
}

/** The provider refused the notice, or mandates the permit for it: nothing can be debited. */
export function noticeRefused(
  payment: Payment,
  debit: Debit,
  code: PaymentFailureCode,
  now: Date,
): DebitOutcome {
  if (!isLive(payment) || debit.notified_at !== null) return unchangedDebit(payment, debit);
  const failed = failDebit(payment, { ...debit, notice_called_at: null }, code, now);
  return {
    ...failed,
    outcome: { ...failed.outcome, due: [...failed.outcome.due, closingNotice(payment, now)] },
  };
}

/**
 * Applies a later report of the provider about a notice. When the notice did not reach the investor, no further attempt is started. When
 * it arrived late, the first attempt moves.
 */
export function noticeReported(
  payment: Payment,
  debit: Debit,
  { notice_number, notice: reported }: Extract<DebitFact, { about: 'notice' }>,
  { rules, now }: Timing,
): DebitOutcome {
  // Reports about a replaced notice change nothing.
  if (notice_number !== debit.notice_number) return unchangedDebit(payment, debit);
  if (reported.status === 'failed') return noticeFailed(payment, debit, now);
  if (debit.notified_at === null || debit.notice_proof === reported.proof)
    return unchangedDebit(payment, debit);
  const proved = { ...debit, notice_proof: reported.proof };
  const outcome = note(payment, 'record_notice', {});
  const isEarly = isLive(payment) && debit.attempts.length === 0;
  const notified_at = reported.at && reported.at < now ? reported.at : now;
  if (!isEarly || keepsNotice(debit.execute_at, notified_at)) return { outcome, debit: proved };
  return followedBy(outcome, (row) => planOnNotice(row, { ...proved, notified_at }, rules, now));
}

/** An open attempt still counts, and is the last one. */
function noticeFailed(payment: Payment, debit: Debit, now: Date): DebitOutcome {
  if (!isLive(payment) || debit.notice_failed_at !== null) return unchangedDebit(payment, debit);
  return stopped(payment, { ...debit, notice_failed_at: now }, now);
}

/** The notice was withdrawn: it no longer allows a debit. */
export function noticeWithdrawn(payment: Payment, debit: Debit, now: Date): DebitOutcome {
  if (debit.notice_withdrawn_at !== null) return unchangedDebit(payment, debit);
  return { outcome: note(payment, 'withdraw_notice', {}), debit: { ...debit, notice_withdrawn_at: now } };
}

function closingNotice({ id }: Payment, due_at: Date) {
  return { kind: 'debit.close_permit', key: permitKey(id, 'notify', 1), due_at } as const;
}
