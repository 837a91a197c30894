import { waitFor } from '@fundrail/testing';

/** Calls `ask` until its answer holds, and returns it; throws with the last answer when it never does. */
export async function eventually<T>(ask: () => Promise<T> | T, holds: (answer: T) => boolean): Promise<T> {
  const held = await waitFor(async () => {
    const answer = await ask();
    if (!holds(answer)) throw new Error(`the last answer was ${JSON.stringify(answer)}`);
    return { answer };
  });
  return held.answer;
}
