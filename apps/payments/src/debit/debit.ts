import { istDate, type MandateFacts, type PaymentFailureCode, type ProviderName } from '@fundrail/contracts';
import { amended, paymentMachine } from '@fundrail/state-machines';
import { endedShares, type OrderStates } from '../payment/orders-of-payment.ts';
import { andThen, failPayment, firstStatusCall, note, stepped, unchanged } from '../payment/payment.ts';
import type { DueTask, Outcome, Payment } from '../payment/payment.ts';
import type { DebitRules } from './debit-policy.ts';
import type { AttemptRow, Debit } from './debit.tables.ts';

/**
 * How long a call can be under way: calls of mandates and identity, then calls of the provider of 5 s each, with a margin. Before this
 * time, a provider that does not know the call may still receive it.
 */
export const UNDER_WAY_MS = 60_000;

/** Whether a call for this attempt may still reach the provider. */
export function isUnderWay(
  { started_at, called_at }: Pick<AttemptRow, 'started_at' | 'called_at'>,
  now: Date,
): boolean {
  return now.getTime() - (called_at ?? started_at).getTime() < UNDER_WAY_MS;
}

/** The due kind of executions at a provider. Each has its own, so that no provider waits for the debits of another. */
export function executionKind(provider: ProviderName): `debit.execute.${Lowercase<ProviderName>}` {
  return `debit.execute.${provider.toLowerCase() as Lowercase<ProviderName>}`;
}

/** How long a call that takes no money is retried without an answer. After that it is given up. */
export const UNRESOLVED_MS = 24 * 3_600_000;

/** When a decision about a debit is made, and the rules that count then. */
export interface Timing {
  readonly rules: DebitRules;
  readonly now: Date;
}

/** What a decision about a debit depends on besides its own rows. */
export interface Circumstances extends Timing {
  readonly states: OrderStates;
}

/** The result of a decision over a payment and its debit. */
export interface DebitOutcome {
  readonly outcome: Outcome;
  readonly debit: Debit;
}

export function unchangedDebit(payment: Payment, debit: Debit): DebitOutcome {
  return { outcome: unchanged(payment), debit };
}

/** The debit of an admitted mandate; `execute_at` is the time that was expected at its admission. */
export function newDebit(
  payment_id: number,
  mandate: MandateFacts,
  mandate_token: string,
  execute_at: Date,
): Debit {
  const { tenant, id: mandate_id, mandate_type, provider_id, umrn } = mandate;
  return {
    payment_id,
    tenant,
    mandate_id,
    mandate_type,
    mandate_token,
    provider_id,
    umrn,
    execute_at,
    planned_at: null,
    notice_begun_at: null,
    notified_at: null,
    notice_reference: null,
    notice_proof: null,
    notice_withdrawn_at: null,
    notice_number: 1,
    notice_called_at: null,
    told_execute_at: null,
    notice_failed_at: null,
    mandate_ended_at: null,
    attempts: [],
  };
}

/** The attempt without a known result. No other one is started while there is one. */
export function openAttempt({ attempts }: Debit): AttemptRow | null {
  return attempts.find(({ ended_at }) => ended_at === null) ?? null;
}

/** Whether the status of the payment allows the debit to take money. */
export function isLive({ status }: Payment): boolean {
  return status === 'PENDING' || status === 'SUBMITTED';
}

export function hasOrderEnded(payment: Payment, states: OrderStates): boolean {
  return endedShares(payment.orders, states).length > 0;
}

/** Plans the next attempt. `debit_date` is the planned day, and a change of it is published. */
export function plan(payment: Payment, debit: Debit, execute_at: Date, now: Date): DebitOutcome {
  const debit_date = istDate(execute_at);
  const events = debit_date === payment.debit_date ? [] : (['payment.updated'] as const);
  const step = amended(paymentMachine, payment, 'plan_debit', { changes: { debit_date }, events });
  return {
    outcome: stepped(step, [
      { kind: executionKind(payment.provider_name), key: String(payment.id), due_at: execute_at },
    ]),
    debit: { ...debit, execute_at, planned_at: now },
  };
}

