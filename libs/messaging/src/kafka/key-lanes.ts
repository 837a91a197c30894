/** Runs work in order for each key, one at a time; different keys run at the same time. */
export class KeyLanes {
  /** The last work of each key that has some. */
  readonly #tails = new Map<string, Promise<void>>();
  readonly #running = new Set<Promise<void>>();

  /**
   * Runs the work when all earlier work of the key has ended, even if it failed: work that must not follow a failure has to
   * check that itself. Rejects as the work does.
   */
  run(key: string, work: () => Promise<void>): Promise<void> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const own = before.then(work, work);
    const forget = (): void => {
      this.#running.delete(own);
      if (this.#tails.get(key) === own) this.#tails.delete(key);
    };
    this.#tails.set(key, own);
    this.#running.add(own);
    own.then(forget, forget);
    return own;
  }

  /** Resolves when no work is left. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }
}
