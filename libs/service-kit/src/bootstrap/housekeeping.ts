import { ForgetOldRows } from '../housekeeping/forget-old-rows.ts';
import { HousekeepingLane, type Look } from '../housekeeping/housekeeping-lane.ts';
import type { Clock } from '../db/clock.ts';
import type { KeyStore } from '../http/idempotency/key-store.ts';
import type { KitParts } from './kit-parts.ts';

/** Idempotency keys live 24 h of business time; it does not matter when exactly they go. */
class ForgetKeys extends HousekeepingLane {
  readonly name = 'idempotency-keys';
  protected readonly pace = { everyMs: 600_000 };

  constructor(
    clock: Clock,
    private readonly keys: KeyStore,
  ) {
    super(clock);
  }

  protected async look(now: Date): Promise<Look> {
    await this.keys.forgetOld(now);
    return 'done';
  }
}

/** Parked events that were handled or given up are shown for so long to whoever looks into what happened. */
const REPLAYED_DAYS = 30;

/** Gives the worker what every service tidies up. */
export function keepHouse({ clock, database, keyStore, dueWorker }: KitParts): void {
  dueWorker.addLane(new ForgetKeys(clock, keyStore));
  dueWorker.addLane(
    new ForgetOldRows(clock, database, {
      table: 'parked_events',
      column: 'replayed_at',
      days: REPLAYED_DAYS,
      clock: 'wall',
    }),
  );
}
