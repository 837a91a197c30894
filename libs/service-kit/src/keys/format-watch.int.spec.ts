import { createTestDatabase, waitFor, type TestDatabase } from '@fundrail/testing';
import { jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { DataCipher } from '../crypto/data-cipher.ts';
import { Log } from '../logging/log.ts';
import { connectAlone } from '../db/open-database.ts';
import { FormatWatch } from './format-watch.ts';
import { nameWithKeys } from './replica-keys.ts';

const SECRET = 'a secret of at least 32 characters';

describe('a replica that starts beside others', () => {
  let test: TestDatabase;
  let client: pg.Client;
  let cipher: DataCipher;
  let watch: FormatWatch;
  let log: Log;
  beforeEach(async () => {
    test = await createTestDatabase();
    client = await connectAlone(test.url, 'test');
    cipher = new DataCipher(SECRET);
    log = Log.to('orders', 'silent');
    const db = {
      query: async <Row>(statement: { text: string }, values?: readonly unknown[]) =>
        (await client.query(statement.text, values && [...values])).rows as Row[],
    };
    watch = new FormatWatch(db, 'orders', cipher, log);
  });
  afterEach(async () => {
    watch.stop();
    await client.end();
    await test.drop();
  });

  /** Waits until the server has no connection of this name. */
  const gone = (name: string) =>
    waitFor(async () => {
      const found = await client.query('SELECT 1 FROM pg_stat_activity WHERE application_name = $1', [name]);
      return found.rows.length === 0;
    });
  const ofPreviousRelease = () => `fundrail-orders ${cipher.keyIds.join()}`;

  it('given a replica of the previous release, then v1 is written until two checks in a row found none', async () => {
    const before = await connectAlone(test.url, ofPreviousRelease());
    await watch.start();
    await watch.look();
    expect(cipher.format).toBe('v1');
    await before.end();
    await gone(ofPreviousRelease());
    await watch.look();
    expect(cipher.format).toBe('v1');
    await watch.look();
    expect(cipher.format).toBe('v2');
  });

  it('given a replica of the previous release that restarts between two checks, then v1 is still written', async () => {
    const before = await connectAlone(test.url, ofPreviousRelease());
    await watch.start();
    await before.end();
    await gone(ofPreviousRelease());
    await watch.look();
    const restarted = await connectAlone(test.url, ofPreviousRelease());
    await watch.look();
    await restarted.end();
    await gone(ofPreviousRelease());
    await watch.look();
    expect(cipher.format).toBe('v1');
  });

  it('given a replica of the previous release that starts later, then v1 is written again', async () => {
    await watch.start();
    expect(cipher.format).toBe('v2');
    const before = await connectAlone(test.url, ofPreviousRelease());
    await watch.look();
    expect(cipher.format).toBe('v1');
    await before.end();
  });

  it('given a replica of the previous release, then one log line names the connection that holds v2 back', async () => {
    const warn = jest.spyOn(log, 'warn');
    const before = await connectAlone(test.url, ofPreviousRelease());
    await watch.start();
    await watch.look();
    expect(warn.mock.calls).toEqual([[expect.any(String), { application_name: ofPreviousRelease() }]]);
    await before.end();
  });

  it('given another login of the database with such a name, then v2 is written', async () => {
    // given
    const role = `named_${randomBytes(4).toString('hex')}`;
    await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'named'`);
    const url = new URL(test.url);
    [url.username, url.password] = [role, 'named'];
    const other = await connectAlone(url.href, ofPreviousRelease());
    // when
    await watch.start();
    // then
    expect(cipher.format).toBe('v2');
    await other.end();
    await client.query(`DROP ROLE ${role}`);
  });

  it.each([
    ['one of its own release', nameWithKeys('orders', new DataCipher(SECRET))],
    ['another service of the previous release', 'fundrail-payments 12345678'],
    ['a command of the previous release', 'fundrail-orders-keys'],
  ])('given %s, then v2 is written immediately', async (_what, name) => {
    const other = await connectAlone(test.url, name);
    await watch.start();
    expect(cipher.format).toBe('v2');
    await other.end();
  });
});
