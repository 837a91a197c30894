import { createTestDatabase, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import { keysCommand } from '../bootstrap/keys-command.ts';
import type { Cell } from '../crypto/cell.ts';
import { DataCipher, type DataFormats } from '../crypto/data-cipher.ts';
import { bodyCell } from '../http/idempotency/key-store.ts';
import { notesService } from './notes.service.ts';

/** Two secrets of a service's data; a rotation uses both. */
export const OLD = 'old secret of at least 32 characters';
export const NEW = 'new secret of at least 32 characters';
const BOTH = `${NEW},${OLD}`;
/** The owner of the data. */
export const of = { service: 'orders' } as const;

const [old, fresh] = [new DataCipher(OLD, of), new DataCipher(NEW, of)];
/** The ciphers of both secrets, and that of the previous release. */
export const CIPHERS = { old, fresh, older: new DataCipher(OLD, { ...of, formats: 'v1' }) };
export const [oldId = '', newId = ''] = [...old.keyIds, ...fresh.keyIds];

const ACCOUNTS = { table: 'accounts', key: ['id'], tenant: 'tenant' } as const;

/** The place of a value in the table of accounts. */
export const cellOf = (id: string, column: string): Cell => ({
  table: 'accounts',
  column,
  tenant: 'demo',
  key: [id],
});
/** The place of an answer under an Idempotency-Key. */
export const bodyOf = (key: string) => bodyCell({ tenant: 'demo', key });

const service = {
  name: notesService.name,
  encrypted: [
    { ...ACCOUNTS, column: 'number', type: 'text', hash: 'number_hash' },
    { ...ACCOUNTS, column: 'secrets', type: 'jsonb' },
  ],
} as const;

const TABLES = `
CREATE TABLE accounts (id text PRIMARY KEY, tenant text NOT NULL DEFAULT 'demo', number text NOT NULL, number_hash text NOT NULL, secrets jsonb NOT NULL);
`;

interface Account {
  readonly id: string;
  readonly number: string;
  readonly number_hash: string;
  readonly secrets: readonly { readonly until: string; readonly secret: string }[];
}

/** A database with encrypted values of a service, for `main.js keys`. */
export class KeysStage {
  private constructor(
    private readonly test: TestDatabase,
    readonly client: pg.Client,
  ) {}

  static async start(): Promise<KeysStage> {
    const test = await createTestDatabase(notesService);
    const client = await connected(test, 'test');
    await client.query(TABLES);
    return new KeysStage(test, client);
  }

  async end(): Promise<void> {
    await this.client.end();
    await this.test.drop();
  }

  /** Another connection with this `application_name`, which identifies a replica. */
  connect(name: string): Promise<pg.Client> {
    return connected(this.test, name);
  }

  async addAccount(id: string, cipher = old): Promise<void> {
    const secrets = [{ until: 'tomorrow', secret: cipher.encrypt(`secret of ${id}`, cellOf(id, 'secrets')) }];
    await this.client.query(
      'INSERT INTO accounts (id, number, number_hash, secrets) VALUES ($1, $2, $3, $4)',
      [...[id, cipher.encrypt(id, cellOf(id, 'number')), cipher.keyedHash(id), JSON.stringify(secrets)]],
    );
  }

  async addKey(key: string, text: string | null, cipher = old): Promise<void> {
    const body = text === null ? null : cipher.encrypt(text, bodyOf(key));
    await this.putKey(key, body);
  }

  async putKey(key: string, body: string | null): Promise<void> {
    await this.client.query(
      `INSERT INTO idempotency_keys (tenant, key, request_hash, holder, held_until, created_at, status, body)
       VALUES ('demo', $1, 'h', 'h', now(), now(), 200, $2)`,
      [key, body],
    );
  }

  async accounts(): Promise<Account[]> {
    return (await this.client.query<Account>('SELECT * FROM accounts ORDER BY id')).rows;
  }

  async bodies(): Promise<{ body: string | null }[]> {
    const text = 'SELECT body FROM idempotency_keys ORDER BY key';
    return (await this.client.query<{ body: string | null }>(text)).rows;
  }

  async run(args: readonly string[], secrets = BOTH, formats?: DataFormats) {
    const lines: string[] = [];
    const env = {
      SANDBOX: 'true',
      DATA_ENCRYPTION_KEY: secrets,
      DATA_ENCRYPTION_FORMAT: formats,
      ORDERS_DATABASE_URL: this.test.url,
    };
    const end = await keysCommand(service, args, env, (line) => lines.push(line));
    return { ...end, lines };
  }
}

async function connected(test: TestDatabase, name: string): Promise<pg.Client> {
  const connection = new pg.Client({ connectionString: test.url, application_name: name });
  await connection.connect();
  return connection;
}
