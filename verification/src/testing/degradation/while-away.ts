import type { ApiAnswer } from '../api-client.ts';

/** The limit for an answer, whichever part is away: clients do not wait longer. */
const ANSWER_LIMIT_MS = 30_000;
/** The refusal of a request that needs the missing part. */
export const UNAVAILABLE = { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: '1' };

/** The parts of a refusal that a client sees. */
export function refusalOf({ status, headers, body }: ApiAnswer) {
  const { code } = (body['error'] ?? {}) as { readonly code?: string };
  return { status, code, retryAfter: headers.get('retry-after') };
}

/** The answer; rejects when it does not come in time. */
export function inTime<T>(answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no answer in time')), ANSWER_LIMIT_MS);
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer));
}

/** Returns what `look` sees while a part is away; the part is always restored. */
export async function whileAway<T>(
  takeAway: () => unknown,
  giveBack: () => unknown,
  look: () => Promise<T>,
): Promise<T> {
  await takeAway();
  try {
    return await look();
  } finally {
    await giveBack();
  }
}
