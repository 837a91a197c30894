import type { ApiAnswer } from '../api-client.ts';

/** An answer has to come by then, whatever is away: no client waits for longer. */
const ANSWER_LIMIT_MS = 30_000;
/** What whoever asks for what is away is told. */
export const UNAVAILABLE = { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: '1' };

/** What a client sees of a refusal. */
export function refusalOf({ status, headers, body }: ApiAnswer) {
  const { code } = (body['error'] ?? {}) as { readonly code?: string };
  return { status, code, retryAfter: headers.get('retry-after') };
}

/** The answer, or an error when it does not come in time. */
export function inTime<T>(answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no answer in time')), ANSWER_LIMIT_MS);
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer));
}

/** What is seen while something is away; it is given back whatever happens. */
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
