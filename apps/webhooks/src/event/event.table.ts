import { defineTable, integer, text, timestamptz, type RowOf } from '@fundrail/persistence';

/** A public event as webhooks send it: `body` is signed and sent byte for byte. `stored_at` is wall time. */
export const EVENTS = defineTable('events', {
  id: text().primary(),
  tenant: text(),
  type: text(),
  object_id: text(),
  subject: text(),
  sequence: integer(),
  body: text(),
  occurred_at: timestamptz(),
  stored_at: timestamptz(),
  /** W3C trace context of the event's cause. Its deliveries carry it. */
  traceparent: text().nullable(),
});

export type EventRow = RowOf<typeof EVENTS>;
