import { istDate, type PaymentFailureCode } from '@fundrail/contracts';
import {
  emandateExecution,
  emandateRetry,
  executionAfterNotice,
  keepsNotice,
  nextExecution,
  type DebitRules,
} from './debit-policy.ts';
import {
  andThen,
  attemptStepped,
  changed,
  failDebit,
  firstStatusCall,
  isLive,
  isUnderWay,
  permissionOf,
  plan,
  rowOf,
  stepped,
  unchanged,
  UNRESOLVED_MS,
  withAttempt,
  withdrawal,
} from './debit.ts';
import type { DebitOfMandate, Outcome, Timing } from './debit.ts';
import type { AttemptRow, Debit } from './debit.table.ts';
import { executionOnNoticeDay, planOnNotice } from './notice.ts';
import { attemptReference } from '@fundrail/providers';

/** How long a debit waits that its mandate's doubt forbids for now (DEB-7). */
const IN_DOUBT_MS = 30_000;

/** Names an attempt: a postponed one leaves its number to the next. */
type AttemptKey = Pick<AttemptRow, 'number' | 'started_at'>;

/**
 * Starts the next attempt when it is due: the intent, before the call. All obstacles are checked here: the mandate, the notice's 24
 * hours, the number of attempts, the window, an attempt that is still open.
 */
export function beginAttempt(both: DebitOfMandate, { rules, now }: Timing): Outcome {
  const { debit } = both;
  if (debit.state !== 'planned' || debit.execute_at === null || now < debit.execute_at)
    return unchanged(debit);
  if (isFirstOnNotice(both) && executionOnNoticeDay(debit, rules, now) === null)
    return planOnNotice(both, { rules, now });
  // The retry was planned under a rule that allowed more attempts.
  if (debit.attempts.length >= rules.mostAttempts) return failDebit(debit, lastCode(debit), now);
  const at = executableAt(both, rules, now);
  if (at === null) return failDebit(debit, lastCode(debit), now);
  if (at > now) return plan(both, at);
  const permission = permissionOf(both, istDate(now), now);
  if (permission === 'later') return putOff(both, { rules, now }, new Date(now.getTime() + IN_DOUBT_MS));
  if (permission !== 'granted') return failDebit(debit, permission, now);
  const attempts = [...debit.attempts, newAttempt(debit, now)];
  const ask = firstStatusCall({ ...debit, attempts }, now, rules.firstStatusSeconds);
  return stepped(debit, 'begin_attempt', { attempts }, [ask]);
}

function newAttempt({ payment_id, tenant, attempts }: Debit, now: Date): AttemptRow {
  const number = attempts.length + 1;
  return {
    payment_id,
    number,
    tenant,
    reference: attemptReference(payment_id, number),
    state: 'begun',
    started_at: now,
    called_at: now,
    accepted_at: null,
    ended_at: null,
    provider_reference: null,
    failure_code: null,
  };
}

/** The first attempt of UPI Autopay, which is made on the day in the notice. Its retries follow NPCI's windows. */
function isFirstOnNotice({ debit, mandate }: DebitOfMandate): boolean {
  return mandate.mandate_type === 'UPI' && debit.attempts.length === 0;
}

/** The earliest time, from now on, at which the rules let this debit be executed; null when its time is over. */
export function executableAt({ debit, mandate }: DebitOfMandate, rules: DebitRules, now: Date): Date | null {
  if (mandate.mandate_type === 'E_MANDATE') {
    const [first] = debit.attempts;
    return first ? emandateRetry(first.started_at, now, rules) : emandateExecution(debit, now, rules);
  }
  const { notified_at } = debit;
  if (notified_at === null) throw new Error(`debit ${debit.payment_id} has no notice`);
  return keepsNotice(now, notified_at) ? nextExecution(now, rules) : executionAfterNotice(notified_at, rules);
}

