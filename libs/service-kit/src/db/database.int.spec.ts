import { Decimal } from '@fundrail/contracts';
import { sql, type Tx } from '@fundrail/persistence';
import { isLostDatabase } from '@fundrail/messaging';
import { createTestDatabase, waitFor, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { notesService, NOTES } from '../testing/notes.service.ts';
import { Clock } from './clock.ts';
import type { Database } from './database.ts';
import { brokenConstraint, isUniqueViolation } from './database-errors.ts';
import { migrate } from './migrate.ts';
import { inTransaction } from './open-transaction.ts';
import { connectAlone, openDatabase } from './open-database.ts';

const insert = sql('test.insert', 'INSERT INTO notes (id, tenant, amount, words) VALUES ($1, $2, $3, $4)');
const count = sql('test.count', 'SELECT count(*) AS notes FROM notes WHERE tenant = $1');
const lock = sql('test.lock', 'SELECT id FROM notes WHERE id = $1 FOR UPDATE');
const add = (tx: Tx, id: string, tenant: string) =>
  tx.query(insert, [id, tenant, Decimal.parse('1.5'), 'words']);

describe('Database', () => {
  let test: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    test = await createTestDatabase(notesService);
    database = await openDatabase(notesService, new Clock(), { url: test.url, poolSize: 5, sandbox: true });
  });
  afterAll(async () => {
    await database.dataSource.destroy();
    await test.drop();
  });

  const notesOf = async (tenant: string) =>
    (await database.query<{ notes: number }>(count, [tenant]))[0]?.notes;

  it('returns columns in domain types, and does not change other pools', async () => {
    const types = sql(
      'test.types',
      `SELECT 7::int8 AS i, 1001::numeric(22,4) AS n, date '2026-12-21' AS d, timestamptz '2026-12-21T00:00Z' AS t, '{"a":[1]}'::jsonb AS j`,
    );
    expect(await database.query(types)).toEqual([
      { i: 7, n: Decimal.parse('1001'), d: '2026-12-21', t: new Date('2026-12-21T00:00Z'), j: { a: [1] } },
    ]);
    const other = new pg.Client({ connectionString: test.url });
    await other.connect();
    const { rows } = await other.query<{ i: unknown }>('SELECT 7::int8 AS i');
    await other.end();
    expect(rows).toEqual([{ i: '7' }]);
  });

  it('plans by index and does not compile, on the pool and on the connection of the relay (decision 0010)', async () => {
    const text =
      "SELECT current_setting('enable_seqscan') AS seq, current_setting('enable_bitmapscan') AS bitmap, current_setting('jit') AS jit, current_setting('plan_cache_mode') AS plans";
    const alone = await connectAlone(test.url, 'test');
    const { rows } = await alone.query(text).finally(() => alone.end());
    const settings = [...(await database.query(sql('test.planner', text))), ...rows];
    expect(settings).toEqual(
      Array.from({ length: 2 }, () => ({
        seq: 'off',
        bitmap: 'off',
        jit: 'off',
        plans: 'force_generic_plan',
      })),
    );
  });

  it('refuses an integer that a number cannot hold', async () => {
    await expect(database.query(sql('test.big', 'SELECT 9007199254740993::int8 AS i'))).rejects.toThrow(
      RangeError,
    );
  });

  it('reads entities in the same types, and refuses undefined in a condition', async () => {
    await database.transaction((tx) => add(tx, 'entity', 'e'));
    const row = await database.manager.findOneByOrFail(NOTES.entity, { id: 'entity', tenant: 'e' });
    expect(row.amount.toString()).toBe('1.5000');
    const nothing = {} as { id: string };
    const nullId = JSON.parse('{"id":null}') as { id: string };
    await expect(database.manager.findOneBy(NOTES.entity, { id: nothing.id })).rejects.toThrow(/undefined/i);
    await expect(database.manager.findOneBy(NOTES.entity, { id: nullId.id })).rejects.toThrow(/null/i);
  });

  it('calls back only after the commit', async () => {
    const signals: (number | undefined)[] = [];
    const called = Promise.withResolvers<undefined>();
    const stop = database.onSignal(
      'outbox',
      () => void notesOf('commit').then((notes) => called.resolve(void signals.push(notes))),
    );
    await database.transaction(async (tx) => {
      await add(tx, 'commit', 'commit');
      tx.signal('outbox');
      expect(signals).toEqual([]);
    });
    await called.promise;
    stop();
    expect(signals).toEqual([1]);
  });

  it('rolls back and signals nothing when the work fails', async () => {
    const signals: string[] = [];
    const stop = database.onSignal('due', () => void signals.push('due'));
    const failing = database.transaction(async (tx) => {
      await add(tx, 'rollback', 'rollback');
      tx.signal('due');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    stop();
    expect([await notesOf('rollback'), signals]).toEqual([0, []]);
  });

  it('treats a commit that was answered with ROLLBACK as a failure (DATA-2)', async () => {
    const swallowing = database.transaction(async (tx) => {
      await add(tx, 'twice', 'twice');
      await add(tx, 'twice', 'twice').catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow('ROLLBACK');
    expect(await notesOf('twice')).toBe(0);
  });

  it('names the constraint that a statement broke', async () => {
    const error: unknown = await database
      .transaction(async (tx) => {
        await add(tx, 'unique', 'u');
        await add(tx, 'unique', 'u');
      })
      .catch((caught: unknown) => caught);
    expect(isUniqueViolation(error, 'notes_pkey')).toBe(true);
    expect(isUniqueViolation(error, 'another')).toBe(false);
    expect(brokenConstraint(error)).toBe('notes_pkey');
  });

  it('runs the whole work again after a deadlock, and both succeed (DATA-2)', async () => {
    await database.transaction(async (tx) => {
      await add(tx, 'lock-a', 'locks');
      await add(tx, 'lock-b', 'locks');
    });
    let runs = 0;
    let held = 0;
    const bothHoldOne = Promise.withResolvers<undefined>();
    const crossing = (first: string, second: string) =>
      database.transaction(async (tx) => {
        runs += 1;
        await tx.query(lock, [first]);
        held += 1;
        if (held === 2) bothHoldOne.resolve(undefined);
        await bothHoldOne.promise;
        await tx.query(lock, [second]);
        return first;
      });
    expect(await Promise.all([crossing('lock-a', 'lock-b'), crossing('lock-b', 'lock-a')])).toEqual([
      'lock-a',
      'lock-b',
    ]);
    expect(runs).toBeGreaterThanOrEqual(3);
  });

  it('gives up after a bounded number of tries', async () => {
    let runs = 0;
    const hopeless = database.transaction(() => {
      runs += 1;
      return Promise.reject(Object.assign(new Error('serialisation'), { code: '40001' }));
    });
    await expect(hopeless).rejects.toThrow('serialisation');
    expect(runs).toBe(6);
  });

  it('refuses a transaction inside a transaction, and knows when one is open', async () => {
    await expect(database.transaction(() => database.transaction(() => Promise.resolve()))).rejects.toThrow(
      'inside another',
    );
    expect(await database.transaction(() => Promise.resolve(inTransaction()))).toBe(true);
    expect(inTransaction()).toBe(false);
  });

  it('reads one moment in a snapshot, which writes nothing and does not start inside a transaction', async () => {
    const seen = await database.snapshot(async (tx) => {
      const first = await tx.query(count, ['of a moment']);
      await database.query(insert, ['meanwhile', 'of a moment', Decimal.parse('1.5'), 'words']);
      return [first, await tx.query(count, ['of a moment'])];
    });
    expect(seen).toEqual([[{ notes: 0 }], [{ notes: 0 }]]);
    expect(await notesOf('of a moment')).toBe(1);
    await expect(database.snapshot((tx) => add(tx, 'written', 'of a moment'))).rejects.toThrow('read-only');
    const inside = database.transaction(() => database.snapshot(() => Promise.resolve()));
    await expect(inside).rejects.toThrow('may not start inside a transaction');
  });

  it('refuses a statement after the end of its transaction', async () => {
    const leaked: Tx[] = [];
    await database.transaction((tx) => Promise.resolve(void leaked.push(tx)));
    await expect(leaked[0]!.query(count, ['x'])).rejects.toThrow('the transaction is over');
  });

  it('returns the business time that was read last without a query (CLOCK-7)', async () => {
    const move = sql('test.move_to', 'UPDATE business_clock SET offset_ms = $1');
    const isTomorrow = () => database.lastNow().getTime() > Date.now() + 86_000_000;
    await database.query(move, [86_400_000]);
    expect(isTomorrow()).toBe(false);
    await database.transaction(() => Promise.resolve());
    expect(isTomorrow()).toBe(true);
    await database.query(move, [0]);
    await database.now();
    expect(isTomorrow()).toBe(false);
  });

  it('catches up with the later time of another service, never goes back, and leaves small differences alone (CLOCK-14)', async () => {
    const move = sql('test.move_to_start', 'UPDATE business_clock SET offset_ms = 0');
    const daysAhead = async () => Math.round(((await database.now()).getTime() - Date.now()) / 86_400_000);
    const offset = async () =>
      (
        await database.query<{ offset_ms: number }>(
          sql('test.offset', 'SELECT offset_ms FROM business_clock'),
        )
      )[0]?.offset_ms;
    await database.query(move);
    await database.catchUp(new Date(Date.now() + 900));
    expect(await offset()).toBe(0);
    await database.catchUp(new Date(Date.now() + 3 * 86_400_000));
    expect(await daysAhead()).toBe(3);
    await database.catchUp(new Date());
    expect(await daysAhead()).toBe(3);
    await database.query(move);
    await database.now();
  });

  it('has one business time, moved by the offset in the database (CONV-31, CLOCK-7)', async () => {
    const move = sql('test.move', 'UPDATE business_clock SET offset_ms = $1');
    await database.query(move, [86_400_000]);
    const [now, inside] = [await database.now(), await database.transaction((tx) => Promise.resolve(tx.now))];
    await database.query(move, [0]);
    const tomorrow = Date.now() + 86_400_000;
    expect(Math.abs(now.getTime() - tomorrow)).toBeLessThan(5_000);
    expect(Math.abs(inside.getTime() - tomorrow)).toBeLessThan(5_000);
  });

  it('recovers after the server has ended its connections', async () => {
    const kill = sql(
      'test.kill',
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await database.query(kill);
    const tryAgain = () => notesOf('e').catch(() => undefined);
    expect((await tryAgain()) ?? (await tryAgain()) ?? (await tryAgain())).toBe(1);
  });

  it('gives up a statement without an answer and its connection, and reports a lost database', async () => {
    const hang = sql('test.hang', 'SELECT pg_sleep(60)');
    const options = { url: test.url, poolSize: 1, sandbox: false, queryTimeoutMs: 3_000 };
    const impatient = await openDatabase(notesService, new Clock(), options);
    const ends = await Promise.allSettled([
      impatient.query(hang),
      impatient.transaction((tx) => tx.query(hang)),
    ]);
    const slow = sql('test.slow', 'SELECT pg_sleep(3.2)', { timeoutMs: 30_000 });
    await expect(impatient.transaction((tx) => tx.query(slow))).resolves.toHaveLength(1);
    const after = await impatient.query<{ notes: number }>(count, ['x']);
    await impatient.dataSource.destroy();
    expect(ends.map((end) => end.status === 'rejected' && isLostDatabase(end.reason))).toEqual([true, true]);
    expect(after).toEqual([{ notes: 0 }]);
  });

  it('migrates again without doing anything', async () => {
    await expect(migrate(notesService, test.url)).resolves.toBeUndefined();
  });

  it('creates a missing database once when several callers migrate', async () => {
    const server = new URL(test.url);
    server.pathname = `/${test.name}_new`;
    await Promise.all([1, 2, 3].map(() => migrate(notesService, server.href)));
    const other = await openDatabase(notesService, new Clock(), {
      url: server.href,
      poolSize: 1,
      sandbox: false,
    });
    const rows = await other.query<{ notes: number }>(count, ['x']);
    await other.dataSource.destroy();
    await database.query(sql('test.drop', `DROP DATABASE ${test.name}_new WITH (FORCE)`));
    expect(rows).toEqual([{ notes: 0 }]);
  });

  describe('that sends statements together', () => {
    let production: Database;
    beforeAll(async () => {
      const options = { url: test.url, poolSize: 1, sandbox: false };
      production = await openDatabase(notesService, new Clock(), options);
    });
    afterAll(() => production.dataSource.destroy());
    const firstOf = (tx: Tx, id: string) => tx.query(lock, [id]);

    it('reads behind a lock what the transaction that held it has written', async () => {
      await production.transaction((tx) => add(tx, 'parent', 'children'));
      const held = Promise.withResolvers<undefined>();
      const writer = database.transaction(async (tx) => {
        await firstOf(tx, 'parent');
        held.resolve(undefined);
        await untilBlocked(database);
        await add(tx, 'child', 'children');
      });
      await held.promise;
      const reader = production.transaction((tx) =>
        Promise.all([firstOf(tx, 'parent'), tx.query(count, ['children'])]),
      );
      await writer;
      expect(await reader).toEqual([[{ id: 'parent' }], [{ notes: 2 }]]);
    });

    it('sends a read behind BEGIN at once, and a write only after its answer', async () => {
      const sent = watchSent(production);
      await production.transaction(async (tx) => {
        const reads = [tx.query(count, ['a']), tx.query(count, ['b'])];
        expect(sent()).toEqual(['BEGIN', 'test.count', 'test.count']);
        await Promise.all(reads);
      });
      const again = watchSent(production);
      await production.transaction(async (tx) => {
        const both = [add(tx, 'held', 'held'), tx.query(count, ['held'])];
        expect(again()).toEqual(['BEGIN']);
        expect(await both[1]).toEqual([{ notes: 1 }]);
        await both[0];
      });
      expect(again()).toEqual(['BEGIN', 'test.insert', 'test.count', 'COMMIT']);
    });

    it('writes nothing when BEGIN was cancelled', async () => {
      const refused = () => refuseNext(production, 'BEGIN');
      refused();
      await expect(production.transaction((tx) => add(tx, 'alone', 'alone'))).rejects.toThrow('cancelled');
      refused();
      const afterRead = production.transaction(async (tx) => {
        await tx.query(count, ['alone']);
        await add(tx, 'alone', 'alone');
      });
      await expect(afterRead).rejects.toThrow('cancelled');
      expect(await notesOf('alone')).toBe(0);
    });

    it('sends no write after the work has ended', async () => {
      const failing = production.transaction((tx) =>
        Promise.all([add(tx, 'late', 'late'), Promise.reject(new Error('no'))]),
      );
      await expect(failing).rejects.toThrow('no');
      await production.transaction((tx) =>
        Promise.resolve(void add(tx, 'late', 'late').catch(() => undefined)),
      );
      // The pool has one connection, which runs what is sent in order.
      await production.query(count, ['late']);
      expect(await notesOf('late')).toBe(0);
    });

    it('reports the first error of statements that were sent together, whichever is noticed first', async () => {
      const deep = async (work: Promise<unknown>) => {
        for (let waits = 0; waits < 20; waits += 1) await Promise.resolve();
        return work.then((rows) => rows);
      };
      const failing = production.transaction(async (tx) => {
        await tx.query(count, ['together']);
        const first = add(tx, 'together', 'together');
        const [broken, behind] = [add(tx, 'together', 'together'), add(tx, 'later', 'together')];
        await Promise.all([first, behind, deep(broken)]);
      });
      await expect(failing).rejects.toMatchObject({ constraint: 'notes_pkey' });
      expect(await notesOf('together')).toBe(0);
    });

    it('gives a connection to the next caller although a statement of a lost one has no answer', async () => {
      const hang = sql('test.hang_behind', 'SELECT pg_sleep(600)', { timeoutMs: 600_000 });
      const lost = Object.assign(new Error('the server ended'), { code: '57P01' });
      const waiting: Promise<unknown>[] = [];
      const failing = production.transaction(async (tx) => {
        await tx.query(count, ['next']);
        waiting.push(Promise.resolve().then(() => production.query(count, ['next'])));
        await Promise.all([tx.query(hang), Promise.resolve().then(() => Promise.reject(lost))]);
      });
      await expect(failing).rejects.toBe(lost);
      expect(await waiting[0]).toEqual([{ notes: 0 }]);
      await database.query(
        sql(
          'test.end_hanging',
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep(600)%'",
        ),
      );
    });
  });
});

type Sent = pg.PoolClient['query'];
const nameOf = (asked: string | pg.QueryConfig) => (typeof asked === 'string' ? asked : asked.name);
const poolOf = ({ dataSource }: Database) => (dataSource.driver as PostgresDriver).master as pg.Pool;

/** Calls `send` in place of the next client's `query`, until the client is released. */
function replaceNext(database: Database, send: (query: Sent) => Sent): void {
  poolOf(database).once('acquire', (client: pg.PoolClient) => {
    const query: Sent = client.query.bind(client);
    client.query = send(query);
    poolOf(database).once('release', () => {
      client.query = query;
    });
  });
}

/** The names of the statements that the next transaction has sent until now. */
function watchSent(database: Database): () => (string | undefined)[] {
  const sent: (string | undefined)[] = [];
  replaceNext(
    database,
    (query) =>
      ((asked: string | pg.QueryConfig) => {
        sent.push(nameOf(asked));
        return query(asked);
      }) as Sent,
  );
  return () => [...sent];
}

/** Rejects that statement of the next transaction, as a server does that was asked to cancel it. */
function refuseNext(database: Database, text: string): void {
  replaceNext(
    database,
    (query) =>
      ((asked: string | pg.QueryConfig) =>
        asked === text ? Promise.reject(new Error('cancelled')) : query(asked)) as Sent,
  );
}

/** Resolves when a statement waits for a lock. */
async function untilBlocked(database: Database): Promise<void> {
  await waitFor(async () => {
    const [row] = await database.query<{ waiting: number }>(
      sql(
        'test.waiting',
        "SELECT count(*) AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      ),
    );
    return row?.waiting === 1;
  });
}
