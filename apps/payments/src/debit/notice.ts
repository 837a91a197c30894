import { istDate } from '@fundrail/contracts';
import type { PaymentFailureCode } from '@fundrail/contracts';
import type { DebitNotice, PaymentCallback } from '@fundrail/providers';
import { mayBeDebited } from '../payment/orders-of-payment.ts';
import type { OrderStates } from '../payment/orders-of-payment.ts';
import { note, task } from '../payment/payment.ts';
import type { DueTask, Payment } from '../payment/payment.ts';
import {
  failDebit,
  hasOrderEnded,
  isLive,
  openAttempt,
  permitKey,
  plan,
  stopped,
  thenOf,
  UNDER_WAY_MS,
  UNRESOLVED_MS,
  unmoved,
  withdrawal,
} from './debit.ts';
import type { Debit, DebitOutcome } from './debit.ts';
import {
  emandateExecution,
  executionAfterNotice,
  keepsNotice,
  LEAST_NOTICE_MS,
  nextExecution,
} from './debit-policy.ts';
import type { DebitRules } from './debit-policy.ts';

/** What a callback tells of a debit: how an attempt of it stands, or whether its notice reached the investor. */
export type DebitFact = Extract<NonNullable<PaymentCallback['fact']>, { about: 'debit' | 'notice' }>;

/** So often the investor is told of one debit anew, because the day that was told had gone by. */
const MOST_NOTICES = 3;

/**
 * Decided anew whenever the debit's order changes: an order that has ended ends the debit, unless an attempt is under way whose
 * result counts; a submitted one lets it begin, UPI Autopay with its notice, an e-mandate with its plan.
 */
export function beginDebit(
  payment: Payment,
  debit: Debit,
  states: OrderStates,
  rules: DebitRules,
  now: Date,
): DebitOutcome {
  if (!isLive(payment) || openAttempt(debit)) return unmoved(payment, debit);
  if (hasOrderEnded(payment, states)) return failDebit(payment, debit, 'payment_failed', now);
  const isBegun = debit.planned_at !== null || debit.notice_begun_at !== null;
  if (isBegun || !mayBeDebited(payment.orders, states)) return unmoved(payment, debit);
  if (debit.mandate_type === 'E_MANDATE')
    return plan(payment, debit, emandateExecution(payment.created_at, now, rules), now);
  return {
    outcome: note(payment, 'begin_notice', {}),
    debit: { ...debit, notice_begun_at: now, execute_at: executionAfterNotice(now, rules) },
  };
}

/** Whether the provider is to be asked for the notice now: it was begun, and its outcome is not known. */
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
 * The intent of one call for the notice: no other one is made meanwhile. It tells a day that leaves the investor the law's time
 * from now on, however long the provider has been silent.
 */
export function callNotice(payment: Payment, debit: Debit, rules: DebitRules, now: Date): DebitOutcome {
  const execute_at = keepsNotice(debit.execute_at, now) ? debit.execute_at : executionAfterNotice(now, rules);
  return {
    outcome: note(payment, 'begin_notice', {}),
    debit: { ...debit, notice_called_at: now, execute_at },
  };
}

/**
 * The call has ended and nobody knows what it did, or mandates did not permit it for now. A notice takes no money: after a day it
 * is given up.
 */
export function noticeUnanswered(payment: Payment, debit: Debit, now: Date): DebitOutcome {
  if (debit.notice_called_at === null || debit.notified_at !== null) return unmoved(payment, debit);
  const after = { ...debit, notice_called_at: null };
  const { notice_begun_at } = debit;
  if (notice_begun_at !== null && now.getTime() - notice_begun_at.getTime() >= UNRESOLVED_MS)
    return noticeRefused(payment, after, 'pg_timeout', now);
  return { outcome: note(payment, 'begin_notice', {}), debit: after };
}

/**
 * The notice is out. What counts is what the investor was told, which an earlier call may have said: that amount, and that day.
 * A debit that has ended meanwhile takes the notice back.
 */
export function noticeOut(
  payment: Payment,
  debit: Debit,
  notice: DebitNotice,
  rules: DebitRules,
  now: Date,
): DebitOutcome {
  if (debit.notified_at !== null || debit.notice_begun_at === null) return unmoved(payment, debit);
  const notified: Debit = {
    ...debit,
    notice_called_at: null,
    notified_at: sentAt(notice, debit.notice_begun_at, now),
    notice_reference: notice.notice_reference,
    notice_proof: notice.proof,
    told_execute_at: notice.execute_at,
  };
  const told = note(payment, 'record_notice', {});
  const closed = { ...told, due: [closingNotice(payment, now)] };
  return thenOf(closed, (row) => {
    if (!isLive(row))
      return {
        outcome: { ...unmoved(row, notified).outcome, due: withdrawal(row, notified, now) },
        debit: notified,
      };
    if (notice.amount.equals(row.amount)) return planOnNotice(row, notified, rules, now);
    const failed = failDebit(row, notified, 'pg_server_error', now);
    return { ...failed, outcome: { ...failed.outcome, contradiction: 'another_amount_was_notified' } };
  });
}

