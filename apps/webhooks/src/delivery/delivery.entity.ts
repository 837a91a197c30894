import { DELIVERY_FAILURE_CODES, DELIVERY_STATUSES } from '@fundrail/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One event on its way to one endpoint. `due_at` is business time, the lease is wall time. */
@Entity('webhook_deliveries')
export class DeliveryRow {
  @PrimaryColumn('text')
  readonly id!: string;

  @Column('text')
  readonly tenant!: string;

  @Column('text')
  readonly webhook!: string;

  @Column('text')
  readonly event!: string;

  @Column('text')
  readonly type!: string;

  @Column('text')
  readonly object_id!: string;

  @Column('text')
  readonly subject!: string;

  @Column('integer')
  readonly sequence!: number;

  @Column('text')
  readonly status!: (typeof DELIVERY_STATUSES)[number];

  /** Null unless it was given up, and for deliveries from before this column existed. */
  @Column('text', { nullable: true })
  readonly failure_code!: (typeof DELIVERY_FAILURE_CODES)[number] | null;

  @Column('boolean')
  readonly in_order!: boolean;

  @Column('integer')
  readonly tries!: number;

  /** Null when it has ended, and while it is held behind an earlier event of its object. */
  @Column('timestamptz', { nullable: true })
  readonly due_at!: Date | null;

  /** The retry table's time of the next attempt, set when a success of the endpoint made an attempt due earlier. Business time. */
  @Column('timestamptz', { nullable: true })
  readonly planned_at!: Date | null;

  /** How many events were held behind it. When it ends, the first of those is released. */
  @Column('integer')
  readonly followers!: number;

  @Column('text', { nullable: true })
  readonly lease_token!: string | null;

  @Column('timestamptz', { nullable: true })
  readonly leased_until!: Date | null;

  /** The replay that created it; null when its event created it, and after a manual retry. */
  @Column('text', { nullable: true })
  readonly replay!: string | null;

  /** The replay that created it, set by a manual retry. */
  @Column('text', { nullable: true })
  readonly retried_of!: string | null;

  @Column('timestamptz')
  readonly created_at!: Date;
}
