/** A job that repeats until it is stopped; an error is told and the next round comes as usual. */
export class Repeat {
  #timer: NodeJS.Timeout | null = null;
  #round: Promise<void> = Promise.resolve();

  /** @param everyMs wall milliseconds between the end of a round and the next. */
  constructor(
    private readonly everyMs: number,
    private readonly job: () => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Runs the first round after `everyMs`. */
  start(): void {
    this.#timer = setTimeout(() => {
      this.#round = this.job()
        .catch(this.onError)
        .then(() => {
          if (this.#timer) this.start();
        });
    }, this.everyMs);
  }

  /** Resolves when a round that runs has ended. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
    await this.#round;
  }
}
