import { istDate } from '@fundrail/contracts';
import type { CollectedMoney, MandateDebit, PaymentFailureCode, ProviderName } from '@fundrail/contracts';
import { nextUpiQuestion, type PlannedQuestion, type UpiTransaction } from '@fundrail/policies';
import { debitAttemptMachine, mandateDebitMachine, transition, apply } from '@fundrail/state-machines';
import type {
  Changes,
  DebitAttemptState,
  DebitAttemptTrigger,
  Decision,
  MandateDebitState,
  MandateDebitTrigger,
} from '@fundrail/state-machines';
import { isValidOn, type Mandate } from '../mandate/mandate.ts';
import type { DebitRules } from './debit-policy.ts';
import type { AttemptRow, Debit } from './debit.table.ts';

/**
 * How long a call can be under way: a call of identity, then calls of the provider of 5 s each, with a margin. Before this time, a
 * provider that does not know the call may still receive it.
 */
export const UNDER_WAY_MS = 60_000;

/** How long a call that takes no money is retried without an answer. After that it is given up. */
export const UNRESOLVED_MS = 24 * 3_600_000;

/** The first step of the schedule of GATE-3; the due worker's back-off continues from there. */
const FIRST_STATUS_CALL_MS = 5_000;

/** The due kind of executions at a provider. Each has its own, so that no provider waits for the debits of another. */
export function executionKind(provider: ProviderName): `debit.execute.${Lowercase<ProviderName>}` {
  return `debit.execute.${provider.toLowerCase() as Lowercase<ProviderName>}`;
}

/** Due work of a debit. The key is the payment's id; that of a replaced notice has the notice's number after it. */
export interface DebitTask {
  readonly kind: 'debit.notify' | 'debit.status' | 'debit.withdraw' | ReturnType<typeof executionKind>;
  readonly key: string;
  readonly due_at: Date;
  /** How many steps of the back-off to skip; default 0. */
  readonly attempts?: number;
}

/** A debit and its mandate, both read under their row locks, or together. */
export interface DebitOfMandate {
  readonly debit: Debit;
  readonly mandate: Mandate;
}

/** A step of a debit. `collected` is the money that `mandate_debit.succeeded` reports. */
export type DebitStep = Decision<Debit, MandateDebitTrigger | 'collect' | 'report_again'> & {
  readonly collected?: CollectedMoney;
};

/** The result of a decision: the debit after it, its steps in their order, and the due work. */
export interface Outcome {
  readonly debit: Debit;
  readonly steps: readonly DebitStep[];
  readonly due: readonly DebitTask[];
  /** The name of a fact that contradicts the recorded state. It is logged and never overwrites anything (CALL-4). */
  readonly contradiction?: string;
}

/** When a decision is made, and the rules that count then. */
export interface Timing {
  readonly rules: DebitRules;
  readonly now: Date;
}

export function unchanged(debit: Debit): Outcome {
  return { debit, steps: [], due: [] };
}

export function contradicted(debit: Debit, contradiction: string): Outcome {
  return { ...unchanged(debit), contradiction };
}

/** A change that is no step of the machine, such as the intent of a call. */
export function changed(debit: Debit, changes: Changes<Debit>, due: readonly DebitTask[] = []): Outcome {
  return { debit: { ...debit, ...changes }, steps: [], due };
}

export function stepped(
  debit: Debit,
  trigger: MandateDebitTrigger,
  changes: Changes<Debit>,
  due: readonly DebitTask[] = [],
): Outcome {
  // What moves on has its payment: only an admission waits for the check of the sweep.
  const step = transition(mandateDebitMachine, debit, trigger, { check_at: null, ...changes });
  return { debit: step.row, steps: [step], due };
}

/** Chains two decisions: the second decides about the debit as the first left it. */
export function andThen(first: Outcome, decide: (debit: Debit) => Outcome): Outcome {
  const second = decide(first.debit);
  const contradiction = second.contradiction ?? first.contradiction;
  return {
    debit: second.debit,
    steps: [...first.steps, ...second.steps],
    due: [...first.due, ...second.due],
    ...(contradiction === undefined ? {} : { contradiction }),
  };
}

const LIVE: ReadonlySet<MandateDebitState> = new Set(['admitted', 'notifying', 'planned', 'attempting']);

/** Whether the debit may still take money. */
export function isLive({ state }: Pick<Debit, 'state'>): boolean {
  return LIVE.has(state);
}

const OPEN: ReadonlySet<DebitAttemptState> = new Set(['begun', 'accepted']);

/** The attempt without a known result. No other one is started while there is one. */
export function openAttempt({ attempts }: Debit): AttemptRow | null {
  return attempts.find(({ state }) => OPEN.has(state)) ?? null;
}

/** A step of an attempt. Throws `IllegalTransition`. */
export function attemptStepped(
  attempt: AttemptRow,
  trigger: DebitAttemptTrigger,
  changes: Partial<AttemptRow>,
): AttemptRow {
  return { ...attempt, ...changes, state: apply(debitAttemptMachine, attempt.state, trigger) };
}

/** The attempts with this one changed. */
export function withAttempt({ attempts }: Debit, attempt: AttemptRow): Pick<Debit, 'attempts'> {
  return { attempts: attempts.map((row) => (row.number === attempt.number ? attempt : row)) };
}

