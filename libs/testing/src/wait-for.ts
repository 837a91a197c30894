import { setTimeout as pause } from 'node:timers/promises';

export interface WaitOptions {
  /** Gives up after this many milliseconds; a minute when left out, which only stops a wait that would never end. */
  readonly limitMs?: number;
  /** Pause between two checks, in milliseconds. */
  readonly everyMs?: number;
  /** What is waited for, for the error. */
  readonly what?: string;
}

/**
 * Calls `condition` until it returns something truthy, and returns that. Throws when the limit has passed. An error of the
 * condition counts as "not yet"; the last one is the cause of the error that is thrown.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  options: WaitOptions = {},
): Promise<NonNullable<T>> {
  const { limitMs = 60_000, everyMs = 20, what = 'the condition' } = options;
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

/** Waits until `isStill` holds at two checks in a row, because one check may miss work that moves from one place to another. */
export async function waitForRest(isStill: () => Promise<boolean>, options: WaitOptions): Promise<void> {
  let checks = 0;
  await waitFor(
    async () => {
      checks = (await isStill()) ? checks + 1 : 0;
      return checks === 2;
    },
    { what: 'rest', ...options },
  );
}
