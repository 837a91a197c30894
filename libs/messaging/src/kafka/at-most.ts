import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits for clean-up work, but at most this many wall milliseconds: without a broker kafkajs would keep retrying, and a process
 * has nine seconds to stop. Never rejects.
 */
export async function atMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const limit = pause(limitMs, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([work.catch(() => undefined), limit]);
  over.abort();
}