/** Whether a call for this attempt may still reach the provider. */
export function isUnderWay({ called_at }: Pick<AttemptRow, 'called_at'>, now: Date): boolean {
  return now.getTime() - called_at.getTime() < UNDER_WAY_MS;
}

/** The current row of an attempt; undefined when it was postponed. Another attempt with the same number has another start time. */
export function rowOf(
  { attempts }: Debit,
  { number, started_at }: Pick<AttemptRow, 'number' | 'started_at'>,
): AttemptRow | undefined {
  return attempts.find((row) => row.number === number && row.started_at.getTime() === started_at.getTime());
}

export function task(
  { payment_id }: Pick<Debit, 'payment_id'>,
  kind: DebitTask['kind'],
  due_at: Date,
): DebitTask {
  return { kind, key: String(payment_id), due_at };
}

/** The first status call to the provider: by UPI, of the newest attempt by the policy `upi_status_enquiry`. */
export function firstStatusCall(debit: Debit, now: Date, firstSeconds?: number): DebitTask {
  const question = nextQuestion(debit, { asked: 0, firstSeconds }, now);
  if (question) return { ...task(debit, 'debit.status', question.at), attempts: question.position };
  return { ...task(debit, 'debit.status', new Date(now.getTime() + FIRST_STATUS_CALL_MS)), attempts: 1 };
}

/** What counts for the questions about the newest attempt by UPI; null without one, and for an e-mandate, which has no notice. */
export function upiAttemptOf(
  { attempts, notified_at }: Debit,
  about: Pick<UpiTransaction, 'firstSeconds' | 'early'>,
): UpiTransaction | null {
  const newest = attempts.at(-1);
  return newest && notified_at !== null ? { ...about, start: newest.started_at } : null;
}

/** When the provider is asked next about the newest attempt by UPI, of which it was `asked`; null when it is not by UPI. */
export function nextQuestion(
  debit: Debit,
  { asked, ...about }: Pick<UpiTransaction, 'firstSeconds' | 'early'> & { readonly asked: number },
  now: Date,
): PlannedQuestion | null {
  const byUpi = upiAttemptOf(debit, about);
  return byUpi && nextUpiQuestion({ ...byUpi, asked }, now);
}

/** Whether the provider may be called now: it may, it may not for now (DEB-7), or the debit's failure code (DEB-6). */
export type Permission = 'granted' | 'later' | PaymentFailureCode;

/**
 * Whether the provider may be called about a debit, for its notice or an attempt. The mandate must be APPROVED, and valid on `day` and
 * not past its last day today. Under the mandate's row lock, so that a pause or cancellation comes before or after the intent of the call.
 */
export function permissionOf({ debit, mandate }: DebitOfMandate, day: string, now: Date): Permission {
  if (mandate.mandate_status !== 'APPROVED') return 'mandate_cancelled';
  if (!isValidOn(mandate, day) || istDate(now) > mandate.valid_to) return 'mandate_cancelled';
  if (debit.amount.compare(mandate.mandate_limit) > 0) return 'mandate_limit_exceeded';
  return mandate.doubted_at === null ? 'granted' : 'later';
}

/** Plans the next attempt. A change of the planned day is published. */
export function plan({ debit, mandate }: DebitOfMandate, execute_at: Date): Outcome {
  const debit_date = istDate(execute_at);
  const trigger = debit_date === debit.debit_date ? 'plan' : 'reschedule';
  return stepped(debit, trigger, { debit_date, execute_at }, [
    task(debit, executionKind(mandate.provider_name), execute_at),
  ]);
}

/**
 * Ends a debit without money: FAILED. Its notice is withdrawn when the provider never received an attempt. Attempts that it may have
 * received are queried for days, because money may come late.
 */
export function failDebit(debit: Debit, code: PaymentFailureCode, now: Date): Outcome {
  return ended(debit, 'fail', { failure_code: code }, now);
}

/** The same for another end without money. */
export function ended(
  debit: Debit,
  trigger: 'fail' | 'cancel' | 'end' | 'release',
  changes: Changes<Debit>,
  now: Date,
): Outcome {
  const watch = debit.attempts.length > 0 ? [firstStatusCall(debit, now)] : [];
  return stepped(debit, trigger, { ...changes, ended_at: now }, [...withdrawal(debit, now), ...watch]);
}

/** Withdraws a notice that was or may have been sent and is no longer needed. */
export function withdrawal(debit: Debit, due_at: Date): DebitTask[] {
  const isOut = debit.notice_begun_at !== null && debit.notice_withdrawn_at === null;
  const isUnused = debit.attempts.every(({ state }) => state === 'unreceived');
  return isOut && isUnused ? [task(debit, 'debit.withdraw', due_at)] : [];
}

/** No further attempt is started. The debit ends immediately, unless an attempt is open, whose result still counts. */
export function stopped(debit: Debit, code: PaymentFailureCode, now: Date): Outcome {
  if (!isLive(debit)) return unchanged(debit);
  if (!openAttempt(debit)) return failDebit(debit, code, now);
  return debit.stop_code === null ? changed(debit, { stop_code: code }) : unchanged(debit);
}

/** The debit as `mandate_debit.*` carries it. */
export function toMandateDebit(
  { payment_id, mandate_id, state, debit_date, failure_code }: Debit,
  collected: CollectedMoney | null,
): MandateDebit {
  return { payment_id, mandate_id, state, debit_date, failure_code, collected };
}
