import { setTimeout as pause } from 'node:timers/promises';

export interface WaitOptions {
  /** Gives up after so many milliseconds; 10 s unless told otherwise. */
  readonly limitMs?: number;
  /** Pause between two looks, in milliseconds. */
  readonly everyMs?: number;
  /** What is waited for, for the error. */
  readonly what?: string;
}

/**
 * Asks `condition` until it answers something truthy, and answers that. Throws when the limit has passed; an error of the
 * condition counts as "not yet", and the last one is the cause of what is thrown.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  options: WaitOptions = {},
): Promise<NonNullable<T>> {
  const { limitMs = 10_000, everyMs = 20, what = 'the condition' } = options;
  const end = Date.now() + limitMs;
  let lastError: unknown;
  do {
    try {
      const value = await condition();
      if (value) return value;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    await pause(everyMs);
  } while (Date.now() < end);
  throw new Error(`waited ${limitMs} ms for ${what}`, { cause: lastError });
}

/** Waits until `isStill` holds at two looks in a row: what one look finds nowhere may be on its way from here to there. */
export async function waitForRest(isStill: () => Promise<boolean>, options: WaitOptions): Promise<void> {
  let looks = 0;
  await waitFor(
    async () => {
      looks = (await isStill()) ? looks + 1 : 0;
      return looks === 2;
    },
    { what: 'rest', ...options },
  );
}
