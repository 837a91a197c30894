import type { PaymentFailureCode } from '@fundrail/contracts';
import type { DebitNotice, NoticeStatus } from '@fundrail/providers';
import { sharesReady } from '../payment/orders-of-payment.ts';
import type { OrderStates } from '../payment/orders-of-payment.ts';
import { note } from '../payment/payment.ts';
import type { Payment } from '../payment/payment.ts';
import {
  failDebit,
  hasOrderEnded,
  isLive,
  openAttempt,
  permitKey,
  plan,
  thenOf,
  unmoved,
  withdrawal,
} from './debit.ts';
import type { Debit, DebitOutcome } from './debit.ts';
import { emandateExecution, executionAfterNotice, keepsNotice } from './debit-policy.ts';
import type { DebitRules } from './debit-policy.ts';

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
  if (isBegun || !sharesReady(payment.orders, states)) return unmoved(payment, debit);
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

/**
 * The notice is out. Its execution stays as it was told, unless the answer came so late that the investor's time would be
 * too short. A debit that has ended meanwhile takes the notice back.
 */
export function noticeOut(
  payment: Payment,
  debit: Debit,
  { notice_reference, proof }: DebitNotice,
  rules: DebitRules,
  now: Date,
): DebitOutcome {
  if (debit.notified_at !== null) return unmoved(payment, debit);
  const notified = { ...debit, notified_at: now, notice_reference, notice_proof: proof };
  const told = note(payment, 'record_notice', {});
  const closed = {
    ...told,
    due: [{ kind: 'debit.close_permit', key: permitKey(payment.id, 'notify', 1), due_at: now } as const],
  };
  return thenOf(closed, (row) => {
    if (!isLive(row))
      return {
        outcome: { ...unmoved(row, notified).outcome, due: withdrawal(row, notified, now) },
        debit: notified,
      };
    const { execute_at } = notified;
    return plan(
      row,
      notified,
      keepsNotice(execute_at, now) ? execute_at : executionAfterNotice(now, rules),
      now,
    );
  });
}

/** The provider refused the notice, or mandates the permit for it: nothing can be debited. */
export function noticeRefused(
  payment: Payment,
  debit: Debit,
  code: PaymentFailureCode,
  now: Date,
): DebitOutcome {
  if (!isLive(payment) || debit.notified_at !== null) return unmoved(payment, debit);
  const failed = failDebit(payment, debit, code, now);
  const close = { kind: 'debit.close_permit', key: permitKey(payment.id, 'notify', 1), due_at: now } as const;
  return { ...failed, outcome: { ...failed.outcome, due: [...failed.outcome.due, close] } };
}

/**
 * What the provider tells later about the notice. One that did not reach the investor allows no debit; one that reached the
 * investor late moves the first attempt.
 */
export function noticeTold(
  payment: Payment,
  debit: Debit,
  told: NoticeStatus,
  rules: DebitRules,
  now: Date,
): DebitOutcome {
  const isEarly = isLive(payment) && debit.attempts.length === 0;
  if (told.status === 'failed')
    return isEarly ? failDebit(payment, debit, 'payment_failed', now) : unmoved(payment, debit);
  if (debit.notified_at === null || debit.notice_proof === told.proof) return unmoved(payment, debit);
  const proved = { ...debit, notice_proof: told.proof };
  const outcome = note(payment, 'record_notice', {});
  if (!isEarly || keepsNotice(debit.execute_at, now)) return { outcome, debit: proved };
  return thenOf(outcome, (row) =>
    plan(row, { ...proved, notified_at: now }, executionAfterNotice(now, rules), now),
  );
}

/** Nothing can be debited on the notice any more. */
export function noticeWithdrawn(payment: Payment, debit: Debit, now: Date): DebitOutcome {
  if (debit.notice_withdrawn_at !== null) return unmoved(payment, debit);
  return { outcome: note(payment, 'withdraw_notice', {}), debit: { ...debit, notice_withdrawn_at: now } };
}
