import { createTestDatabase, FakeClock, waitFor, type TestDatabase } from '@fundrail/testing';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Database } from './database.ts';
import { databaseUrlFor } from './migrate.ts';
import { connectAlone, openDatabase } from './open-database.ts';

/** The message of PostgreSQL that asks for a password in plain text. */
const ASKS_FOR_PASSWORD = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);
const whoAmI = { name: 'test.who', text: 'SELECT current_user AS name' };

describe('a password that is read at each connection', () => {
  let own: TestDatabase;
  let server: pg.Client;
  let folder: string;
  let file: string;
  const role = `rotating_${randomBytes(4).toString('hex')}`;
  const opened: Database[] = [];

  beforeAll(async () => {
    own = await createTestDatabase();
    server = new pg.Client({ connectionString: own.url });
    await server.connect();
    await server.query(`CREATE ROLE ${role} LOGIN PASSWORD 'first'`);
    folder = mkdtempSync(join(tmpdir(), 'password-'));
    file = join(folder, 'password');
  });
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.dataSource.destroy();
  });
  afterAll(async () => {
    await server.query(`DROP ROLE ${role}`);
    await server.end();
    await own.drop();
    rmSync(folder, { recursive: true });
  });

  const urlWith = (env: Readonly<Record<string, string>>) => {
    const url = new URL(own.url);
    [url.username, url.password] = [role, ''];
    return databaseUrlFor('orders', { ORDERS_DATABASE_URL: url.href, ...env });
  };
  const rotate = async (password: string) => {
    await server.query(`ALTER ROLE ${role} PASSWORD '${password}'`);
    writeFileSync(file, `${password}\n`);
    await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [role]);
  };
  const open = async (url: string) => {
    const database = await openDatabase({ name: 'orders', tables: [] }, new FakeClock(), {
      ...{ url, poolSize: 2, sandbox: false },
    });
    opened.push(database);
    return database;
  };
  const who = async (database: Database) => (await database.query<{ name: string }>(whoAmI))[0]?.name;

  it('is read from a file again by the next connection of an open pool', async () => {
    // given
    await rotate('second');
    const database = await open(urlWith({ DATABASE_PASSWORD_FILE: file }));
    expect(await who(database)).toBe(role);
    // when
    await rotate('third');
    // then: the pool may use the connection that the server ended once
    await waitFor(async () => (await who(database)) === role);
  });

  it('is read from a command, also for connections outside the pool', async () => {
    await rotate('fourth');
    const url = urlWith({ DATABASE_PASSWORD_COMMAND: `cat '${file}'` });
    const alone = await connectAlone(url, 'test');
    await alone.end();
    await rotate('fifth');
    // then: the output of the command is kept for some seconds
    await waitFor(() =>
      connectAlone(url, 'test').then(
        (client) => client.end().then(() => true),
        () => false,
      ),
    );
    expect(await who(await open(url))).toBe(role);
  });

  it('is read from a command once by connections that are opened at the same time', async () => {
    // given
    await rotate('together');
    const runs = join(folder, 'runs');
    const url = urlWith({ DATABASE_PASSWORD_COMMAND: `echo run >> '${runs}'; cat '${file}'` });
    // when
    const clients = await Promise.all([1, 2, 3, 4].map(() => connectAlone(url, 'test')));
    // then
    expect(readFileSync(runs, 'utf8')).toBe('run\n');
    await Promise.all(clients.map((client) => client.end()));
  });

  it.each([
    [{ DATABASE_PASSWORD_FILE: '/nowhere/password' }, 'DATABASE_PASSWORD_FILE cannot be read: ENOENT'],
    [{ DATABASE_PASSWORD_COMMAND: 'echo secret; exit 3' }, 'DATABASE_PASSWORD_COMMAND failed: 3'],
    [{ DATABASE_PASSWORD_COMMAND: 'true' }, 'DATABASE_PASSWORD_COMMAND printed nothing'],
    [{ DATABASE_PASSWORD_COMMAND: 'sleep 20' }, 'DATABASE_PASSWORD_COMMAND failed: it did not end in time'],
  ])(
    'that cannot be read fails the connection, and the error names only the variable: %j',
    async (env, message) => {
      await expect(connectAlone(urlWith(env), 'test')).rejects.toThrow(message);
    },
  );

  it('that cannot be read leaves no connection open, which a server would keep for a minute', async () => {
    // given
    let closed = 0;
    const asking = createServer((socket) => {
      socket.once('data', () => socket.write(ASKS_FOR_PASSWORD));
      socket.once('close', () => (closed += 1));
    }).listen(0, '127.0.0.1');
    await once(asking, 'listening');
    const url = new URL(urlWith({ DATABASE_PASSWORD_FILE: '/nowhere/password' }));
    url.host = `127.0.0.1:${(asking.address() as AddressInfo).port}`;
    // when
    await expect(connectAlone(url.href, 'test')).rejects.toThrow('DATABASE_PASSWORD_FILE cannot be read');
    await expect(open(url.href)).rejects.toThrow('DATABASE_PASSWORD_FILE cannot be read');
    // then: alone and of a pool
    await waitFor(() => closed === 2, { limitMs: 5_000, what: 'both connections to end' });
    asking.close();
  });

  it('that is wrong is refused by this server, so the tests above prove something', async () => {
    await server.query(`ALTER ROLE ${role} PASSWORD 'sixth'`);
    writeFileSync(file, 'wrong');
    await expect(connectAlone(urlWith({ DATABASE_PASSWORD_FILE: file }), 'test')).rejects.toThrow(/password/);
  });
});
