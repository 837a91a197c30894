import { DataCipher } from '@fundrail/service-kit/crypto';
import type { Tx } from '@fundrail/persistence';
import { Clock, Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { exportJWK, generateKeyPair } from 'jose';
import { randomUUID } from 'node:crypto';
import { nextKeyBegins, privateJwkCell, retiredKeys } from './signing-key.ts';
import type { PublicJwk, SigningKeyRow } from './signing-key.table.ts';
import {
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
  removeSigningKeys,
} from './signing-key.repository.ts';

const ALGORITHM = 'ES256';

/** Creates the key that is due and removes those whose tokens have all expired. Any number of replicas may run it at any time. */
@Injectable()
export class RotateSigningKeys {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly cipher: DataCipher,
  ) {}

  /** Returns the keys that are published afterwards, the oldest first. */
  execute(): Promise<SigningKeyRow[]> {
    return this.database.transaction(async (tx) => {
      await lockSigningKeys(tx);
      const now = this.clock.now();
      const keys = await listSigningKeys(tx);
      await this.addIfDue(tx, keys, now);
      await removeSigningKeys(
        tx,
        retiredKeys(keys, now).map((key) => key.kid),
      );
      return listSigningKeys(tx);
    });
  }

  private async addIfDue(tx: Tx, keys: readonly SigningKeyRow[], now: Date): Promise<void> {
    const begins = nextKeyBegins(keys, now);
    if (begins) await insertSigningKey(tx, await this.newKey(now, begins));
  }

  private async newKey(now: Date, begins: Date): Promise<SigningKeyRow> {
    const pair = await generateKeyPair(ALGORITHM, { extractable: true });
    const { kty, crv, x, y } = await exportJWK(pair.publicKey);
    const privateJwk = JSON.stringify(await exportJWK(pair.privateKey));
    const kid = randomUUID();
    return {
      kid,
      algorithm: ALGORITHM,
      public_jwk: { kty, crv, x, y } as PublicJwk,
      private_jwk_encrypted: this.cipher.encrypt(privateJwk, privateJwkCell(kid)),
      published_at: now,
      active_from: begins,
    };
  }
}
