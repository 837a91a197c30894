/** Work in the order of its keys: one at a time for each key, different keys at the same time. */
export class KeyLanes {
  /** The last work of each key that has some. */
  readonly #tails = new Map<string, Promise<void>>();
  readonly #running = new Set<Promise<void>>();

  /**
   * Runs the work when all earlier work of the key has ended, well or not: what must not follow a failure has to see to it
   * itself. Rejects as the work does.
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
