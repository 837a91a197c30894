/** Work often comes in a row, one step of a payment after the other. */
const BUSY_FOR_MS = 10_000;
const LEFT_OUT_WHEN_IDLE = 3;

/**
 * Which ticks of a timer poll: each while there is work, and every fourth when there has been none for 10 s. A poll that finds nothing
 * costs a statement for each lane, all day. Times are of a monotonic clock, in milliseconds.
 */
export class PollPace {
  private lastWorkMs = Number.NEGATIVE_INFINITY;
  private leftOut = 0;

  /** There was work, or there will soon be some. */
  noteWork(nowMs: number): void {
    this.lastWorkMs = nowMs;
  }

  /** Whether this tick polls. Call it once for each tick. */
  polls(nowMs: number): boolean {
    const isBusy = nowMs - this.lastWorkMs < BUSY_FOR_MS;
    this.leftOut = isBusy || this.leftOut >= LEFT_OUT_WHEN_IDLE ? 0 : this.leftOut + 1;
    return this.leftOut === 0;
  }
}
