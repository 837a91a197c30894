import { defineTable, jsonb, text, timestamptz, type RowOf } from '@fundrail/persistence';

/** A public key in the format of RFC 7517, for ES256. */
export interface PublicJwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
}

/** A key that signs tokens from `active_from` until the next one does. Times are wall time. */
export const SIGNING_KEYS = defineTable('signing_keys', {
  kid: text().primary(),
  algorithm: text<'ES256'>(),
  public_jwk: jsonb<PublicJwk>(),
  private_jwk_encrypted: text(),
  published_at: timestamptz(),
  active_from: timestamptz(),
});

export type SigningKeyRow = RowOf<typeof SIGNING_KEYS>;
