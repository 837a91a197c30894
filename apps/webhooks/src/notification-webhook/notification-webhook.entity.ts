import { WEBHOOK_STATUSES, WEBHOOK_VERIFICATIONS } from '@fundrail/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A secret from before a rotation. `until` is ISO 8601. */
export interface OldSecret {
  readonly secret_encrypted: string;
  readonly until: string;
}

/** A tenant's endpoint. A deleted one keeps its row, because its deliveries refer to it. */
@Entity('notification_webhooks')
export class NotificationWebhookRow {
  @PrimaryColumn('text')
  readonly id!: string;

  @Column('text')
  readonly tenant!: string;

  @Column('text')
  readonly url!: string;

  @Column('text', { array: true })
  readonly events!: string[];

  @Column('text')
  readonly status!: (typeof WEBHOOK_STATUSES)[number];

  @Column('text')
  readonly secret_encrypted!: string;

  /** Earlier secrets that still sign, newest first, each until its business time. */
  @Column('jsonb')
  readonly old_secrets!: readonly OldSecret[];

  @Column('timestamptz')
  readonly created_at!: Date;

  @Column('timestamptz')
  readonly updated_at!: Date;

  @Column('timestamptz', { nullable: true })
  readonly disabled_at!: Date | null;

  @Column('text', { nullable: true })
  readonly disabled_reason!: string | null;

  @Column('timestamptz', { nullable: true })
  readonly failing_since!: Date | null;

  /** The end of the pause that the endpoint requested (`Retry-After`), in business time. */
  @Column('timestamptz', { nullable: true })
  readonly paused_until!: Date | null;

  @Column('timestamptz', { nullable: true })
  readonly deleted_at!: Date | null;

  @Column('integer')
  readonly event_seq!: number;

  @Column('text')
  readonly verification!: (typeof WEBHOOK_VERIFICATIONS)[number];

  @Column('text', { nullable: true })
  readonly verification_error!: string | null;

  /** The id of the last challenge, until its result is recorded. */
  @Column('text', { nullable: true })
  readonly challenge!: string | null;

  /** Wall time until which its answer is valid and no other challenge is sent. */
  @Column('timestamptz', { nullable: true })
  readonly challenge_until!: Date | null;

  /** Business time of the next challenge. */
  @Column('timestamptz', { nullable: true })
  readonly challenge_due_at!: Date | null;

  /** Failed challenges of the current schedule. */
  @Column('integer')
  readonly challenge_tries!: number;
}
