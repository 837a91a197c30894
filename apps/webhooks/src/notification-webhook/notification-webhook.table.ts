import type { Compatibility, WEBHOOK_STATUSES, WEBHOOK_VERIFICATIONS } from '@fundrail/contracts';
import { defineTable, integer, jsonb, text, textArray, timestamptz, type RowOf } from '@fundrail/persistence';

/** A secret from before a rotation. `until` is ISO 8601. */
export interface OldSecret {
  readonly secret_encrypted: string;
  readonly until: string;
}

/** A tenant's endpoint. A deleted one keeps its row, because its deliveries refer to it. */
export const NOTIFICATION_WEBHOOKS = defineTable('notification_webhooks', {
  id: text().primary(),
  tenant: text(),
  url: text().bySteps(),
  events: textArray().bySteps(),
  status: text<(typeof WEBHOOK_STATUSES)[number]>().bySteps(),
  secret_encrypted: text().bySteps(),
  /** Earlier secrets that still sign, newest first, each until its business time. */
  old_secrets: jsonb<readonly OldSecret[]>().byLaterSteps(),
  created_at: timestamptz(),
  updated_at: timestamptz().bySteps(),
  disabled_at: timestamptz().nullable().bySteps(),
  disabled_reason: text().nullable().bySteps(),
  failing_since: timestamptz().nullable().byLaterSteps(),
  /** The end of the pause that the endpoint requested (`Retry-After`), in business time. */
  paused_until: timestamptz().nullable().byLaterSteps(),
  deleted_at: timestamptz().nullable().byLaterSteps(),
  event_seq: integer().byLaterSteps(),
  verification: text<(typeof WEBHOOK_VERIFICATIONS)[number]>().aside(),
  verification_error: text().nullable().aside(),
  /** The id of the last challenge, until its result is recorded. */
  challenge: text().nullable().aside(),
  /** Wall time until which its answer is valid and no other challenge is sent. */
  challenge_until: timestamptz().nullable().aside(),
  /** Business time of the next challenge. */
  challenge_due_at: timestamptz().nullable().aside(),
  /** Failed challenges of the current schedule. */
  challenge_tries: integer().aside(),
  /** In whose names it receives events (COMP-4); null: in ours. */
  compatibility: text<Compatibility>().nullable(),
});

export type NotificationWebhookRow = RowOf<typeof NOTIFICATION_WEBHOOKS>;
