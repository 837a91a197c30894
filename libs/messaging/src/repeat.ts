/** A job that repeats until it is stopped. An error is reported, and the next round runs as usual. */
export class Repeat {
  #timer: NodeJS.Timeout | null = null;
  #round: Promise<void> = Promise.resolve();

  /**
   * @param everyMs wall milliseconds between the end of a round and the next.
   * @param firstAfterMs wall milliseconds until the first round; default `everyMs`.
   */
  constructor(
    private readonly everyMs: number,
    private readonly job: () => Promise<void>,
    private readonly onError: (error: unknown) => void,
    private readonly firstAfterMs = everyMs,
  ) {}

  start(): void {
    this.#startIn(this.firstAfterMs);
  }

  #startIn(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#round = this.job()
        .catch(this.onError)
        .then(() => {
          if (this.#timer) this.#startIn(this.everyMs);
        });
    }, ms);
  }

  /** Resolves when the running round has ended. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
    await this.#round;
  }
}
