import { sql, type Queryable } from '@fundrail/persistence';
import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { Cell } from '../crypto/cell.ts';
import type { DataCipher } from '../crypto/data-cipher.ts';

const NAME = 'first';
const SECRET_BYTES = 32;
const CELL: Cell = { table: 'hashing_secrets', column: 'secret_encrypted', tenant: null, key: [NAME] };

const find = sql('hashing_secrets.find', 'SELECT secret_encrypted FROM hashing_secrets WHERE name = $1');
const insert = sql(
  'hashing_secrets.insert',
  'INSERT INTO hashing_secrets (name, secret_encrypted) VALUES ($1, $2) ON CONFLICT DO NOTHING',
);

/**
 * Hashes data that a service has to recognise but must not store, such as requests with account numbers, and addresses. Without a key
 * these hashes could be reversed by trying. The secret is random, stored in the service's own database under `DATA_ENCRYPTION_KEY`, and
 * created at its first use; all replicas share it. `keys rotate` re-encrypts it without changing it, so earlier hashes stay valid.
 */
export class HashingSecret {
  private key: Promise<KeyObject> | null = null;

  constructor(
    private readonly database: Queryable,
    private readonly cipher: DataCipher,
  ) {}

  /** HMAC-SHA256 of the parts in base64url; the same text cut into other parts has another hash. Rejects when the secret cannot be read. */
  async hash(...parts: readonly string[]): Promise<string> {
    const hmac = createHmac('sha256', await this.secret());
    for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part);
    return hmac.digest('base64url');
  }

  /** A failed read is not cached. */
  private secret(): Promise<KeyObject> {
    this.key ??= this.read().catch((error: unknown) => {
      this.key = null;
      throw error;
    });
    return this.key;
  }

  private async read(): Promise<KeyObject> {
    const sealed = (await this.stored()) ?? (await this.create());
    return createSecretKey(Buffer.from(this.cipher.decrypt(sealed, CELL), 'base64url'));
  }

  private async stored(): Promise<string | null> {
    const [row] = await this.database.query<{ secret_encrypted: string }>(find, [NAME]);
    return row?.secret_encrypted ?? null;
  }

  /** Two replicas that start together create two secrets, but only one is stored. */
  private async create(): Promise<string> {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    await this.database.query(insert, [NAME, this.cipher.encrypt(secret, CELL)]);
    const sealed = await this.stored();
    if (sealed === null) throw new Error('the secret that was just stored is gone');
    return sealed;
  }
}
