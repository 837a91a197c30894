import { setTimeout as pause } from 'node:timers/promises';

/**
 * Starts `action` `perSecond` times per second by a fixed schedule: a slow one does not delay those after it, so the figures
 * include every wait. Starts no more once `isOver`. Resolves when all have ended; rejects with the first error.
 */
export async function atFixedRate(
  perSecond: number,
  seconds: number,
  action: (index: number) => Promise<void>,
  isOver = () => false,
): Promise<void> {
  const running: Promise<void>[] = [];
  const start = performance.now();
  for (let index = 0; index < perSecond * seconds && !isOver(); index += 1) {
    const early = start + (index * 1000) / perSecond - performance.now();
    if (early > 0) await pause(early);
    running.push(action(index));
  }
  await Promise.all(running);
}
