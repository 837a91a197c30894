import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An application of a tenant that may request tokens. `scope` is a space-separated list, or empty. */
@Entity('clients')
export class ClientRow {
  @PrimaryColumn('text')
  readonly tenant!: string;

  @PrimaryColumn('text')
  readonly client_id!: string;

  @Column('text')
  readonly secret_hash!: string;

  @Column('text')
  readonly scope!: string;

  @Column('timestamptz')
  readonly created_at!: Date;
}
