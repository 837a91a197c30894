/** A callback that the played systems owe us. `not_before` is business time. */
export interface CallbackRow {
  readonly id: number;
  readonly event_id: string;
  readonly tenant: string;
  /** gatewaypoa's four, or sdkvendor's webhooks. */
  readonly topic: 'orders' | 'payments' | 'mandates' | 'plans' | 'sdkvendor';
  readonly reference: string;
  readonly body: string;
  readonly fault: 'delay' | 'drop' | 'duplicate' | 'reorder' | 'status_500' | 'nonsense' | null;
  readonly not_before: Date;
  readonly created_at: Date;
}

/** What to do next for one object: send that callback, wait until then, or nothing. */
export type NextCallback = { readonly send: CallbackRow } | { readonly wait: Date } | null;

// A provider that was not heard for a day gives up; by then it has been asked for the status many times.
const GIVE_UP_AFTER_MS = 24 * 3_600_000;

/**
 * The next of an object's unsent callbacks (oldest first): in their order, so a delayed one holds up those behind it;
 * only one that the fault `reorder` marks lets the next one pass, or goes by itself when none comes in time.
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
