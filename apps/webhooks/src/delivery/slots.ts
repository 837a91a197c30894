/** Wall milliseconds after which a delivery is slow: it waits for its endpoint and costs this process almost nothing. */
const SLOW_MS = 1_000;

/**
 * A lease reads every endpoint with due deliveries, even if it takes only a few. So it waits until this share of the quick slots is free.
 * When slow deliveries have nearly all that may be in flight, it takes the few that are left, because others must not wait until many of
 * them end.
 */
const MIN_FREE_SHARE = 0.25;

/** How many more deliveries tenants may start. */
export interface TenantRooms {
  /** For tenants with running deliveries. */
  readonly rooms: ReadonlyMap<string, number>;
  /** For each other tenant. */
  readonly others: number;
}

interface StartedDelivery {
  readonly at: number;
  readonly tenant: string;
}

/**
 * Limits how many deliveries this process may start. A slow delivery frees its slot before it ends; otherwise a few endpoints that take
 * 14 s to respond would occupy all slots. A second limit bounds the memory of very many slow ones. Times are in milliseconds of one
 * clock.
 */
export class Slots {
  /** Deliveries that were quick at the last check, oldest first; the next map has the slow ones. */
  private readonly young = new Map<symbol, StartedDelivery>();
  private readonly slow = new Map<symbol, StartedDelivery>();

  constructor(
    private readonly quick: number,
    private readonly inFlight: number,
  ) {}

  /** How many more may start; 0 while too few slots are free for a lease. */
  free(now: number): number {
    this.findSlow(now);
    const free = this.quick - this.young.size;
    return free >= this.quick * MIN_FREE_SHARE ? Math.min(free, this.unused) : 0;
  }

  /**
   * A tenant never has more running deliveries than it leaves free: a single tenant may use half of the limit, each of two a third, each
   * of three a quarter. So there is room for the next tenant, however slow the others' endpoints are.
   */
  rooms(): TenantRooms {
    const held = new Map<string, number>();
    for (const { tenant } of [...this.slow.values(), ...this.young.values()])
      held.set(tenant, (held.get(tenant) ?? 0) + 1);
    const room = (has: number) => Math.max(0, Math.ceil((this.unused - has) / 2));
    return { rooms: new Map([...held].map(([tenant, has]) => [tenant, room(has)])), others: room(0) };
  }

  /** Takes a slot and returns the function that frees it. */
  take(now: number, tenant: string): () => void {
    const place = Symbol('place');
    this.young.set(place, { at: now, tenant });
    return () => void (this.young.delete(place) || this.slow.delete(place));
  }

  /** Moves each slow delivery once: this runs at the end of every delivery, and there may be a thousand slow ones. */
  private findSlow(now: number): void {
    for (const [place, started] of this.young) {
      if (now - started.at < SLOW_MS) return;
      this.young.delete(place);
      this.slow.set(place, started);
    }
  }

  private get unused(): number {
    return this.inFlight - this.young.size - this.slow.size;
  }
}
