import { ForgetOldRows } from '../housekeeping/forget-old-rows.ts';
import { HousekeepingLane, type Look } from '../housekeeping/housekeeping-lane.ts';
import type { Clock } from '../db/clock.ts';
import type { KeyStore } from '../http/idempotency/key-store.ts';
import type { KitParts } from './kit-parts.ts';

/** Deletes idempotency keys, which live 24 h of wall time; the exact moment does not matter. */
class ForgetKeys extends HousekeepingLane {
  readonly name = 'idempotency-keys';
  protected readonly pace = { everyMs: 600_000 };

  constructor(
    clock: Clock,
    private readonly keys: KeyStore,
  ) {
    super(clock);
  }

  protected async look(): Promise<Look> {
    await this.keys.forgetOld();
    return 'done';
  }
}

/** How many days parked events that were handled or given up stay visible to operators. */
const REPLAYED_DAYS = 30;

/** Adds the housekeeping lanes of every service to the worker. */
export function addHousekeeping({ clock, database, keyStore, dueWorker }: KitParts): void {
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
