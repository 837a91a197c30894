import { setTimeout as pause } from 'node:timers/promises';

// A played provider answers within milliseconds; a busy machine gets some seconds.
const LIMIT_MS = 8_000;
const EVERY_MS = 15;

/** Asks until the answer holds, and answers it; throws with the last answer when it never does. */
export async function eventually<T>(ask: () => Promise<T> | T, holds: (answer: T) => boolean): Promise<T> {
  const end = Date.now() + LIMIT_MS;
  for (;;) {
    const answer = await ask();
    if (holds(answer)) return answer;
    if (Date.now() > end)
      throw new Error(`it never came to be; the last answer was ${JSON.stringify(answer)}`);
    await pause(EVERY_MS);
  }
}
