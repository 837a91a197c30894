import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A public key in the format of RFC 7517, for ES256. */
export interface PublicJwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
}

/** A key that signs tokens from `active_from` until the next one does. Times are wall time. */
@Entity('signing_keys')
export class SigningKeyRow {
  @PrimaryColumn('text')
  readonly kid!: string;

  @Column('text')
  readonly algorithm!: 'ES256';

  @Column('jsonb')
  readonly public_jwk!: PublicJwk;

  @Column('text')
  readonly private_jwk_encrypted!: string;

  @Column('timestamptz')
  readonly published_at!: Date;

  @Column('timestamptz')
  readonly active_from!: Date;
}
