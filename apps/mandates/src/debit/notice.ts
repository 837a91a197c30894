import { istDate, type PaymentFailureCode } from '@fundrail/contracts';
import type { DebitNotice, NoticeStatus } from '@fundrail/providers';
import {
  emandateExecution,
  executionAfterNotice,
  keepsNotice,
  leastNoticeMs,
  nextExecution,
} from './debit-policy.ts';
import type { DebitRules } from './debit-policy.ts';
import {
  andThen,
  changed,
  failDebit,
  isLive,
  permissionOf,
  plan,
  stepped,
  stopped,
  task,
  unchanged,
  UNDER_WAY_MS,
  UNRESOLVED_MS,
  withdrawal,
} from './debit.ts';
import type { DebitOfMandate, DebitTask, Outcome, Permission, Timing } from './debit.ts';
import type { Debit } from './debit.table.ts';

/** The maximum number of notices for one debit. Another one is sent when the day in the last one is over. */
const MOST_NOTICES = 3;

/** The order is ready: UPI Autopay starts with its notice, an e-mandate with its plan. */
export function beginDebit(both: DebitOfMandate, { rules, now }: Timing): Outcome {
  const { debit, mandate } = both;
  if (debit.state !== 'admitted') return unchanged(debit);
  if (mandate.mandate_type === 'E_MANDATE') return plan(both, emandateExecution(debit, now, rules));
  return beginNotice(debit, 1, { rules, now });
}

function beginNotice(debit: Debit, notice_number: number, { rules, now }: Timing): Outcome {
  const begun = {
    notice_number,
    notice_begun_at: now,
    notice_called_at: null,
    notice_merchant: null,
    notified_at: null,
    notice_reference: null,
    notice_proof: null,
    notice_execute_at: null,
    execute_at: executionAfterNotice(now, rules),
  };
  return stepped(debit, 'notify', begun, [task(debit, 'debit.notify', now)]);
}

/** Until when another call for the notice is under way; null when this one may be made. */
export function noticeCalledUntil({ notice_called_at }: Debit, now: Date): Date | null {
  if (notice_called_at === null) return null;
  const until = new Date(notice_called_at.getTime() + UNDER_WAY_MS);
  return until > now ? until : null;
}

/**
 * The intent of one call for the notice, if the mandate allows it. No other call is made meanwhile. The notice contains a day that keeps
 * the law's minimum time from now on, even after a long time without an answer. It states the `merchant` of its first call (DEB-8).
 */
export function callNotice(
  both: DebitOfMandate,
  merchant: string,
  { rules, now }: Timing,
): { readonly outcome: Outcome; readonly permission: Permission } {
  const { debit } = both;
  const planned = debit.execute_at;
  const execute_at = planned && keepsNotice(planned, now) ? planned : executionAfterNotice(now, rules);
  const permission = permissionOf(both, istDate(execute_at), now);
  const called = {
    notice_called_at: now,
    notice_merchant: debit.notice_merchant ?? merchant,
    execute_at,
  };
  if (permission === 'granted') return { outcome: changed(debit, called), permission };
  const outcome =
    permission === 'later' ? noticeUnanswered(debit, now) : noticeRefused(debit, permission, now);
  return { outcome, permission };
}

/**
 * The call has ended without a known result, or the mandate's doubt forbids it for now. A notice takes no money, so it is given up after
 * a day.
 */
export function noticeUnanswered(debit: Debit, now: Date): Outcome {
  const { state, notice_begun_at } = debit;
  if (state !== 'notifying' || notice_begun_at === null) return unchanged(debit);
  if (now.getTime() - notice_begun_at.getTime() >= UNRESOLVED_MS)
    return noticeRefused(debit, 'pg_timeout', now);
  return changed(debit, { notice_called_at: null });
}

/**
 * The notice was sent. The amount and day that the investor received count; they may come from an earlier call. If the debit has ended
 * meanwhile, the notice is withdrawn.
 */
export function noticeOut({ debit, mandate }: DebitOfMandate, notice: DebitNotice, timing: Timing): Outcome {
  const { now } = timing;
  if (debit.notified_at !== null || debit.notice_begun_at === null) return unchanged(debit);
  const recorded = changed(debit, {
    notice_called_at: null,
    notified_at: sentAt(notice, debit.notice_begun_at, now),
    notice_reference: notice.notice_reference,
    notice_proof: notice.proof,
    notice_execute_at: notice.execute_at,
  });
  return andThen(recorded, (row) => {
    if (!isLive(row)) return changed(row, {}, withdrawal(row, now));
    if (notice.amount.equals(row.amount)) return planOnNotice({ debit: row, mandate }, timing);
    return { ...failDebit(row, 'pg_server_error', now), contradiction: 'another_amount_was_notified' };
  });
}

