import type { PaymentFailureCode } from '@fundrail/contracts';
import type { ProviderPaymentStatus } from '@fundrail/providers';
import { paymentMachine, transition } from '@fundrail/state-machines';
import { providerSaid } from '../payment/capture.ts';
import type { OrderStates } from '../payment/orders-of-payment.ts';
import { contradicted, note, stepped } from '../payment/payment.ts';
import type { Outcome, Payment } from '../payment/payment.ts';
import {
  closing,
  failDebit,
  hasOrderEnded,
  isLive,
  plan,
  stopOf,
  thenOf,
  unmoved,
  withAttempt,
} from './debit.ts';
import type { AttemptRow, Debit, DebitOutcome } from './debit.ts';
import { retryAt } from './debit-policy.ts';
import type { DebitRules } from './debit-policy.ts';

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
  const ended_at = attempt.ended_at ?? now;
  const end = withAttempt(debit, { ...attempt, ended_at, failure_code: null, never: null });
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
  const isOver = orderEnded || stopOf(end) !== null;
  const next = isOver ? null : retryAt(failedAttempt(end, attempt, failure_code, now), rules);
  return thenOf(closed, (row) => (next ? plan(row, end, next, now) : failDebit(row, end, failure_code, now)));
}

function failedAttempt(debit: Debit, attempt: AttemptRow, failure_code: PaymentFailureCode, ended_at: Date) {
  const { number, started_at } = attempt;
  const { mandate_type } = debit;
  const first_started_at = debit.attempts[0]?.started_at ?? started_at;
  return { mandate_type, number, failure_code, started_at, ended_at, first_started_at };
}
