/** Time-outs that end when a test says so, so that an answer that comes too late costs no seconds. They still end by the clock. */
export class TimeOuts {
  readonly #byTheClock = AbortSignal.timeout.bind(AbortSignal);
  #begun = new AbortController();

  /** Of all calls of this process that may take exactly so many milliseconds, until `end`. */
  constructor(timeoutMs: number) {
    AbortSignal.timeout = (ms) => {
      const byTheClock = this.#byTheClock(ms);
      return ms === timeoutMs ? AbortSignal.any([byTheClock, this.#begun.signal]) : byTheClock;
    };
  }

  /** Ends each call that has begun, as if its time were over. */
  pass(): void {
    const begun = this.#begun;
    this.#begun = new AbortController();
    begun.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  }

  end(): void {
    AbortSignal.timeout = this.#byTheClock;
  }
}
