import { REPLAY_STATUSES } from '@fundrail/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A replay of the events of a time range to an endpoint. Its deliveries are created step by step. */
@Entity('webhook_replays')
export class WebhookReplayRow {
  @PrimaryColumn('text')
  readonly id!: string;

  @Column('text')
  readonly tenant!: string;

  @Column('text')
  readonly webhook!: string;

  @Column('text')
  readonly status!: (typeof REPLAY_STATUSES)[number];

  @Column('timestamptz')
  readonly from_at!: Date;

  @Column('timestamptz')
  readonly to_at!: Date;

  /** The events that the client requested. */
  @Column('text', { array: true })
  readonly events!: string[];

  /** The event types that match them. */
  @Column('text', { array: true })
  readonly types!: string[];

  @Column('integer')
  readonly matched!: number;

  /** The event of the last created delivery; `''` before the first. */
  @Column('text')
  readonly last_event!: string;

  @Column('boolean')
  readonly all_made!: boolean;

  /** Events stored later are not part of the replay. Wall time. */
  @Column('timestamptz')
  readonly stored_before!: Date;

  @Column('timestamptz')
  readonly created_at!: Date;

  @Column('timestamptz', { nullable: true })
  readonly completed_at!: Date | null;
}
