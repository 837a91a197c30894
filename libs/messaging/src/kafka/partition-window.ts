/** Messages of one partition in the order of their offsets. An offset is a 64-bit number; 2^53 of them will do. */
interface Placed {
  readonly offset: number;
}

/**
 * The part of a partition that a member holds: from the first event that is not settled to the last that was taken. Events
 * settle in any order, since keys are independent; only the prefix without gaps may be committed.
 */
export class PartitionWindow {
  /** Events taken and not settled (false), or settled behind a gap (true), in the order of offsets. */
  readonly #open = new Map<number, boolean>();
  #next: number;
  #committed: number;
  #gap: number | null = null;

  /**
   * @param start the committed offset: everything before it is settled.
   * @param limit the window is full at this many events.
   */
  constructor(
    start: number,
    private readonly limit: number,
  ) {
    this.#next = start;
    this.#committed = start;
  }

  /** The offset after the last event that was taken, where fetching must continue. */
  get next(): number {
    return this.#next;
  }

  get isFull(): boolean {
    return this.#open.size >= this.limit;
  }

  /** Whether half of the window is free. Fetching resumes only then, so that messages come in batches. */
  get hasRoom(): boolean {
    return this.#open.size <= this.limit / 2;
  }

  /**
   * Takes the messages that follow in offset order and returns them, without those taken before. Returns null when there is a gap
   * before the messages, as when they were fetched for an earlier assignment: fetch again from `next`. If the same messages come
   * again, the log itself has the gap (retention has deleted its start), and they are taken.
   */
  take<M extends Placed>(messages: readonly M[]): readonly M[] | null {
    const fresh = messages.filter(({ offset }) => offset >= this.#next);
    const [first] = fresh;
    if (!first) return [];
    if (first.offset > this.#next && first.offset !== this.#gap) {
      this.#gap = first.offset;
      return null;
    }
    this.#gap = null;
    for (const { offset } of fresh) {
      this.#open.set(offset, false);
      this.#next = offset + 1;
    }
    return fresh;
  }

  /** The event at this offset has had its effect or is parked. */
  settle(offset: number): void {
    if (this.#open.has(offset)) this.#open.set(offset, true);
    for (const [first, isSettled] of this.#open) {
      if (!isSettled) break;
      this.#open.delete(first);
    }
  }

  /** The offset to commit, if it has moved since the last commit; else null. */
  toCommit(): number | null {
    const prefix = this.#prefix();
    return prefix > this.#committed ? prefix : null;
  }

  committed(offset: number): void {
    this.#committed = Math.max(this.#committed, offset);
  }

  #prefix(): number {
    const [first] = this.#open.keys();
    return first ?? this.#next;
  }
}
