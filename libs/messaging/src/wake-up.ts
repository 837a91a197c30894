/** Lets a loop sleep until it is woken or a time has passed. A call while it is busy is not lost. */
export class WakeUp {
  #wake: (() => void) | null = null;
  #called = false;

  call(): void {
    this.#called = true;
    this.#wake?.();
  }

  /** Resolves at the next call, immediately if there was one since the last wait, or after `ms` wall milliseconds. */
  async wait(ms: number): Promise<void> {
    if (!this.#called) {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      const timer = setTimeout(resolve, ms, undefined);
      this.#wake = () => resolve(undefined);
      await promise;
      clearTimeout(timer);
      this.#wake = null;
    }
    this.#called = false;
  }
}
