/** A failed check; the message states what it found. */
export class NotSo extends Error {}

/** The report of a run: one line per check, and figures for the last line. */
export class Report {
  readonly figures: Record<string, unknown> = {};
  #passed = 0;
  #failed = 0;

  get failed(): number {
    return this.#failed;
  }

  /** Runs one check and prints its line with the check's result. Returns whether it passed, and never throws. */
  async check(says: string, look: () => Promise<string>): Promise<boolean> {
    const started = performance.now();
    const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
    try {
      const seen = await look();
      this.#passed += 1;
      console.log(`ok    ${says}${seen && `: ${seen}`} (${seconds()})`);
      return true;
    } catch (error) {
      this.#failed += 1;
      console.log(`FAIL  ${says}: ${wordsOf(error)} (${seconds()})`);
      return false;
    }
  }

  /** The last line. */
  json(): string {
    return JSON.stringify({ passed: this.#passed, failed: this.#failed, ...this.figures });
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof NotSo) return error.message;
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause ? `, as ${wordsOf(error.cause)}` : '';
  return `${error.message.trim().split('\n').slice(-5).join(' | ')}${cause}`;
}
