/** Answers that are kept for a while; at most `most` of them, the oldest go first. Failures are not kept. */
export class KeptFor<T> {
  private readonly entries = new Map<string, { readonly value: Promise<T>; readonly until: number }>();

  constructor(
    private readonly keepMs: number,
    private readonly most: number,
  ) {}

  /** The kept answer, or `ask`'s. Those who come while it is asked share the answer. */
  get(key: string, ask: () => Promise<T>): Promise<T> {
    const kept = this.entries.get(key);
    if (kept && kept.until > performance.now()) return kept.value;
    const value = ask();
    this.entries.delete(key);
    this.entries.set(key, { value, until: performance.now() + this.keepMs });
    this.dropOldest();
    value.catch(() => this.entries.delete(key));
    return value;
  }

  forget(key: string): void {
    this.entries.delete(key);
  }

  private dropOldest(): void {
    if (this.entries.size <= this.most) return;
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.entries.delete(oldest);
  }
}