/** The attempt ends without money: the provider does not know it, and it is not sent again. */
export function giveUpAttempt(
  debit: Debit,
  attempt: AttemptKey,
  code: PaymentFailureCode,
  now: Date,
): Outcome {
  const row = rowOf(debit, attempt);
  if (row?.ended_at !== null) return unchanged(debit);
  const end = attemptStepped(row, 'give_up', { ended_at: now, failure_code: code });
  return andThen(changed(debit, withAttempt(debit, end)), (after) =>
    isLive(after) ? failDebit(after, code, now) : unchanged(after),
  );
}

/** What follows from an attempt that the provider does not know. `at`: when it is sent again; null when it has ended or is under way. */
interface NotReceived {
  readonly outcome: Outcome;
  readonly at: Date | null;
}

/**
 * The provider reports that it did not receive the attempt, and no call for it is under way. The attempt is sent again for up to a day,
 * while debit, mandate and the rules still allow it; when that is now, the intent of the call is part of the outcome. Otherwise it ends,
 * but its status is still queried, because the provider may process an earlier call later.
 */
export function attemptNotReceived(
  both: DebitOfMandate,
  attempt: AttemptKey,
  { rules, now }: Timing,
): NotReceived {
  const { debit } = both;
  const row = rowOf(debit, attempt);
  if (row?.ended_at !== null || isUnderWay(row, now)) return { outcome: unchanged(debit), at: null };
  const over = (code: PaymentFailureCode) => ({ outcome: giveUpAttempt(debit, row, code, now), at: null });
  if (!isLive(debit)) return over('payment_failed');
  if (debit.stop_code !== null) return over(debit.stop_code);
  const isUnresolved = now.getTime() - row.started_at.getTime() >= UNRESOLVED_MS;
  const at = executableAt(both, rules, now);
  if (isUnresolved || at === null || isDayOver(both, row, { rules, now })) return over('pg_timeout');
  const permission = permissionOf(both, istDate(now), now);
  if (permission === 'later') return { outcome: unchanged(debit), at: new Date(now.getTime() + IN_DOUBT_MS) };
  if (permission !== 'granted') return over(permission);
  if (at > now) return { outcome: unchanged(debit), at };
  return { outcome: changed(debit, withAttempt(debit, { ...row, called_at: now })), at };
}

/** The provider did not receive the first attempt, and the day in the notice is over. */
function isDayOver(
  { debit, mandate }: DebitOfMandate,
  { number }: AttemptRow,
  { rules, now }: Timing,
): boolean {
  return mandate.mandate_type === 'UPI' && number === 1 && executionOnNoticeDay(debit, rules, now) === null;
}

/**
 * The provider was not and will not be called under this intent: the window ended before its turn, or the provider took no more calls
 * (429). So it does not count as an attempt: the next one has its number, at `from` or the first time after it that the rules allow. An
 * attempt that was sent before stays open: an earlier call may have arrived.
 */
export function putOffAttempt(
  both: DebitOfMandate,
  attempt: AttemptKey,
  timing: Timing,
  from: Date,
): Outcome {
  const { debit } = both;
  const row = rowOf(debit, attempt);
  if (row?.state !== 'begun' || row.called_at > row.started_at) return unchanged(debit);
  const without = changed(debit, { attempts: debit.attempts.filter(({ number }) => number !== row.number) });
  return andThen(without, (after) => {
    if (!isLive(after)) return changed(after, {}, withdrawal(after, timing.now));
    if (after.stop_code !== null) return failDebit(after, after.stop_code, timing.now);
    return putOff({ ...both, debit: after }, timing, from);
  });
}

function putOff(both: DebitOfMandate, { rules }: Timing, from: Date): Outcome {
  return plan(both, executableAt(both, rules, from) ?? from);
}

function lastCode({ attempts }: Debit): PaymentFailureCode {
  return attempts.at(-1)?.failure_code ?? 'payment_failed';
}
