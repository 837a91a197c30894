import { DataCipher } from '@fundrail/service-kit/crypto';
import { Clock, Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { importJWK, type CryptoKey, type JWK } from 'jose';
import { activeKey, privateJwkCell } from './signing-key.ts';
import type { SigningKeyRow } from './signing-key.table.ts';
import { listSigningKeys } from './signing-key.repository.ts';
import { RotateSigningKeys } from './rotate-signing-keys.ts';

/** A key that is ready for signing. */
interface ReadyKey {
  readonly kid: string;
  readonly algorithm: string;
  readonly privateKey: CryptoKey | Uint8Array;
}

// A new key is published 15 minutes before its use, so a list of this age always contains the key to sign with.
const READ_EVERY_MS = 60_000;

/** The signing keys in this process, read from the database at most once a minute. */
@Injectable()
export class KeyRing {
  private read: { readonly at: number; readonly rows: Promise<SigningKeyRow[]> } | null = null;
  private ready: ReadyKey | null = null;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly cipher: DataCipher,
    private readonly rotate: RotateSigningKeys,
  ) {}

  /** The key that signs now. */
  async current(): Promise<ReadyKey> {
    const active = activeKey(await this.keys(), this.clock.now());
    if (!active) throw new Error('there is no active signing key');
    if (this.ready?.kid !== active.kid) this.ready = await this.imported(active);
    return this.ready;
  }

  /** Every key that may have signed a valid token, for `/.well-known/jwks.json` (RFC 7517). */
  async published(): Promise<JWK[]> {
    const rows = await this.keys();
    return rows.map((row) => ({ ...row.public_jwk, kid: row.kid, alg: row.algorithm, use: 'sig' }));
  }

  private keys(): Promise<SigningKeyRow[]> {
    const now = this.clock.now().getTime();
    if (!this.read || now - this.read.at >= READ_EVERY_MS) this.read = { at: now, rows: this.load() };
    return this.read.rows;
  }

  /** A failed read is not cached. The very first key is created here if a token is requested before the first rotation. */
  private async load(): Promise<SigningKeyRow[]> {
    try {
      const rows = await listSigningKeys(this.database);
      return activeKey(rows, this.clock.now()) ? rows : await this.rotate.execute();
    } catch (error) {
      this.read = null;
      throw error;
    }
  }

  private async imported(row: SigningKeyRow): Promise<ReadyKey> {
    const jwk = JSON.parse(this.cipher.decrypt(row.private_jwk_encrypted, privateJwkCell(row.kid))) as JWK;
    return { kid: row.kid, algorithm: row.algorithm, privateKey: await importJWK(jwk, row.algorithm) };
  }
}
