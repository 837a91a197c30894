import { setTimeout as pause } from 'node:timers/promises';

/** Wall milliseconds for which a request is sent again. A service that is replaced is back well before, on a busy machine too. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 1_000;

/**
 * `fetch` as every client of this API should do it: no connection, a 503, or a 409 that says that this very request still
 * runs is no end. The same request is sent again after `Retry-After` seconds, with the same Idempotency-Key, so that it is
 * done once however often it is sent. Whatever else is answered is the answer; after a minute so is the last one.
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
