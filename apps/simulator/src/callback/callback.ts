import type { RowOf } from '@fundrail/persistence';
import type { store } from '../store/simulator.tables.ts';

/** A callback of a simulated system. `not_before` is business time. */
export type CallbackRow = Omit<RowOf<typeof store.callbacks.table>, 'ended' | 'ended_at'>;

/** What to do next for one object: send that callback, wait until then, or nothing. */
type NextCallback = { readonly send: CallbackRow } | { readonly wait: Date } | null;

// The provider gives up a callback that was not accepted for a day. By then we have queried the status many times.
const GIVE_UP_AFTER_MS = 24 * 3_600_000;

/**
 * Chooses the next of an object's unsent callbacks, which are given oldest first. They are sent in order, so a delayed callback delays
 * those behind it. Only a callback with the fault `reorder` lets the next one pass; it is sent alone when no other comes in time.
 */
export function nextCallback(unsent: readonly CallbackRow[], now: Date): NextCallback {
  const [first, second] = unsent;
  if (!first) return null;
  if (first.fault === 'reorder' && second)
    return second.not_before <= now ? { send: second } : { wait: second.not_before };
  return first.not_before <= now ? { send: first } : { wait: first.not_before };
}

export function isGivenUp(row: CallbackRow, now: Date): boolean {
  return now.getTime() - row.created_at.getTime() > GIVE_UP_AFTER_MS;
}
