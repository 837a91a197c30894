import { ForgetOldRows, type OldRows } from '../housekeeping/forget-old-rows.ts';
import type { KitParts } from './kit-parts.ts';

const OLD_ROWS: readonly OldRows[] = [
  {
    ...{ table: 'idempotency_keys', column: 'created_at', days: 1, clock: 'wall' },
    // The key of a running request stays, even when it is old.
    only: 'status IS NOT NULL OR held_until < clock_timestamp()',
  },
  // Parked events that were handled or given up stay visible to operators until then.
  { table: 'parked_events', column: 'replayed_at', days: 30, clock: 'wall' },
];

/** Adds the housekeeping lanes of every service to the worker. */
export function addHousekeeping({ clock, database, dueWorker }: KitParts): void {
  for (const rows of OLD_ROWS) dueWorker.addLane(new ForgetOldRows(clock, database, rows));
}
