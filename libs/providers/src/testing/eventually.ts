import { setTimeout as pause } from 'node:timers/promises';

// A simulated provider answers within milliseconds. The limit only stops a wait that would never end.
const LIMIT_MS = 60_000;
const EVERY_MS = 15;

/** Calls `ask` until its answer holds, and returns it; throws with the last answer when it never does. */
export async function eventually<T>(ask: () => Promise<T> | T, holds: (answer: T) => boolean): Promise<T> {
  const end = Date.now() + LIMIT_MS;
  for (;;) {
    const answer = await ask();
    if (holds(answer)) return answer;
    if (Date.now() > end)
      throw new Error(`the condition was never true; the last answer was ${JSON.stringify(answer)}`);
    await pause(EVERY_MS);
  }
}
