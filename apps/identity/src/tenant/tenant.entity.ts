import type { TenantSettings } from '@fundrail/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A client of the operator. Every other row belongs to a tenant. */
@Entity('tenants')
export class TenantRow {
  @PrimaryColumn('text')
  readonly name!: string;

  @Column('text')
  readonly id!: string;

  @Column('jsonb')
  readonly settings!: TenantSettings;

  @Column('text')
  readonly postback_secret_encrypted!: string;

  @Column('timestamptz')
  readonly created_at!: Date;
}
