/** Wall milliseconds after which a delivery is slow: it waits for its endpoint, and costs this process next to nothing. */
const SLOW_MS = 1_000;

/**
 * A lease looks at every endpoint with something due, however few it then takes: it is made for this share of the quick places. Where slow
 * ones have nearly all that may be in flight, it is made for the few that are left: others must not wait until many of them end.
 */
const WORTH_A_LOOK = 0.25;

/** How many more deliveries tenants may begin. */
export interface TenantRooms {
  /** Of those that have some under way. */
  readonly rooms: ReadonlyMap<string, number>;
  /** Of each of the others. */
  readonly others: number;
}

interface Begun {
  readonly at: number;
  readonly tenant: string;
}

/**
 * How many deliveries this process may start. A slow one gives its place back before it ends, or a few endpoints that take
 * 14 s to answer would have all of them; only the memory of very many is bounded. Times are in milliseconds of one clock.
 */
export class Places {
  /** Those that were quick when last looked at, the first begun first, and those that were slow. */
  private readonly young = new Map<symbol, Begun>();
  private readonly slow = new Map<symbol, Begun>();

  constructor(
    private readonly quick: number,
    private readonly inFlight: number,
  ) {}

  /** How many more may begin; none before it is worth a look. */
  free(now: number): number {
    this.findSlow(now);
    const free = this.quick - this.young.size;
    return free >= this.quick * WORTH_A_LOOK ? Math.min(free, this.unused) : 0;
  }

  /**
   * A tenant never has more under way than it leaves free: by itself half of all that may be in flight, one of two a third, one
   * of three a quarter. So however slow the endpoints of some are, there is room for the next.
   */
  rooms(): TenantRooms {
    const held = new Map<string, number>();
    for (const { tenant } of [...this.slow.values(), ...this.young.values()])
      held.set(tenant, (held.get(tenant) ?? 0) + 1);
    const room = (has: number) => Math.max(0, Math.ceil((this.unused - has) / 2));
    return { rooms: new Map([...held].map(([tenant, has]) => [tenant, room(has)])), others: room(0) };
  }

  /** Takes a place, and answers the way to give it back. */
  take(now: number, tenant: string): () => void {
    const place = Symbol('place');
    this.young.set(place, { at: now, tenant });
    return () => void (this.young.delete(place) || this.slow.delete(place));
  }

  /** Each turns slow once: it is asked at the end of every delivery, and there may be a thousand slow ones. */
  private findSlow(now: number): void {
    for (const [place, begun] of this.young) {
      if (now - begun.at < SLOW_MS) return;
      this.young.delete(place);
      this.slow.set(place, begun);
    }
  }

  private get unused(): number {
    return this.inFlight - this.young.size - this.slow.size;
  }
}
