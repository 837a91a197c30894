/**
 * One answer for all callers at the same time: `ask` runs once, and its answer is kept for `keepMs` milliseconds. All waiting callers
 * receive a failure, which is not kept. `now` is a monotonic clock in milliseconds.
 */
export class SharedAnswer<T> {
  private running: Promise<T> | null = null;
  private kept: { readonly answer: T; readonly until: number } | null = null;

  constructor(
    private readonly ask: () => Promise<T>,
    private readonly keepMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Rejects with the error of `ask`. */
  async get(): Promise<T> {
    if (this.kept && this.now() < this.kept.until) return this.kept.answer;
    return (this.running ??= this.askOnce());
  }

  private async askOnce(): Promise<T> {
    try {
      const answer = await this.ask();
      this.kept = { answer, until: this.now() + this.keepMs };
      return answer;
    } finally {
      this.running = null;
    }
  }
}
