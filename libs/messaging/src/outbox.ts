import { sql, type CommitSignal, type Queryable } from '@fundrail/persistence';
import type { NewEvent } from './new-event.ts';
import { currentTraceparent } from './trace-context.ts';

/** The inserted columns of the outbox, in the order of `outboxValues` and `outboxParameters`. */
export const OUTBOX_COLUMNS =
  'event_id, type, version, tenant, aggregate_id, sequence, occurred_at, data, traceparent';

/** The types of `OUTBOX_COLUMNS`, for a statement that takes each column as an array. */
export const OUTBOX_TYPES: readonly string[] = [
  'text',
  'text',
  'int',
  'text',
  'text',
  'int',
  'timestamptz',
  'text',
  'text',
];

/** The values of one outbox row, for a statement that writes it together with the aggregate (hot paths, DATA-3). */
export function outboxValues(event: NewEvent): unknown[] {
  return [
    event.id,
    event.type,
    event.version,
    event.tenant,
    event.aggregate_id,
    event.sequence,
    event.occurred_at,
    event.data,
    event.traceparent ?? currentTraceparent(),
  ];
}

/**
 * The parameters of one outbox row with their casts, numbered from `first`: `$7::text, $8::text, $9::int, …`. For CTEs:
 * `INSERT INTO outbox (${OUTBOX_COLUMNS}) SELECT ${outboxParameters(7)} FROM …`.
 */
export function outboxParameters(first: number): string {
  return OUTBOX_TYPES.map((type, index) => `$${first + index}::${type}`).join(', ');
}

const APPEND = sql(
  'outbox.append',
  `INSERT INTO outbox (${OUTBOX_COLUMNS})
   SELECT ${OUTBOX_COLUMNS}
   FROM unnest(${OUTBOX_TYPES.map((type, index) => `$${index + 1}::${type}[]`).join(', ')})
     WITH ORDINALITY AS e(${OUTBOX_COLUMNS}, position)
   ORDER BY position`,
);

/**
 * Appends events to the outbox, in one statement, and wakes the relay of this process after the commit. The caller must
 * hold the aggregate's row lock already: otherwise a later event may get a smaller id (MSG-1).
 */
export async function appendEvents(
  tx: Queryable & { signal?(signal: CommitSignal): void },
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(outboxValues);
  await tx.query(
    APPEND,
    OUTBOX_TYPES.map((_, column) => rows.map((row) => row[column])),
  );
  tx.signal?.('outbox');
}
