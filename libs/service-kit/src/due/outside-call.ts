import { faultPoint } from '@fundrail/messaging';
import type { Log } from '../logging/log.ts';
import type { DueResult, DueWork } from './due-work.ts';

/** A row without a usable answer for this long counts as unresolved (GATE-5). */
const UNRESOLVED_AFTER_MS = 24 * 3_600_000;

/**
 * The places of each outside request at which a crash test may stop the process, after the request's name. `called`: the answer is here,
 * and nothing of it is stored.
 */
export type RequestFaultPoint = 'before_call' | 'called';

/**
 * The answer to an outside request, such as an `Answer` of libs/providers. A declaration converts to `yes` every answer that decides
 * something, a refusal included; any other answer leaves the row as it is.
 */
export type OutsideAnswer<Outcome> = { readonly kind: 'yes'; readonly value: Outcome } | Unusable;
type Unusable =
  | { readonly kind: 'no' | 'not_found' }
  | { readonly kind: 'unknown'; readonly why: string; readonly detail: string };

interface OutsideRequest<Row, Outcome> {
  /** For the log and the fault points: `orders.submit` passes `orders.submit.before_call` and `orders.submit.called`. */
  readonly name: string;
  /** Runs outside any transaction. A due result instead of an answer means that no call was made. */
  readonly call: (row: Row) => Promise<OutsideAnswer<Outcome> | DueResult>;
}

/** What is reported while a row has no usable answer. */
interface Silence<Row> {
  readonly log: Log;
  /** The subject of the log line: `an order`. */
  readonly what: string;
  readonly about: (row: Row) => Readonly<Record<string, unknown>>;
  /**
   * Records that the row has no usable answer, and returns since when. Then only silence of `UNRESOLVED_AFTER_MS` is a warning. When left out,
   * each unusable answer is one.
   */
  readonly record?: (row: Row) => Promise<{ readonly since: Date; readonly now: Date }>;
  /** How many rows in all have had no usable answer since that time. */
  readonly countSince?: (since: Date) => Promise<number>;
}

/**
 * A call to a system outside the service, for a row whose intent to call is committed. The call is repeated on the schedule of its due work
 * until its outcome is applied (GATE-3).
 */
export interface OutsideCall<Row, Outcome> {
  /** Commits the intent, or finds the row that has it. Returns null when the call is not wanted, or not any more. */
  readonly load: (work: DueWork) => Promise<Row | null>;
  /** Makes the call. The row's reference is its idempotency key, so a repeated call has no second effect. */
  readonly send: OutsideRequest<Row, Outcome>;
  /** Asks what came of an earlier call. Left out where a repeated call answers that. `not_found` means that no call has arrived. */
  readonly ask?: OutsideRequest<Row, Outcome>;
  /** Whether this attempt asks before it sends; when left out, each attempt after the first does. */
  readonly asksFirst?: (row: Row, work: DueWork) => boolean;
  /** Applies the outcome under the row's lock. Idempotent: it may be known already. */
  readonly apply: (row: Row, outcome: Outcome) => Promise<DueResult>;
  readonly silence: Silence<Row>;
}

/** Handles the due work of an outside call: asks or sends, applies the outcome, and leaves the row as it is without one. */
export async function pursue<Row, Outcome>(
  call: OutsideCall<Row, Outcome>,
  work: DueWork,
): Promise<DueResult> {
  const row = await call.load(work);
  if (row === null) return 'done';
  const asksFirst = call.asksFirst?.(row, work) ?? work.attempts > 0;
  if (!call.ask || !asksFirst) return sendNow(call, row);
  const answer = await answerTo(call.ask, row);
  return isAnswer(answer) && answer.kind === 'not_found'
    ? sendNow(call, row)
    : conclude(call, call.ask, { row, answer });
}

/** Sends the call of a loaded row without asking first, and applies the outcome. */
export async function sendNow<Row, Outcome>(call: OutsideCall<Row, Outcome>, row: Row): Promise<DueResult> {
  return conclude(call, call.send, { row, answer: await answerTo(call.send, row) });
}

async function answerTo<Row, Outcome>({ name, call }: OutsideRequest<Row, Outcome>, row: Row) {
  await faultPoint(`${name}.before_call`);
  const answer = await call(row);
  await faultPoint(`${name}.called`);
  return answer;
}

function isAnswer<Outcome>(answer: OutsideAnswer<Outcome> | DueResult): answer is OutsideAnswer<Outcome> {
  return typeof answer === 'object' && 'kind' in answer;
}

async function conclude<Row, Outcome>(
  { apply, silence }: OutsideCall<Row, Outcome>,
  { name }: OutsideRequest<Row, Outcome>,
  { row, answer }: { readonly row: Row; readonly answer: OutsideAnswer<Outcome> | DueResult },
): Promise<DueResult> {
  if (!isAnswer(answer)) return answer;
  if (answer.kind === 'yes') return apply(row, answer.value);
  await report(silence, row, { call: name, ...reasonOf(answer) });
  return 'later';
}

async function report<Row>(
  { log, what, about, record, countSince }: Silence<Row>,
  row: Row,
  reason: Readonly<Record<string, string>>,
): Promise<void> {
  const facts = { ...about(row), ...reason };
  const recorded = await record?.(row);
  if (!recorded) {
    log.warn(`${what} got no usable answer`, facts);
    return;
  }
  const unresolvedSince = new Date(recorded.now.getTime() - UNRESOLVED_AFTER_MS);
  if (recorded.since > unresolvedSince) {
    log.info(`${what} got no usable answer`, facts);
    return;
  }
  const in_all = await countSince?.(unresolvedSince);
  log.warn(`${what} is unresolved`, { ...facts, silent_since: recorded.since, in_all });
}

function reasonOf(answer: Unusable): Readonly<Record<string, string>> {
  return answer.kind === 'unknown' ? { why: answer.why, detail: answer.detail } : { why: answer.kind };
}
