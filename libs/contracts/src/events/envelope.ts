import { z } from 'zod';

/**
 * The message on the bus (EVT-2). `data` is JSON text, serialised once in the emitting transaction and sent unchanged to
 * the webhook: `{"object": <the object as GET returns it>, "previous_attributes": {…} | null}`.
 */
export const eventEnvelope = z.strictObject({
  id: z.string(),
  type: z.string(),
  version: z.int().positive(),
  /** Business time, ISO 8601 with offset. */
  occurred_at: z.string(),
  tenant: z.string(),
  aggregate_id: z.string(),
  /** Counts the aggregate's events from 1 without gaps. */
  sequence: z.int().positive(),
  data: z.string(),
  traceparent: z.string().nullable(),
});
export type EventEnvelope = z.infer<typeof eventEnvelope>;