/** Not before we began, nor later than now, whatever the provider's clock says. */
function sentAt({ sent_at }: DebitNotice, begunAt: Date, now: Date): Date {
  const at = sent_at ?? now;
  if (at < begunAt) return begunAt;
  return at > now ? now : at;
}

/** Plans the first attempt on the day that the investor was told; when that has gone by, the investor is told of another. */
export function planOnNotice(payment: Payment, debit: Debit, rules: DebitRules, now: Date): DebitOutcome {
  const at = executionOnToldDay(debit, rules, now);
  return at ? plan(payment, debit, at, now) : tellAnew(payment, debit, rules, now);
}

/** The earliest time from now on, on the day that the investor was told, with the law's time since the notice; null: none is left. */
export function executionOnToldDay(
  { payment_id, notified_at, told_execute_at }: Debit,
  rules: DebitRules,
  now: Date,
): Date | null {
  if (notified_at === null || told_execute_at === null)
    throw new Error(`the investor was not told of debit ${payment_id}`);
  const from = Math.max(told_execute_at.getTime(), notified_at.getTime() + LEAST_NOTICE_MS, now.getTime());
  const at = nextExecution(new Date(from), rules);
  return istDate(at) === istDate(told_execute_at) ? at : null;
}

/** A day that was told and will not be the debit's, if it is still to come. */
function withdrawingReplaced({ payment_id, notice_number, told_execute_at }: Debit, now: Date): DueTask[] {
  if (told_execute_at === null || istDate(told_execute_at) < istDate(now)) return [];
  return [{ kind: 'debit.withdraw', key: `${payment_id} ${notice_number}`, due_at: now }];
}

function tellAnew(payment: Payment, debit: Debit, rules: DebitRules, now: Date): DebitOutcome {
  if (debit.notice_number >= MOST_NOTICES) return failDebit(payment, debit, 'pg_timeout', now);
  const anew: Debit = {
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
  return { outcome: { ...note(payment, 'begin_notice', {}), due }, debit: anew };
}

/** The provider refused the notice, or mandates the permit for it: nothing can be debited. */
export function noticeRefused(
  payment: Payment,
  debit: Debit,
  code: PaymentFailureCode,
  now: Date,
): DebitOutcome {
  if (!isLive(payment) || debit.notified_at !== null) return unmoved(payment, debit);
  const failed = failDebit(payment, { ...debit, notice_called_at: null }, code, now);
  return {
    ...failed,
    outcome: { ...failed.outcome, due: [...failed.outcome.due, closingNotice(payment, now)] },
  };
}

/**
 * What the provider tells later about the notice of that number. On one that did not reach the investor no attempt is begun any more; one that
 * reached the investor late moves the first attempt.
 */
export function noticeTold(
  payment: Payment,
  debit: Debit,
  { notice_number, notice: told }: Extract<DebitFact, { about: 'notice' }>,
  rules: DebitRules,
  now: Date,
): DebitOutcome {
  // What becomes of one that was replaced changes nothing.
  if (notice_number !== debit.notice_number) return unmoved(payment, debit);
  if (told.status === 'failed') return noticeFailed(payment, debit, now);
  if (debit.notified_at === null || debit.notice_proof === told.proof) return unmoved(payment, debit);
  const proved = { ...debit, notice_proof: told.proof };
  const outcome = note(payment, 'record_notice', {});
  const isEarly = isLive(payment) && debit.attempts.length === 0;
  const notified_at = told.at && told.at < now ? told.at : now;
  if (!isEarly || keepsNotice(debit.execute_at, notified_at)) return { outcome, debit: proved };
  return thenOf(outcome, (row) => planOnNotice(row, { ...proved, notified_at }, rules, now));
}

/** An attempt that is under way still counts: it is the last one. */
function noticeFailed(payment: Payment, debit: Debit, now: Date): DebitOutcome {
  if (!isLive(payment) || debit.notice_failed_at !== null) return unmoved(payment, debit);
  return stopped(payment, { ...debit, notice_failed_at: now }, now);
}

/** Nothing can be debited on the notice any more. */
export function noticeWithdrawn(payment: Payment, debit: Debit, now: Date): DebitOutcome {
  if (debit.notice_withdrawn_at !== null) return unmoved(payment, debit);
  return { outcome: note(payment, 'withdraw_notice', {}), debit: { ...debit, notice_withdrawn_at: now } };
}

function closingNotice({ id }: Payment, due_at: Date) {
  return { kind: 'debit.close_permit', key: permitKey(id, 'notify', 1), due_at } as const;
}
