import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits for work that only makes an end tidy, but no longer than this many wall milliseconds: without a broker kafkajs would
 * go on trying, and a process that is stopped has nine seconds. Never rejects.
 */
export async function atMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const limit = pause(limitMs, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([work.catch(() => undefined), limit]);
  over.abort();
}
