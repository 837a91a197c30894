/** Messages of one partition in the order of their offsets. An offset is a 64-bit number; 2^53 of them will do. */
export interface Placed {
  readonly offset: number;
}

/**
 * The part of a partition that a member holds: from the first event that is not settled to the last that was taken. Events
 * settle in any order, since each key goes its own way; what may be committed is only the prefix without a hole.
 */
export class PartitionWindow {
  /** Taken and not settled, or settled behind a hole; in the order of offsets. */
  readonly #open = new Map<number, boolean>();
  #next: number;
  #committed: number;
  #gap: number | null = null;

  /**
   * @param start the committed offset: everything before it is settled.
   * @param limit from this many events on the window is full.
   */
  constructor(
    start: number,
    private readonly limit: number,
  ) {
    this.#next = start;
    this.#committed = start;
  }

  /** The offset after the last event that was taken: where fetching has to go on. */
  get next(): number {
    return this.#next;
  }

  get isFull(): boolean {
    return this.#open.size >= this.limit;
  }

  /** Room for half of it again: fetching goes on here and not at the first free place, so that it comes in batches. */
  get hasRoom(): boolean {
    return this.#open.size <= this.limit / 2;
  }

  /**
   * Takes what follows in offset order, and answers that; what it has taken before is left out. Null when something is
   * missing before the messages, as when they were fetched for an earlier assignment: fetch again from `next`. If they come
   * again the same, the log has the gap (retention has cut its start off), and they are taken.
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

  /** The offset that may be committed, when it has moved since the last one that was. */
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
