import { REPLAY_STATUSES } from '@fundrail/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Events of a time that go to an endpoint once more. Its deliveries are made little by little. */
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

  /** What the client asked for. */
  @Column('text', { array: true })
  readonly events!: string[];

  /** The event types that this means. */
  @Column('text', { array: true })
  readonly types!: string[];

  @Column('integer')
  readonly matched!: number;

  /** The event of the newest delivery that was made; `''` before the first. */
  @Column('text')
  readonly last_event!: string;

  @Column('boolean')
  readonly all_made!: boolean;

  /** Events that were stored later are no part of it. Wall time. */
  @Column('timestamptz')
  readonly stored_before!: Date;

  @Column('timestamptz')
  readonly created_at!: Date;

  @Column('timestamptz', { nullable: true })
  readonly completed_at!: Date | null;
}
