const QUIET_MS = 60_000;
const MOST_STORED = 200;

/** Lets each text through once per minute of wall time, so that an outage does not log a line per try. */
export class OnceAMinute {
  readonly #lastPassed = new Map<string, number>();

  isDue(text: string): boolean {
    const now = Date.now();
    if (now - (this.#lastPassed.get(text) ?? 0) < QUIET_MS) return false;
    if (this.#lastPassed.size >= MOST_STORED) this.#lastPassed.clear();
    this.#lastPassed.set(text, now);
    return true;
  }
}
