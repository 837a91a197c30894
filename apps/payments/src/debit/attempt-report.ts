import type { PaymentFailureCode } from '@fundrail/contracts';
import type { ProviderPaymentStatus } from '@fundrail/providers';
import { paymentMachine, transition } from '@fundrail/state-machines';
import { applyPaymentStatus } from '../payment/capture.ts';
import { contradicted, note, stepped, type Outcome, type Payment } from '../payment/payment.ts';
import {
  closing,
  failDebit,
  hasOrderEnded,
  isLive,
  plan,
  stopOf,
  followedBy,
  unchangedDebit,
  withAttempt,
} from './debit.ts';
import type { PaymentWithDebit } from './change-debit.ts';
import type { Circumstances, DebitOutcome } from './debit.ts';
import type { AttemptRow, Debit } from './debit.tables.ts';
import { retryAt } from './debit-policy.ts';

/** The status of an attempt, as the provider reports it. */
export interface AttemptReport {
  readonly reference: string;
  readonly status: ProviderPaymentStatus;
}

/**
 * Applies the status of an attempt that the provider reports in a callback, a status answer or the answer to the call. A repeated
 * report changes nothing.
 */
export function applyAttemptReport(
  payment: Payment,
  debit: Debit,
  { reference, status: reported }: AttemptReport,
  circumstances: Circumstances,
): DebitOutcome {
  const { now } = circumstances;
  const attempt = debit.attempts.find((row) => row.reference === reference);
  if (!attempt) return { outcome: contradicted(payment, 'attempt_unknown_here'), debit };
  switch (reported.status) {
    case 'waiting':
      return accepted(payment, debit, attempt, now);
    case 'captured':
      return captured({ payment, debit }, attempt, reported, now);
    case 'failed':
      return failed({ payment, debit }, attempt, reported.failure_code, circumstances);
    default:
      return reported satisfies never;
  }
}

function accepted(payment: Payment, debit: Debit, attempt: AttemptRow, now: Date): DebitOutcome {
  if (attempt.accepted_at !== null || attempt.ended_at !== null) return unchangedDebit(payment, debit);
  const acceptedDebit = withAttempt(debit, { ...attempt, accepted_at: now });
  if (payment.status !== 'PENDING')
    return { outcome: note(payment, 'accept_attempt', {}), debit: acceptedDebit };
  return {
    outcome: stepped(transition(paymentMachine, payment, 'submit', { submitted_at: now })),
    debit: acceptedDebit,
  };
}

/** Money came: in time, late or twice, which `applyPaymentStatus` decides. An attempt that was recorded as failed is no longer failed. */
function captured(
  { payment, debit }: PaymentWithDebit,
  attempt: AttemptRow,
  reported: Extract<ProviderPaymentStatus, { status: 'captured' }>,
  now: Date,
): DebitOutcome {
  const outcome = applyPaymentStatus(payment, reported, now);
  if (outcome.steps.length === 0) return { outcome, debit };
  const ended_at = attempt.ended_at ?? now;
  const end = withAttempt(debit, { ...attempt, ended_at, failure_code: null, never: null });
  const due = [...outcome.due, ...closing(payment, attempt, now)];
  return { outcome: { ...outcome, due }, debit: end };
}

function failed(
  { payment, debit }: PaymentWithDebit,
  attempt: AttemptRow,
  failure_code: PaymentFailureCode,
  { states, rules, now }: Circumstances,
): DebitOutcome {
  if (attempt.ended_at !== null)
    return attempt.failure_code === null
      ? { outcome: contradicted(payment, 'failed_after_success'), debit }
      : unchangedDebit(payment, debit);
  const end = withAttempt(debit, { ...attempt, ended_at: now, failure_code });
  const closed: Outcome = { ...note(payment, 'end_attempt', {}), due: closing(payment, attempt, now) };
  if (!isLive(payment)) return { outcome: closed, debit: end };
  const isOver = hasOrderEnded(payment, states) || stopOf(end) !== null;
  const next = isOver ? null : retryAt(failedAttempt(end, attempt, failure_code, now), rules);
  return followedBy(closed, (row) =>
    next ? plan(row, end, next, now) : failDebit(row, end, failure_code, now),
  );
}

function failedAttempt(debit: Debit, attempt: AttemptRow, failure_code: PaymentFailureCode, ended_at: Date) {
  const { number, started_at } = attempt;
  const { mandate_type } = debit;
  const first_started_at = debit.attempts[0]?.started_at ?? started_at;
  return { mandate_type, number, failure_code, started_at, ended_at, first_started_at };
}
