const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** HOOK-17: the pause after each failed attempt, in milliseconds. Ten attempts in all, 75.6 hours. */
export const RETRY_PAUSES_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** ±10 %, so that endpoints that failed together are not retried together. */
const JITTER = 0.1;

/** The maximum `Retry-After` of an endpoint: the table's longest pause. */
const LONGEST_MS = 24 * HOUR;

/**
 * Milliseconds until the next attempt after `failedTries` failed ones, or null when that was the last. `retryAfterMs` is the pause that
 * the endpoint requested (429, 503), from `parseRetryAfter`: it can lengthen the pause, not shorten it. `random` is in [0, 1).
 */
export function pauseAfter(failedTries: number, retryAfterMs: number | null, random: number): number | null {
  const pause = RETRY_PAUSES_MS[failedTries - 1];
  if (pause === undefined) return null;
  const jittered = Math.round(pause * (1 - JITTER + 2 * JITTER * random));
  return Math.max(jittered, retryAfterMs ?? 0);
}

// RFC 9110 §5.6.7: a recipient accepts all three formats, and a date without a zone is in UTC.
const HTTP_DATES = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** `Retry-After` in milliseconds, at most a day: seconds or an HTTP date (RFC 9110 §10.2.3), null when it is neither. */
export function parseRetryAfter(header: string | null, wallNow: Date): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Math.min(Number(header) * SECOND, LONGEST_MS);
  if (!HTTP_DATES.some((form) => form.test(header))) return null;
  const at = Date.parse(header.endsWith('GMT') ? header : `${header} GMT`);
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - wallNow.getTime()), LONGEST_MS);
}
