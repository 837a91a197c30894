import type { z } from 'zod';

/**
 * An outside system's answer (GATE-12). `no` is the system's own refusal;
 * `unknown` is a missing answer, or one that we do not understand: the object keeps its state, and its status is requested again;
 * `too_many_requests` and `not_sent` are not answers either, but certainly nothing was done: the same call may be made again
 * after a while.
 * `not_found` means the call never arrived there: it is sent again with the same key.
 */
export type Answer<T, Code extends string = string> =
  | { readonly kind: 'yes'; readonly value: T }
  | { readonly kind: 'no'; readonly failure_code: Code; readonly message: string }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unknown'; readonly why: 'no_answer' | 'not_understood'; readonly detail: string }
  | NotDone;

/** The system accepts no calls for this time (429), or we send none (decision 0024). This call did nothing. */
export interface NotDone {
  readonly kind: 'unknown';
  readonly why: 'too_many_requests' | 'not_sent';
  readonly detail: string;
  readonly retry_after_ms: number;
}

/** Whether the call certainly did nothing and may be made again after a while. */
export function isNotDone(answer: Answer<unknown>): answer is NotDone {
  return answer.kind === 'unknown' && (answer.why === 'too_many_requests' || answer.why === 'not_sent');
}

/** The same answer when an earlier call may have had its effect, so that nothing is certain. */
export function inDoubt<T, C extends string>(answer: Answer<T, C>): Answer<T, C> {
  return isNotDone(answer) ? { kind: 'unknown', why: 'no_answer', detail: answer.detail } : answer;
}

/** The same answer with another value. */
export function mapYes<A, B, C extends string>(answer: Answer<A, C>, map: (value: A) => B): Answer<B, C> {
  return answer.kind === 'yes' ? { kind: 'yes', value: map(answer.value) } : answer;
}

export function notUnderstood(detail: string): { kind: 'unknown'; why: 'not_understood'; detail: string } {
  return { kind: 'unknown', why: 'not_understood', detail };
}

/** The answer that a body is by its schema. */
export function answerIn<S extends z.ZodType>(schema: S, body: unknown): Answer<z.output<S>> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return { kind: 'yes', value: parsed.data };
  // Paths and messages only: the values could be personal data, and details are logged.
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return notUnderstood(issues.join('; '));
}

export type CallbackHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The callback is not from the provider, or is too old: answer 400 and change nothing. */
export class BadSignature extends Error {}

/** The callback is signed, but its object cannot be read: answer 400 and change nothing. */
export class UnreadableCallback extends Error {}

/** The callback is signed, but its payment could not be determined now: answer 503, so that it is sent again. */
export class CallbackUnresolved extends Error {}
