import { createTestDatabase, waitFor, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import { DataCipher, keyIdOf } from '../crypto/data-cipher.ts';
import { migrate } from '../db/migrate.ts';
import { nameWithKeys } from '../keys/replica-keys.ts';
import { notesService } from '../testing/notes.service.ts';
import { keysCommand } from './keys-command.ts';

const OLD = 'old secret of at least 32 characters';
const NEW = 'new secret of at least 32 characters';
const LOST = 'lost secret of at least 32 characters';
const BOTH = `${NEW},${OLD}`;
const [old, fresh] = [new DataCipher(OLD), new DataCipher(NEW)];
const [oldId = '', newId = ''] = [...old.keyIds, ...fresh.keyIds];

const service = {
  name: notesService.name,
  encrypted: [
    { table: 'accounts', key: ['id'], column: 'number', type: 'text', hash: 'number_hash' },
    { table: 'accounts', key: ['id'], column: 'secrets', type: 'jsonb' },
  ],
} as const;

const TABLES = `
CREATE TABLE accounts (id text PRIMARY KEY, number text NOT NULL, number_hash text NOT NULL, secrets jsonb NOT NULL);
`;

interface Account {
  readonly id: string;
  readonly number: string;
  readonly number_hash: string;
  readonly secrets: readonly { readonly until: string; readonly secret: string }[];
}

describe('main.js keys', () => {
  let test: TestDatabase;
  let client: pg.Client;
  const connect = async (name: string) => {
    const connection = new pg.Client({ connectionString: test.url, application_name: name });
    await connection.connect();
    return connection;
  };
  beforeEach(async () => {
    test = await createTestDatabase();
    await migrate(notesService, test.url);
    client = await connect('test');
    await client.query(TABLES);
  });
  afterEach(async () => {
    await client.end();
    await test.drop();
  });

  const addAccount = (id: string, cipher = old) => {
    const secrets = [{ until: 'tomorrow', secret: cipher.encrypt(`secret of ${id}`) }];
    return client.query('INSERT INTO accounts VALUES ($1, $2, $3, $4)', [
      ...[id, cipher.encrypt(id), cipher.keyedHash(id), JSON.stringify(secrets)],
    ]);
  };
  const addKey = (key: string, body: string | null) =>
    client.query(
      `INSERT INTO idempotency_keys (tenant, key, request_hash, holder, held_until, created_at, status, body)
       VALUES ('demo', $1, 'h', 'h', now(), now(), 200, $2)`,
      [key, body],
    );
  const accounts = async () => (await client.query<Account>('SELECT * FROM accounts ORDER BY id')).rows;
  const bodies = async () =>
    (await client.query<{ body: string | null }>('SELECT body FROM idempotency_keys ORDER BY key')).rows;
  const run = async (args: readonly string[], secrets = BOTH) => {
    const lines: string[] = [];
    const env = { SANDBOX: 'true', DATA_ENCRYPTION_KEY: secrets, ORDERS_DATABASE_URL: test.url };
    const end = await keysCommand(service, args, env, (line) => lines.push(line));
    return { ...end, lines };
  };

  it('given values under the old key, when it rotates, then the new key alone reads and finds all of them', async () => {
    await addAccount('acc_1');
    await addAccount('acc_2', fresh);
    await addKey('answered', old.encrypt('{"id":1}'));
    await addKey('running', null);
    const { code, line, lines } = await run(['rotate']);
    expect(lines).toEqual([
      'orders  accounts.number  2 rows, 1 under another key, 1 encrypted anew',
      'orders  accounts.secrets  2 rows, 1 under another key, 1 encrypted anew',
      'orders  idempotency_keys.body  2 rows, 1 under another key, 1 encrypted anew',
    ]);
    expect([code, line]).toEqual([
      0,
      `orders: everything is under ${newId}; ${oldId} may be taken out of DATA_ENCRYPTION_KEY`,
    ]);
    for (const { id, number, number_hash, secrets } of await accounts()) {
      expect([fresh.decrypt(number), number_hash]).toEqual([id, fresh.keyedHash(id)]);
      expect(secrets.map(({ until, secret }) => [until, fresh.decrypt(secret)])).toEqual([
        ['tomorrow', `secret of ${id}`],
      ]);
    }
    expect((await bodies()).map(({ body }) => body && fresh.decrypt(body))).toEqual(['{"id":1}', null]);
  });

  it('given all of it done, when it runs again, then nothing is written', async () => {
    await addAccount('acc_1');
    await run(['rotate']);
    const before = [await accounts(), (await run(['rotate'])).code];
    expect([await accounts(), (await run(['status'], NEW)).code]).toEqual(before);
  });

  it('given more rows than a page holds, when it rotates, then none is left out', async () => {
    const rows = Array.from({ length: 1_203 }, (_, at) => `key ${at}`);
    await client.query(
      `INSERT INTO idempotency_keys (tenant, key, request_hash, holder, held_until, created_at, status, body)
       SELECT 'demo', key, 'h', 'h', now(), now(), 200, body FROM unnest($1::text[], $2::text[]) AS r (key, body)`,
      [rows, rows.map((key) => old.encrypt(key))],
    );
    expect((await run(['rotate'])).code).toBe(0);
    expect((await bodies()).filter(({ body }) => keyIdOf(body ?? '') !== newId)).toEqual([]);
  });

  it('given a hash of the old key beside a number of the new one, when it rotates, then the hash is made anew', async () => {
    await addAccount('acc_1', fresh);
    await client.query('UPDATE accounts SET number_hash = $1', [old.keyedHash('acc_1')]);
    const [before] = await accounts();
    expect((await run(['status'])).code).toBe(1);
    expect((await run(['rotate'])).code).toBe(0);
    expect(await accounts()).toEqual([{ ...before, number_hash: fresh.keyedHash('acc_1') }]);
  });

  it('given a value under a key that nobody has, when it rotates, then it says so, and does the others', async () => {
    await addKey('lost', new DataCipher(LOST).encrypt('x'));
    await addKey('nonsense', 'text');
    await addKey('old', old.encrypt('y'));
    const { code, line, lines } = await run(['rotate']);
    expect(lines.at(-1)).toBe(
      `orders  idempotency_keys.body  3 rows, 1 under another key, 1 encrypted anew, ` +
        `1 that no key of the list decrypts (${new DataCipher(LOST).keyIds.join()}), 1 that no key of the list decrypts (not an encrypted value)`,
    );
    expect([code, line]).toEqual([
      1,
      'orders: keep every key: 2 rows cannot be decrypted: give their key back, behind the others',
    ]);
    expect((await run(['rotate'], `${BOTH},${LOST}`)).code).toBe(1);
    await client.query("DELETE FROM idempotency_keys WHERE key = 'nonsense'");
    expect((await run(['rotate'], `${BOTH},${LOST}`)).code).toBe(0);
    expect((await run(['status'], NEW)).line).toBe(
      `orders: everything is under ${newId}, the only key of DATA_ENCRYPTION_KEY`,
    );
  });

  it('given a replica that cannot read the new key, when it should rotate, then it does nothing', async () => {
    await addKey('old', old.encrypt('y'));
    const replica = await connect(nameWithKeys('orders', [oldId]));
    const { code, line, lines } = await run(['rotate']);
    await replica.end();
    expect([code, line, lines]).toEqual([
      1,
      `orders: nothing was done: a replica runs without the key ${newId}, and could not read what this would write; it has ${oldId}`,
      [],
    ]);
    expect((await bodies()).map(({ body }) => keyIdOf(body ?? ''))).toEqual([oldId]);
  });

  it('given a replica that still encrypts with the old key, when it rotates, then the old key has to stay', async () => {
    const replica = await connect(nameWithKeys('orders', [oldId, newId]));
    const { code, line } = await run(['rotate']);
    await replica.end();
    expect([code, line]).toEqual([
      1,
      `orders: keep every key: a replica still encrypts with ${oldId}: start it anew with ${newId} in front`,
    ]);
  });

  it('given a replica with the old key that ends while it rotates, then the old key has to stay', async () => {
    const replica = await connect(nameWithKeys('orders', [oldId, newId]));
    const count = async (which: string) => {
      // What a transaction saw of the connections once, it sees until this.
      await client.query('SELECT pg_stat_clear_snapshot()');
      const { rowCount } = await client.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE $1 AND ${which}`,
        ['fundrail-orders%'],
      );
      return rowCount;
    };
    await client.query('BEGIN; LOCK TABLE idempotency_keys IN ACCESS EXCLUSIVE MODE');
    const rotated = run(['rotate']);
    await waitFor(async () => (await count("wait_event_type = 'Lock'")) === 1);
    await replica.end();
    await waitFor(async () => (await count("application_name NOT LIKE '%-keys'")) === 0);
    await client.query('COMMIT');
    const { code, line } = await rotated;
    expect([code, line]).toEqual([
      1,
      `orders: keep every key: a replica still encrypts with ${oldId}: start it anew with ${newId} in front`,
    ]);
    expect((await run(['rotate'])).code).toBe(0);
  });

  it.each([[[]], [['rotate', 'all']], [['drop']]])(
    'given %j, when it runs, then it tells how',
    async (args) => {
      expect(await run(args)).toEqual({ code: 2, line: 'usage: main.js keys rotate | status', lines: [] });
    },
  );
});
