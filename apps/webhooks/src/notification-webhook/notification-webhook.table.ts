import type { WEBHOOK_STATUSES, WEBHOOK_VERIFICATIONS } from '@fundrail/contracts';

/** A secret from before a rotation. `until` is ISO 8601. */
export interface OldSecret {
  readonly secret_encrypted: string;
  readonly until: string;
}

/** A tenant's endpoint. A deleted one keeps its row, because its deliveries refer to it. */
export interface NotificationWebhookRow {
  readonly id: string;
  readonly tenant: string;
  readonly url: string;
  readonly events: string[];
  readonly status: (typeof WEBHOOK_STATUSES)[number];
  readonly secret_encrypted: string;
  /** Earlier secrets that still sign, newest first, each until its business time. */
  readonly old_secrets: readonly OldSecret[];
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly disabled_at: Date | null;
  readonly disabled_reason: string | null;
  readonly failing_since: Date | null;
  /** The end of the pause that the endpoint requested (`Retry-After`), in business time. */
  readonly paused_until: Date | null;
  readonly deleted_at: Date | null;
  readonly event_seq: number;
  readonly verification: (typeof WEBHOOK_VERIFICATIONS)[number];
  readonly verification_error: string | null;
  /** The id of the last challenge, until its result is recorded. */
  readonly challenge: string | null;
  /** Wall time until which its answer is valid and no other challenge is sent. */
  readonly challenge_until: Date | null;
  /** Business time of the next challenge. */
  readonly challenge_due_at: Date | null;
  /** Failed challenges of the current schedule. */
  readonly challenge_tries: number;
}
