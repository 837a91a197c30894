import type { RawRecord } from '@fundrail/messaging/testing';

/** The faults in the log: nothing may be lost or out of order; duplicates are counted. */
export interface LogFindings {
  readonly missing: number;
  readonly out_of_order: number;
  readonly repeated: number;
}

/**
 * Compares the log with what was in the outbox: `perKey` events for each of `keys`. For each key the first copy of each event
 * must come after the first copy of the one before.
 */
export function checkLog(records: readonly RawRecord[], keys: number, perKey: number): LogFindings {
  const seen = new Map<string, number>();
  let [outOfOrder, repeated] = [0, 0];
  for (const { key, sequence } of records) {
    const last = seen.get(key) ?? 0;
    if (sequence <= last) repeated += 1;
    else if (sequence > last + 1) outOfOrder += 1;
    seen.set(key, Math.max(last, sequence));
  }
  const there = new Set(records.map(({ eventId }) => eventId)).size;
  return { missing: keys * perKey - there, out_of_order: outOfOrder, repeated };
}
