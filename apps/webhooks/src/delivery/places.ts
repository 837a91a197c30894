/** Wall milliseconds after which a delivery is slow: it waits for its endpoint, and costs this process next to nothing. */
const SLOW_MS = 1_000;

/**
 * A lease looks at every endpoint with something due, however few it then takes: it is made for this share of the quick places. Where slow
 * ones have nearly all that may be in flight, it is made for the few that are left: others must not wait until many of them end.
 */
const WORTH_A_LOOK = 0.25;

/**
 * How many deliveries this process may start. A slow one gives its place back before it ends, or a few endpoints that take
 * 14 s to answer would have all of them; only the memory of very many is bounded. Times are in milliseconds of one clock.
 */
export class Places {
  private readonly begun = new Map<symbol, number>();

  constructor(
    private readonly quick: number,
    private readonly inFlight: number,
  ) {}

  /** How many more may begin; none before it is worth a look. */
  free(now: number): number {
    let quick = 0;
    for (const at of this.begun.values()) if (now - at < SLOW_MS) quick += 1;
    const free = this.quick - quick;
    return free >= this.quick * WORTH_A_LOOK ? Math.min(free, this.inFlight - this.begun.size) : 0;
  }

  /** Takes a place, and answers the way to give it back. */
  take(now: number): () => void {
    const place = Symbol('place');
    this.begun.set(place, now);
    return () => void this.begun.delete(place);
  }
}
