import { DELIVERY_STATUSES } from '@fundrail/contracts';
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

  @Column('boolean')
  readonly in_order!: boolean;

  @Column('integer')
  readonly tries!: number;

  @Column('timestamptz', { nullable: true })
  readonly due_at!: Date | null;

  @Column('text', { nullable: true })
  readonly lease_token!: string | null;

  @Column('timestamptz', { nullable: true })
  readonly leased_until!: Date | null;

  @Column('timestamptz')
  readonly created_at!: Date;
}
