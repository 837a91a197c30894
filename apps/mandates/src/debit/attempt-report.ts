import type { CollectedMoney, PaymentFailureCode } from '@fundrail/contracts';
import type { ProviderPaymentStatus } from '@fundrail/providers';
import { amended, mandateDebitMachine } from '@fundrail/state-machines';
import { retryAt, type FailedAttempt } from './debit-policy.ts';
import {
  andThen,
  attemptStepped,
  changed,
  contradicted,
  failDebit,
  isLive,
  plan,
  stepped,
  unchanged,
  withAttempt,
} from './debit.ts';
import type { DebitOfMandate, Outcome, Timing } from './debit.ts';
import type { AttemptRow, Debit } from './debit.table.ts';

/** The status of an attempt, as the provider reports it. */
interface AttemptReport {
  readonly reference: string;
  readonly status: ProviderPaymentStatus;
}

/**
 * Applies the status of an attempt that the provider reports in a callback, a status answer or the answer to the call. A repeated
 * report changes nothing.
 */
export function applyAttemptReport(
  both: DebitOfMandate,
  { reference, status: reported }: AttemptReport,
  timing: Timing,
): Outcome {
  const { debit } = both;
  const attempt = debit.attempts.find((row) => row.reference === reference);
  if (!attempt) return contradicted(debit, 'attempt_unknown_here');
  switch (reported.status) {
    case 'waiting':
      return accepted(debit, attempt, timing.now);
    case 'captured':
      return captured(debit, attempt, reported, timing.now);
    case 'failed':
      return failed(both, attempt, reported.failure_code, timing);
    default:
      return reported satisfies never;
  }
}

/** An attempt of a debit that has ended meanwhile is accepted too: its payment does not change. */
function accepted(debit: Debit, attempt: AttemptRow, now: Date): Outcome {
  if (attempt.state !== 'begun') return unchanged(debit);
  const changes = withAttempt(debit, attemptStepped(attempt, 'accept', { accepted_at: now }));
  return debit.state === 'attempting' ? stepped(debit, 'accept', changes) : changed(debit, changes);
}

/**
 * Money came: in time, late or twice, which payments decides by its captures. An attempt that was recorded as failed is no longer failed.
 */
function captured(
  debit: Debit,
  attempt: AttemptRow,
  {
    status: _,
    others = [],
    third_party = false,
    ...first
  }: Extract<ProviderPaymentStatus, { status: 'captured' }>,
  now: Date,
): Outcome {
  const { provider_reference, amount, currency } = first;
  if (!amount.isPositive()) return contradicted(debit, 'captured_nothing');
  const collected: CollectedMoney = {
    provider_reference,
    amount,
    currency,
    others: [...others],
    third_party,
  };
  const isNew = attempt.state !== 'succeeded';
  // Only payments knows all captures. Further money under the same attempt has another reference, or comes besides the first.
  if (!isNew && attempt.provider_reference === provider_reference && others.length === 0)
    return unchanged(debit);
  const end = isNew
    ? attemptStepped(attempt, 'succeed', {
        ended_at: attempt.ended_at ?? now,
        provider_reference,
        failure_code: null,
      })
    : attempt;
  const changes = withAttempt(debit, end);
  return isLive(debit)
    ? collecting(stepped(debit, 'succeed', { ...changes, ended_at: now }), collected)
    : collecting(late(debit, changes), collected);
}

/** The debit has ended. Its state stays, and payments gives the money back. */
function late(debit: Debit, changes: Pick<Debit, 'attempts'>): Outcome {
  const step = amended(mandateDebitMachine, debit, 'collect', {
    changes,
    events: ['mandate_debit.succeeded'],
  });
  return { debit: step.row, steps: [step], due: [] };
}

function collecting(outcome: Outcome, collected: CollectedMoney): Outcome {
  return { ...outcome, steps: outcome.steps.map((step) => ({ ...step, collected })) };
}

function failed(
  { debit, mandate }: DebitOfMandate,
  attempt: AttemptRow,
  failure_code: PaymentFailureCode,
  { rules, now }: Timing,
): Outcome {
  if (attempt.state === 'succeeded') return contradicted(debit, 'failed_after_success');
  if (attempt.ended_at !== null) return unchanged(debit);
  const end = attemptStepped(attempt, 'fail', { ended_at: now, failure_code });
  return andThen(changed(debit, withAttempt(debit, end)), (after) => {
    if (!isLive(after)) return unchanged(after);
    const both = { debit: after, mandate };
    const next =
      after.stop_code === null ? retryAt(failedAttempt(both, end, failure_code, now), rules) : null;
    return next ? plan(both, next) : failDebit(after, failure_code, now);
  });
}

function failedAttempt(
  { debit, mandate: { mandate_type } }: DebitOfMandate,
  { number, started_at }: AttemptRow,
  failure_code: PaymentFailureCode,
  ended_at: Date,
): FailedAttempt {
  const first_started_at = debit.attempts[0]?.started_at ?? started_at;
  return { mandate_type, number, failure_code, started_at, ended_at, first_started_at };
}
