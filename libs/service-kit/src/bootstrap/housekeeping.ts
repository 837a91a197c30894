import type { KitParts } from './kit-parts.ts';

/** Idempotency keys live 24 h; it does not matter when exactly they go. */
const EVERY_MS = 600_000;

/** Removes what is no longer needed, now and then, in the background. Answers the way to end it. */
export function keepHouse({ database, keyStore, log }: KitParts): () => void {
  const timer = setInterval(() => {
    database
      .now()
      .then((now) => keyStore.forgetOld(now))
      .catch((error: unknown) => log.error('old idempotency keys could not be removed', error));
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
