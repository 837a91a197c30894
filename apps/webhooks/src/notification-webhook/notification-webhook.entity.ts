import { WEBHOOK_STATUSES } from '@fundrail/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A secret that was rotated out. `until` is ISO 8601. */
export interface OldSecret {
  readonly secret_encrypted: string;
  readonly until: string;
}

/** A tenant's endpoint. A deleted one keeps its row, because its deliveries name it. */
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

  /** The secrets before it that sign as well, newest first, until their business time. */
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

  /** Business time until which the endpoint asked for nothing (`Retry-After`). */
  @Column('timestamptz', { nullable: true })
  readonly paused_until!: Date | null;

  @Column('timestamptz', { nullable: true })
  readonly deleted_at!: Date | null;

  @Column('integer')
  readonly event_seq!: number;
}