/**
 * Ends a debit without money: FAILED. Its notice is withdrawn when the provider never received an attempt. Attempts that it may have
 * received are queried for days, because money may come late.
 */
export function failDebit(payment: Payment, debit: Debit, code: PaymentFailureCode, now: Date): DebitOutcome {
  return ended(payment, debit, failPayment(payment, 'fail', code, now), now);
}

/** The same for another end of the payment, such as a cancellation by the client. */
export function ended(payment: Payment, debit: Debit, outcome: Outcome, now: Date): DebitOutcome {
  const due = [...withdrawal(payment, debit, now), ...watch(payment, debit, now)];
  return { outcome: { ...outcome, due: [...outcome.due, ...due] }, debit };
}

/** Withdraws a notice that was or may have been sent and is no longer needed. */
export function withdrawal({ id }: Payment, debit: Debit, due_at: Date): DueTask[] {
  const isOut = debit.notice_begun_at !== null && debit.notice_withdrawn_at === null;
  return isOut && debit.attempts.every(({ never }) => never !== null)
    ? [{ kind: 'debit.withdraw', key: String(id), due_at }]
    : [];
}

function watch(payment: Payment, debit: Debit, now: Date): DueTask[] {
  return debit.attempts.some(({ never }) => never !== 'forbidden') ? [firstStatusCall(payment, now)] : [];
}

/** No further attempt is started. The debit ends immediately, unless an attempt is open, whose result still counts. */
export function stopped(payment: Payment, debit: Debit, now: Date): DebitOutcome {
  const code = stopOf(debit);
  if (code === null || !isLive(payment)) return unchangedDebit(payment, debit);
  const noted = note(payment, 'stop_debit', {});
  return followedBy(noted, (row) =>
    openAttempt(debit) ? unchangedDebit(row, debit) : failDebit(row, debit, code, now),
  );
}

/** Its mandate was cancelled or has expired. */
export function mandateEnded(payment: Payment, debit: Debit, now: Date): DebitOutcome {
  if (debit.mandate_ended_at !== null) return unchangedDebit(payment, debit);
  return stopped(payment, { ...debit, mandate_ended_at: now }, now);
}

/** Why the mandate or the notice forbids further attempts; null when they are allowed. */
export function stopOf({ notice_failed_at, mandate_ended_at }: Debit): PaymentFailureCode | null {
  if (mandate_ended_at !== null) return 'mandate_cancelled';
  return notice_failed_at === null ? null : 'payment_failed';
}

/** Combines an outcome with a decision that follows it over payment and debit. */
export function followedBy(first: Outcome, decide: (payment: Payment) => DebitOutcome): DebitOutcome {
  const second = decide(first.payment);
  return { outcome: andThen(first, () => second.outcome), debit: second.debit };
}

/** The current row of an attempt; undefined when it was postponed. Another attempt with the same number has another start time. */
export function rowOf(
  { attempts }: Debit,
  { number, started_at }: Pick<AttemptRow, 'number' | 'started_at'>,
): AttemptRow | undefined {
  return attempts.find((row) => row.number === number && row.started_at.getTime() === started_at.getTime());
}

export function withAttempt(debit: Debit, attempt: AttemptRow): Debit {
  return { ...debit, attempts: debit.attempts.map((row) => (row.number === attempt.number ? attempt : row)) };
}

/** Schedules the closing of the attempt's permit: its call has ended. */
export function closing({ id }: Payment, { number }: Pick<AttemptRow, 'number'>, due_at: Date): DueTask[] {
  return [{ kind: 'debit.close_permit', key: permitKey(id, 'execute', number), due_at }];
}

/** The key of the due work that closes a permit. */
export function permitKey(id: number, step: 'notify' | 'execute', attempt: number): string {
  return `${id} ${step} ${attempt}`;
}
