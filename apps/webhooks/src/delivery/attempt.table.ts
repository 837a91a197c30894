import { bigint, defineTable, integer, text, timestamptz, type RowOf } from '@fundrail/persistence';

/** The attempts of deliveries. Each day of wall time has its partition. */
export const DELIVERY_ATTEMPTS = defineTable('delivery_attempts', {
  /** Numbered by the database. */
  id: bigint().primary().aside(),
  tenant: text(),
  delivery: text().primary(),
  /** Business time. */
  at: timestamptz(),
  /** Wall time, from which its retention is counted. */
  stored_at: timestamptz().primary(),
  /** Null, like the next field, for attempts from before these columns existed. */
  url: text().nullable(),
  webhook_timestamp: bigint().nullable(),
  status: integer().nullable(),
  duration_ms: integer(),
  error: text().nullable(),
  response_body: text().nullable(),
});

/** A stored attempt. */
export type AttemptRow = Omit<RowOf<typeof DELIVERY_ATTEMPTS>, 'id' | 'tenant'>;
