import { setTimeout as pause } from 'node:timers/promises';

/** Wall milliseconds for which a request is retried. A service that is replaced is back well before, even on a busy machine. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 1_000;

/**
 * `fetch` as every client of this API should do it: it retries when there is no connection, and on a 503 or a 409 for a request
 * that is still running. The retry follows after `Retry-After` seconds with the same Idempotency-Key, so that the request has its
 * effect once. Any other answer is final; after a minute the last answer is.
 */
export async function patientFetch(url: string, init: RequestInit): Promise<Response> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const tried = await fetch(url, init).catch((error: unknown) => error);
    const mayTryAgain = performance.now() < end;
    if (tried instanceof Response && !(mayTryAgain && (await asksForAnotherTry(tried)))) return tried;
    if (!(tried instanceof Response) && !mayTryAgain) throw tried;
    await pause(tried instanceof Response ? retryAfterMs(tried) : PAUSE_MS);
  }
}

async function asksForAnotherTry(response: Response): Promise<boolean> {
  if (response.status === 503) return true;
  return response.status === 409 && (await response.clone().text()).includes('IDEMPOTENCY_KEY_IN_USE');
}

function retryAfterMs(response: Response): number {
  return Number(response.headers.get('retry-after') ?? 1) * 1_000;
}
