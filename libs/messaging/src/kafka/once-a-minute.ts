const QUIET_MS = 60_000;
const MOST_REMEMBERED = 200;

/** Lets each text through once a minute of wall time: an outage is a line now and then, not one a try. */
export class OnceAMinute {
  readonly #lastTold = new Map<string, number>();

  isDue(text: string): boolean {
    const now = Date.now();
    if (now - (this.#lastTold.get(text) ?? 0) < QUIET_MS) return false;
    if (this.#lastTold.size >= MOST_REMEMBERED) this.#lastTold.clear();
    this.#lastTold.set(text, now);
    return true;
  }
}
