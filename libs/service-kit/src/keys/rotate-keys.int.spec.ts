import type { Queryable, Statement } from '@fundrail/persistence';
import { createTestDatabase, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import { BadEnvironment } from '../config/environment.ts';
import { DataCipher, partsOf } from '../crypto/data-cipher.ts';
import { connectAlone, withConnection } from '../db/open-database.ts';
import { bodyCell } from '../http/idempotency/key-store.ts';
import { notesService } from '../testing/notes.service.ts';
import { checkStoredKeys } from './check-stored-keys.ts';
import { encryptedColumnsOf } from './encrypted-column.ts';
import { EncryptedColumnRepository } from './encrypted-column.repository.ts';
import { rotateKeys } from './rotate-keys.ts';

const OLD = 'old secret of at least 32 characters';
const NEW = 'new secret of at least 32 characters';
const [old, both] = [new DataCipher(OLD), new DataCipher(`${NEW},${OLD}`)];

const cellOf = (key: string) => bodyCell({ tenant: 'demo', key });

/** The service's other columns have no rows here. */
const COLUMNS = encryptedColumnsOf({}).filter(({ table }) => table === 'idempotency_keys');
const BETWEEN = 'idempotency_keys.body.rewrite';

describe('keys that are rotated while a service writes', () => {
  let test: TestDatabase;
  let client: pg.Client;
  beforeEach(async () => {
    test = await createTestDatabase(notesService);
    client = await connectAlone(test.url, 'test');
  });
  afterEach(async () => {
    await client.end();
    await test.drop();
  });

  const add = (key: string, text: string, cipher = old) =>
    client.query(
      `INSERT INTO idempotency_keys (tenant, key, request_hash, holder, held_until, created_at, status, body)
       VALUES ('demo', $1, 'h', 'h', now(), now(), 200, $2)`,
      [key, cipher.encrypt(text, cellOf(key))],
    );
  const change = (key: string, text: string, cipher: DataCipher) =>
    client.query('UPDATE idempotency_keys SET body = $2 WHERE key = $1', [
      key,
      cipher.encrypt(text, cellOf(key)),
    ]);
  const found = async () => {
    const { rows } = await client.query<{ key: string; body: string }>(
      'SELECT key, body FROM idempotency_keys ORDER BY key',
    );
    return rows.map(({ key, body }) => [key, both.decrypt(body, cellOf(key)), partsOf(body)?.keyId]);
  };
  /** Rotates, and runs `meanwhile` before each batch is written. */
  const rotateWith = async (meanwhile: (batch: number) => Promise<unknown>) => {
    const reports: string[] = [];
    const left = await withConnection(test.url, 'rotating', (db) => {
      let batch = 0;
      const interrupted: Queryable = {
        query: async <Row>(...[statement, values]: Parameters<Queryable['query']>) => {
          if (statement.name === BETWEEN) await meanwhile((batch += 1));
          return db.query<Row>(statement, values);
        },
      };
      return rotateKeys(interrupted, COLUMNS, both, (_, { stale, rewritten }) =>
        reports.push(`${rewritten} of ${stale}`),
      );
    });
    return { left, reports };
  };
  const [id = ''] = both.keyIds;

  it('given a row that is written under the old key meanwhile, then another pass finds it', async () => {
    await add('b', 'second');
    const { left, reports } = await rotateWith(async (batch) => batch === 1 && add('a', 'first'));
    expect([left, reports]).toEqual([{ stale: 0, otherFormat: 0, unreadable: 0 }, ['1 of 1', '1 of 1']]);
    expect(await found()).toEqual([
      ['a', 'first', id],
      ['b', 'second', id],
    ]);
  });

  it('given a row that is changed between read and write, then the change of the service stays', async () => {
    await add('a', 'before');
    await add('b', 'before');
    const { reports } = await rotateWith(async (batch) => {
      if (batch > 1) return;
      await change('a', 'after, by the old key', old);
      await change('b', 'after, by the new key', both);
    });
    expect(reports).toEqual(['0 of 2', '1 of 1']);
    expect(await found()).toEqual([
      ['a', 'after, by the old key', id],
      ['b', 'after, by the new key', id],
    ]);
  });

  it('given a row that a transaction locks, then it does not wait, and a later pass rewrites the row', async () => {
    await add('a', 'held');
    await add('b', 'free');
    const { reports } = await rotateWith(async (batch) => {
      if (batch === 1) await client.query("BEGIN; SELECT FROM idempotency_keys WHERE key = 'a' FOR UPDATE");
      if (batch === 2) await client.query('COMMIT');
    });
    expect(reports).toEqual(['1 of 2', '1 of 1']);
    expect((await found()).map((row) => row.at(-1))).toEqual([id, id]);
  });

  it('given a replica that keeps writing under the old key, then it gives up and reports the rest', async () => {
    await add('a', '0');
    const { left } = await rotateWith((batch) => change('a', String(batch), old));
    expect(left).toEqual({ stale: 1, otherFormat: 0, unreadable: 0 });
  });

  it('given many rows, then each page is read from the index, and nothing is sorted', async () => {
    const plans: string[] = [];
    const explained: Queryable = {
      query: async <Row>({ text }: Statement) => {
        const plan = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${text}`);
        plans.push(plan.rows.map((row) => row['QUERY PLAN']).join('\n'));
        return [] as Row[];
      },
    };
    for (const column of COLUMNS)
      await new EncryptedColumnRepository(explained, column).page(null, both.currentPrefix, 500);
    expect(plans).toEqual([expect.stringContaining('Index Scan using idempotency_keys_pkey')]);
    expect(plans.join()).not.toMatch(/Sort|Seq Scan/);
  });

  it.each([
    ['its key', OLD, null],
    ['another key first', `${NEW},${OLD}`, null],
    [
      'another key alone',
      NEW,
      `DATA_ENCRYPTION_KEY does not decrypt idempotency_keys.body (${old.keyIds.join()}; given is ${both.keyIds[0] ?? ''}): ` +
        'add the secret that encrypted it at the end of the list, after a comma',
    ],
  ])('given %s at a start, then the error names the missing key, if any', async (_what, secrets, message) => {
    await add('a', 'text');
    const start = withConnection(test.url, 'start', (db) =>
      checkStoredKeys(db, COLUMNS, new DataCipher(secrets)),
    );
    const refusal = await start.then(
      () => null,
      (error: unknown) => (error instanceof BadEnvironment ? error.message : String(error)),
    );
    expect(refusal).toBe(message);
  });
});