/** When the notice was sent by the provider's clock, limited to the time between the start and now. */
function sentAt({ sent_at }: DebitNotice, startedAt: Date, now: Date): Date {
  const at = sent_at ?? now;
  if (at < startedAt) return startedAt;
  return at > now ? now : at;
}

/** Plans the first attempt on the day in the notice. When that day is over, another notice is sent. */
export function planOnNotice(both: DebitOfMandate, { rules, now }: Timing): Outcome {
  const { debit } = both;
  const at = executionOnNoticeDay(debit, rules, now);
  if (at) return plan(both, at);
  if (debit.notice_number >= MOST_NOTICES) return failDebit(debit, 'pg_timeout', now);
  const again = beginNotice(debit, debit.notice_number + 1, { rules, now });
  return { ...again, due: [...withdrawingReplaced(debit, now), ...again.due] };
}

/** The earliest time from now on that is on the day in the notice and keeps the law's minimum time; null when none is left. */
export function executionOnNoticeDay(
  { payment_id, notified_at, notice_execute_at }: Debit,
  rules: DebitRules,
  now: Date,
): Date | null {
  if (notified_at === null || notice_execute_at === null)
    throw new Error(`the investor was not notified of debit ${payment_id}`);
  const from = Math.max(
    notice_execute_at.getTime(),
    notified_at.getTime() + leastNoticeMs(notice_execute_at),
    now.getTime(),
  );
  const at = nextExecution(new Date(from), rules);
  return istDate(at) === istDate(notice_execute_at) ? at : null;
}

/** Withdraws a notice that was replaced, if its day is still to come. */
function withdrawingReplaced(
  { payment_id, notice_number, notice_execute_at }: Debit,
  now: Date,
): DebitTask[] {
  if (notice_execute_at === null || istDate(notice_execute_at) < istDate(now)) return [];
  return [{ kind: 'debit.withdraw', key: `${payment_id} ${notice_number}`, due_at: now }];
}

/** The provider or the mandate refused the notice: nothing can be debited. */
export function noticeRefused(debit: Debit, code: PaymentFailureCode, now: Date): Outcome {
  if (debit.state !== 'notifying') return unchanged(debit);
  return andThen(changed(debit, { notice_called_at: null }), (row) => failDebit(row, code, now));
}

/**
 * Applies a later report of the provider about a notice. When the notice did not reach the investor, or the investor refuses the debit, no
 * further attempt is started. When it arrived late, the first attempt moves.
 */
export function noticeReported(
  { debit, mandate }: DebitOfMandate,
  notice_number: number,
  reported: NoticeStatus,
  timing: Timing,
): Outcome {
  const { now } = timing;
  // Each notice of a debit is about the same money, so a replaced one is refused with the current one (DEB-21).
  if (reported.status === 'opted_out') return stopped(debit, 'debit_opted_out', now);
  // Other reports about a replaced notice change nothing.
  if (notice_number !== debit.notice_number) return unchanged(debit);
  if (reported.status === 'failed') return noticeFailed(debit, now);
  if (debit.notified_at === null || debit.notice_proof === reported.proof) return unchanged(debit);
  const proved = changed(debit, { notice_proof: reported.proof });
  const isEarly = debit.state === 'planned' && debit.attempts.length === 0;
  const notified_at = reported.at && reported.at < now ? reported.at : now;
  if (!isEarly || (debit.execute_at && keepsNotice(debit.execute_at, notified_at))) return proved;
  return andThen(proved, (row) => planOnNotice({ debit: { ...row, notified_at }, mandate }, timing));
}

/** An open attempt still counts, and is the last one. */
function noticeFailed(debit: Debit, now: Date): Outcome {
  if (!isLive(debit) || debit.notice_failed_at !== null) return unchanged(debit);
  return andThen(changed(debit, { notice_failed_at: now }), (row) => stopped(row, 'payment_failed', now));
}

/** The notice was withdrawn: it no longer allows a debit. */
export function noticeWithdrawn(debit: Debit, now: Date): Outcome {
  return debit.notice_withdrawn_at === null ? changed(debit, { notice_withdrawn_at: now }) : unchanged(debit);
}
