import { istDate } from '@fundrail/contracts';
import type { MandateFacts, PaymentFailureCode } from '@fundrail/contracts';
import { amended, paymentMachine } from '@fundrail/state-machines';
import { endedShares } from '../payment/orders-of-payment.ts';
import type { OrderStates } from '../payment/orders-of-payment.ts';
import { andThen, failPayment, firstQuestion, note, stepped, unchanged } from '../payment/payment.ts';
import type { Amendment, DueTask, Outcome, Payment } from '../payment/payment.ts';
import { executionKind } from './sending/execution-kind.ts';
import type { DebitMandateType } from './debit-policy.ts';

/** A row of `debits`: how a NACH payment takes its money. The mandate is as it was when the debit was admitted. */
export interface DebitRow {
  readonly payment_id: number;
  readonly tenant: string;
  readonly mandate_id: number;
  readonly mandate_type: DebitMandateType;
  readonly mandate_token: string;
  readonly provider_id: string | null;
  readonly umrn: string | null;
  /** When the next attempt is planned. Until `planned_at` it is only expected. */
  readonly execute_at: Date;
  readonly planned_at: Date | null;
  /** The intent of the notice: from here on it may be out. */
  readonly notice_begun_at: Date | null;
  /** The provider said that the notice is out; its answer is kept as proof. */
  readonly notified_at: Date | null;
  readonly notice_reference: string | null;
  readonly notice_proof: string | null;
  readonly notice_withdrawn_at: Date | null;
  /** Counts from 1: a notice whose day is over is told anew. */
  readonly notice_number: number;
  /** A call for the notice is under way; null when none is. */
  readonly notice_called_at: Date | null;
  /** When the money is taken, as the investor was told. */
  readonly told_execute_at: Date | null;
  /** The notice did not reach the investor. */
  readonly notice_failed_at: Date | null;
  /** The mandate was cancelled or has expired. */
  readonly mandate_ended_at: Date | null;
}

/** One attempt: the intent before the call, the outcome after it. Open until it is known whether money came. */
export interface AttemptRow {
  readonly payment_id: number;
  /** Counts from 1. */
  readonly number: number;
  readonly tenant: string;
  readonly reference: string;
  readonly started_at: Date;
  /** When it was last sent again; its first call follows `started_at`. */
  readonly called_at: Date | null;
  /** Nothing was or will be asked of the provider under this intent, for want of a permit: it is to be put off. */
  readonly uncalled: boolean;
  /** The provider has taken it on, and the result comes. */
  readonly accepted_at: Date | null;
  readonly ended_at: Date | null;
  /** Null while it is open, and when the money came. */
  readonly failure_code: PaymentFailureCode | null;
  /** Why the provider never had it: mandates gave no permit, or it says that it never heard of it. Null when it may have. */
  readonly never: 'forbidden' | 'unheard' | null;
}

/** Attempts in their order. */
export interface Debit extends DebitRow {
  readonly attempts: readonly AttemptRow[];
}

/**
 * How long a call may be under way: mandates and identity first, then calls at the provider of 5 s each, with room. Who does
 * not know of it before may still hear of it.
 */
export const UNDER_WAY_MS = 60_000;

/** Whether the provider may still hear of a call for this attempt. */
export function isUnderWay(
  { started_at, called_at }: Pick<AttemptRow, 'started_at' | 'called_at'>,
  now: Date,
): boolean {
  return now.getTime() - (called_at ?? started_at).getTime() < UNDER_WAY_MS;
}

/** How long a provider may leave us without an answer to what takes no money. After that it is given up. */
export const UNRESOLVED_MS = 24 * 3_600_000;

/** What a decision over a payment and its debit comes to. */
export interface DebitOutcome {
  readonly outcome: Outcome;
  readonly debit: Debit;
}

export function unmoved(payment: Payment, debit: Debit): DebitOutcome {
  return { outcome: unchanged(payment), debit };
}

/** The debit of an admitted mandate; `execute_at` is what is expected at its admission. */
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

/** The attempt whose result is not known: no other one is begun while there is one. */
export function openAttempt({ attempts }: Debit): AttemptRow | null {
  return attempts.find(({ ended_at }) => ended_at === null) ?? null;
}

/** Whether the debit may still take the money, as far as its payment goes. */
export function isLive({ status }: Payment): boolean {
  return status === 'PENDING' || status === 'SUBMITTED';
}

