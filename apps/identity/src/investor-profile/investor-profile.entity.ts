import { TAX_STATUSES } from '@fundrail/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An investor of a tenant. PAN, e-mail and mobile are personal data: only the tenant's own GET returns them. */
@Entity('investor_profiles')
export class InvestorProfileRow {
  @PrimaryColumn('text')
  readonly id!: string;

  @Column('bigint')
  readonly old_id!: number;

  @Column('text')
  readonly tenant!: string;

  @Column('text')
  readonly name!: string;

  @Column('text')
  readonly pan!: string;

  @Column('date')
  readonly date_of_birth!: string;

  @Column('text', { nullable: true })
  readonly email!: string | null;

  @Column('text', { nullable: true })
  readonly mobile_isd_code!: string | null;

  @Column('text', { nullable: true })
  readonly mobile_number!: string | null;

  @Column('text')
  readonly tax_status!: (typeof TAX_STATUSES)[number];

  @Column('timestamptz')
  readonly created_at!: Date;
}
