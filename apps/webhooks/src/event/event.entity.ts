import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A public event as webhooks send it: `body` is signed and sent byte for byte. `stored_at` is wall time. */
@Entity('events')
export class EventRow {
  @PrimaryColumn('text')
  readonly id!: string;

  @Column('text')
  readonly tenant!: string;

  @Column('text')
  readonly type!: string;

  @Column('text')
  readonly object_id!: string;

  @Column('text')
  readonly subject!: string;

  @Column('integer')
  readonly sequence!: number;

  @Column('text')
  readonly body!: string;

  @Column('timestamptz')
  readonly occurred_at!: Date;

  @Column('timestamptz')
  readonly stored_at!: Date;

  /** W3C trace context of the event's cause. Its deliveries carry it. */
  @Column('text', { nullable: true })
  readonly traceparent!: string | null;
}
