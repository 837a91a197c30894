import type { REPLAY_STATUSES } from '@fundrail/contracts';

/** A replay of the events of a time range to an endpoint. Its deliveries are created step by step. */
export interface WebhookReplayRow {
  readonly id: string;
  readonly tenant: string;
  readonly webhook: string;
  readonly status: (typeof REPLAY_STATUSES)[number];
  readonly from_at: Date;
  readonly to_at: Date;
  /** The events that the client requested. */
  readonly events: string[];
  /** The event types that match them. */
  readonly types: string[];
  readonly matched: number;
  /** The event of the last created delivery; `''` before the first. */
  readonly last_event: string;
  readonly all_made: boolean;
  /** Events stored later are not part of the replay. Wall time. */
  readonly stored_before: Date;
  readonly created_at: Date;
  readonly completed_at: Date | null;
}
