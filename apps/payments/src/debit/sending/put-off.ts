import { firstStatusCall, note, type Payment } from '../../payment/payment.ts';
import { executableAt } from '../attempt.ts';
import {
  failDebit,
  hasOrderEnded,
  isLive,
  plan,
  rowOf,
  stopOf,
  followedBy,
  unchangedDebit,
  withAttempt,
  withdrawal,
} from '../debit.ts';
import type { Circumstances, DebitOutcome } from '../debit.ts';
import type { AttemptRow, Debit } from '../debit.tables.ts';

/**
 * The provider was not and will not be called under this intent: the window ended before its turn, the provider took no more calls (429),
 * or there was no permit. So it does not count as an attempt: the next one has its number, at `from` or the first time after it that the
 * rules allow. If the mandate or the order has ended meanwhile, the debit ends now.
 */
export function putOffAttempt(
  payment: Payment,
  debit: Debit,
  attempt: Pick<AttemptRow, 'number' | 'started_at'>,
  { states, rules, from, now }: Circumstances & { readonly from: Date },
): DebitOutcome {
  const row = rowOf(debit, attempt);
  if (row?.accepted_at !== null || row.ended_at !== null) return unchangedDebit(payment, debit);
  const without = { ...debit, attempts: debit.attempts.filter(({ number }) => number !== row.number) };
  return followedBy(note(payment, 'put_off_attempt', {}), (after) => {
    if (isLive(after)) {
      const stop = hasOrderEnded(after, states) ? 'payment_failed' : stopOf(without);
      if (stop) return failDebit(after, without, stop, now);
      const at = executableAt(after, without, rules, from) ?? from;
      return plan(after, without, at, now);
    }
    const { outcome } = unchangedDebit(after, without);
    return { outcome: { ...outcome, due: withdrawal(after, without, now) }, debit: without };
  });
}

/**
 * There was no permit for the attempt's call, so no call is made. The attempt is postponed once its permit is closed: mandates may have
 * granted it in an answer that was lost.
 */
export function attemptUncalled(
  payment: Payment,
  debit: Debit,
  attempt: Pick<AttemptRow, 'number' | 'started_at'>,
  now: Date,
): DebitOutcome {
  const row = rowOf(debit, attempt);
  if (row?.accepted_at !== null || row.ended_at !== null) return unchangedDebit(payment, debit);
  return {
    outcome: { ...note(payment, 'put_off_attempt', {}), due: [firstStatusCall(payment, now)] },
    debit: withAttempt(debit, { ...row, uncalled: true }),
  };
}
