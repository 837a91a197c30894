import type { REPLAY_STATUSES } from '@fundrail/contracts';
import {
  boolean,
  defineTable,
  integer,
  text,
  textArray,
  timestamptz,
  type RowOf,
} from '@fundrail/persistence';

/** A replay of the events of a time range to an endpoint. Its deliveries are created step by step. */
export const WEBHOOK_REPLAYS = defineTable('webhook_replays', {
  id: text().primary(),
  tenant: text(),
  webhook: text(),
  status: text<(typeof REPLAY_STATUSES)[number]>().bySteps(),
  from_at: timestamptz(),
  to_at: timestamptz(),
  /** The events that the client requested. */
  events: textArray(),
  /** The event types that match them. */
  types: textArray(),
  matched: integer(),
  /** The event of the last created delivery; `''` before the first. */
  last_event: text().bySteps(),
  all_made: boolean().bySteps(),
  /** Events stored later are not part of the replay. Wall time. */
  stored_before: timestamptz(),
  created_at: timestamptz(),
  completed_at: timestamptz().nullable().byLaterSteps(),
});

export type WebhookReplayRow = RowOf<typeof WEBHOOK_REPLAYS>;
