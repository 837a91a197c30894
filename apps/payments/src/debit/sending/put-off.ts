import type { OrderStates } from '../../payment/orders-of-payment.ts';
import { firstQuestion, note } from '../../payment/payment.ts';
import type { Payment } from '../../payment/payment.ts';
import { executableAt } from '../attempt.ts';
import type { DebitRules } from '../debit-policy.ts';
import {
  failDebit,
  hasOrderEnded,
  isLive,
  plan,
  rowOf,
  stopOf,
  thenOf,
  unmoved,
  withAttempt,
  withdrawal,
} from '../debit.ts';
import type { AttemptRow, Debit, DebitOutcome } from '../debit.ts';

/**
 * Nothing was or will be asked of the provider under this intent: its window has ended before its turn, the provider took no
 * more calls (429), or no permit was to be had. So it was no attempt: the next one has its number, at `from` or when the rules
 * let it be made after that. What has ended the debit meanwhile, its mandate or its order, waited for this attempt alone.
 */
export function putOffAttempt(
  payment: Payment,
  debit: Debit,
  attempt: Pick<AttemptRow, 'number' | 'started_at'>,
  states: OrderStates,
  rules: DebitRules,
  { from, now }: { readonly from: Date; readonly now: Date },
): DebitOutcome {
  const row = rowOf(debit, attempt);
  if (row?.accepted_at !== null || row.ended_at !== null) return unmoved(payment, debit);
  const without = { ...debit, attempts: debit.attempts.filter(({ number }) => number !== row.number) };
  return thenOf(note(payment, 'put_off_attempt', {}), (after) => {
    if (isLive(after)) {
      const stop = hasOrderEnded(after, states) ? 'payment_failed' : stopOf(without);
      if (stop) return failDebit(after, without, stop, now);
      const at = executableAt(after, without, rules, from) ?? from;
      return plan(after, without, at, now);
    }
    const { outcome } = unmoved(after, without);
    return { outcome: { ...outcome, due: withdrawal(after, without, now) }, debit: without };
  });
}

/**
 * No permit was to be had for the attempt's call, so none is made. It is put off once its permit is closed for certain: what
 * mandates answers may have been lost.
 */
export function attemptUncalled(
  payment: Payment,
  debit: Debit,
  attempt: Pick<AttemptRow, 'number' | 'started_at'>,
  now: Date,
): DebitOutcome {
  const row = rowOf(debit, attempt);
  if (row?.accepted_at !== null || row.ended_at !== null) return unmoved(payment, debit);
  return {
    outcome: { ...note(payment, 'put_off_attempt', {}), due: [firstQuestion(payment, now)] },
    debit: withAttempt(debit, { ...row, uncalled: true }),
  };
}