export function hasOrderEnded(payment: Payment, states: OrderStates): boolean {
  return endedShares(payment.orders, states).length > 0;
}

/** Plans the next attempt. `debit_date` is the planned day, and told when it becomes another one. */
export function plan(
  payment: Payment,
  debit: Debit,
  execute_at: Date,
  now: Date,
  word: Amendment = 'plan_debit',
): DebitOutcome {
  const debit_date = istDate(execute_at);
  const events = debit_date === payment.debit_date ? [] : (['payment.updated'] as const);
  const step = amended(paymentMachine, payment, word, { debit_date }, events);
  return {
    outcome: stepped(step, [
      { kind: executionKind(payment.provider_name), key: String(payment.id), due_at: execute_at },
    ]),
    debit: { ...debit, execute_at, planned_at: now },
  };
}

/**
 * Ends a debit for which no money came: FAILED, and its notice is taken back when the provider never had an attempt on it. What
 * it may have had is asked about for days, because money may come late.
 */
export function failDebit(payment: Payment, debit: Debit, code: PaymentFailureCode, now: Date): DebitOutcome {
  return ended(payment, debit, failPayment(payment, 'fail', code, now), now);
}

/** The same at the wish of the client. */
export function ended(payment: Payment, debit: Debit, outcome: Outcome, now: Date): DebitOutcome {
  const due = [...withdrawal(payment, debit, now), ...watch(payment, debit, now)];
  return { outcome: { ...outcome, due: [...outcome.due, ...due] }, debit };
}

/** A notice that is or may be out and is of no use any more. */
export function withdrawal({ id }: Payment, debit: Debit, due_at: Date): DueTask[] {
  const isOut = debit.notice_begun_at !== null && debit.notice_withdrawn_at === null;
  return isOut && debit.attempts.every(({ never }) => never !== null)
    ? [{ kind: 'debit.withdraw', key: String(id), due_at }]
    : [];
}

function watch(payment: Payment, debit: Debit, now: Date): DueTask[] {
  return debit.attempts.some(({ never }) => never !== 'forbidden') ? [firstQuestion(payment, now)] : [];
}

/** No attempt is begun from now on: the debit ends at once, unless the result of one that is under way still counts. */
export function stopped(payment: Payment, debit: Debit, now: Date): DebitOutcome {
  const code = stopOf(debit);
  if (code === null || !isLive(payment)) return unmoved(payment, debit);
  const noted = note(payment, 'stop_debit', {});
  return thenOf(noted, (row) =>
    openAttempt(debit) ? unmoved(row, debit) : failDebit(row, debit, code, now),
  );
}

/** Its mandate was cancelled or has expired. */
export function mandateEnded(payment: Payment, debit: Debit, now: Date): DebitOutcome {
  if (debit.mandate_ended_at !== null) return unmoved(payment, debit);
  return stopped(payment, { ...debit, mandate_ended_at: now }, now);
}

/** Why no further attempt may be begun, whatever the payment and its order say; null when one may. */
export function stopOf({ notice_failed_at, mandate_ended_at }: Debit): PaymentFailureCode | null {
  if (mandate_ended_at !== null) return 'mandate_cancelled';
  return notice_failed_at === null ? null : 'payment_failed';
}

/** One outcome after another, the second over payment and debit. */
export function thenOf(first: Outcome, decide: (payment: Payment) => DebitOutcome): DebitOutcome {
  const second = decide(first.payment);
  return { outcome: andThen(first, () => second.outcome), debit: second.debit };
}

/** The row of an intent as it is now; undefined when it was put off. Another intent of that number has begun at another time. */
export function rowOf(
  { attempts }: Debit,
  { number, started_at }: Pick<AttemptRow, 'number' | 'started_at'>,
): AttemptRow | undefined {
  return attempts.find((row) => row.number === number && row.started_at.getTime() === started_at.getTime());
}

export function withAttempt(debit: Debit, attempt: AttemptRow): Debit {
  return { ...debit, attempts: debit.attempts.map((row) => (row.number === attempt.number ? attempt : row)) };
}

/** Nothing is in flight under this permit any more. */
export function closing({ id }: Payment, { number }: Pick<AttemptRow, 'number'>, due_at: Date): DueTask[] {
  return [{ kind: 'debit.close_permit', key: permitKey(id, 'execute', number), due_at }];
}

/** The due work's key of a permit that is to be closed. */
export function permitKey(id: number, step: 'notify' | 'execute', attempt: number): string {
  return `${id} ${step} ${attempt}`;
}
