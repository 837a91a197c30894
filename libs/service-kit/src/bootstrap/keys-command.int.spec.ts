import { waitFor } from '@fundrail/testing';
import { DataCipher, partsOf } from '../crypto/data-cipher.ts';
import { nameWithKeys } from '../keys/replica-keys.ts';
import { bodyOf, cellOf, CIPHERS, KeysStage, NEW, newId, of, OLD, oldId } from '../testing/keys-stage.ts';

const LOST = 'lost secret of at least 32 characters';
const BOTH = `${NEW},${OLD}`;
const { old, fresh } = CIPHERS;

describe('main.js keys', () => {
  let stage: KeysStage;
  beforeEach(async () => {
    stage = await KeysStage.start();
  });
  afterEach(() => stage.end());

  it('given values under the old key, when it rotates, then the new key alone reads and finds all of them', async () => {
    await stage.addAccount('acc_1');
    await stage.addAccount('acc_2', fresh);
    await stage.addKey('answered', '{"id":1}');
    await stage.addKey('running', null);
    const { code, line, lines } = await stage.run(['rotate']);
    expect(lines).toEqual([
      'orders  accounts.number  2 rows, 1 under another key, 1 re-encrypted',
      'orders  accounts.secrets  2 rows, 1 under another key, 1 re-encrypted',
      'orders  hashing_secrets.secret_encrypted  0 rows, 0 under another key, 0 re-encrypted',
      'orders  idempotency_keys.body  2 rows, 1 under another key, 1 re-encrypted',
    ]);
    expect([code, line]).toEqual([
      0,
      `orders: everything is under ${newId}; ${oldId} may be taken out of DATA_ENCRYPTION_KEY`,
    ]);
    for (const { id, number, number_hash, secrets } of await stage.accounts()) {
      expect([fresh.decrypt(number, cellOf(id, 'number')), number_hash]).toEqual([id, fresh.keyedHash(id)]);
      expect(
        secrets.map(({ until, secret }) => [until, fresh.decrypt(secret, cellOf(id, 'secrets'))]),
      ).toEqual([['tomorrow', `secret of ${id}`]]);
    }
    expect((await stage.bodies()).map(({ body }) => body && fresh.decrypt(body, bodyOf('answered')))).toEqual(
      ['{"id":1}', null],
    );
  });

  it('given a finished rotation, when it runs again, then nothing is written', async () => {
    await stage.addAccount('acc_1');
    await stage.run(['rotate']);
    const before = [await stage.accounts(), (await stage.run(['rotate'])).code];
    expect([await stage.accounts(), (await stage.run(['status'], NEW)).code]).toEqual(before);
  });

  it('given more rows than a page holds, when it rotates, then none is left out', async () => {
    const rows = Array.from({ length: 1_203 }, (_, at) => `key ${at}`);
    await stage.client.query(
      `INSERT INTO idempotency_keys (tenant, key, request_hash, holder, held_until, created_at, status, body)
       SELECT 'demo', key, 'h', 'h', now(), now(), 200, body FROM unnest($1::text[], $2::text[]) AS r (key, body)`,
      [rows, rows.map((key) => old.encrypt(key, bodyOf(key)))],
    );
    expect((await stage.run(['rotate'])).code).toBe(0);
    expect((await stage.bodies()).filter(({ body }) => partsOf(body ?? '')?.keyId !== newId)).toEqual([]);
  });

  it('given a hash of the old key beside a number of the new one, when it rotates, then the hash is replaced', async () => {
    await stage.addAccount('acc_1', fresh);
    await stage.client.query('UPDATE accounts SET number_hash = $1', [old.keyedHash('acc_1')]);
    const [before] = await stage.accounts();
    expect((await stage.run(['status'])).code).toBe(1);
    expect((await stage.run(['rotate'])).code).toBe(0);
    expect(await stage.accounts()).toEqual([{ ...before, number_hash: fresh.keyedHash('acc_1') }]);
  });

  it('given a value under an unknown key, when it rotates, then it reports the value and rotates the others', async () => {
    await stage.addKey('lost', 'x', new DataCipher(LOST, of));
    await stage.putKey('nonsense', 'text');
    await stage.addKey('old', 'y');
    const { code, line, lines } = await stage.run(['rotate']);
    expect(lines.at(-1)).toBe(
      `orders  idempotency_keys.body  3 rows, 1 under another key, 1 re-encrypted, ` +
        `1 that no key of the list decrypts (${new DataCipher(LOST).keyIds.join()}), 1 that no key of the list decrypts (not an encrypted value)`,
    );
    expect([code, line]).toEqual([
      1,
      'orders: keep every key: 2 rows cannot be decrypted: add their key at the end of the list',
    ]);
    expect((await stage.run(['rotate'], `${BOTH},${LOST}`)).code).toBe(1);
    await stage.client.query("DELETE FROM idempotency_keys WHERE key = 'nonsense'");
    expect((await stage.run(['rotate'], `${BOTH},${LOST}`)).code).toBe(0);
    expect((await stage.run(['status'], NEW)).line).toBe(
      `orders: everything is under ${newId}, the only key of DATA_ENCRYPTION_KEY`,
    );
  });

  it('given a replica that cannot read the new key, when it should rotate, then it does nothing', async () => {
    await stage.addKey('old', 'y');
    const replica = await stage.connect(nameWithKeys('orders', old));
    const { code, line, lines } = await stage.run(['rotate']);
    await replica.end();
    expect([code, line, lines]).toEqual([
      1,
      `orders: nothing was done: a replica runs without the key ${newId} and could not read the new values; it has ${oldId}`,
      [],
    ]);
    expect((await stage.bodies()).map(({ body }) => partsOf(body ?? '')?.keyId)).toEqual([oldId]);
  });

  it('given a replica that still encrypts with the old key, when it rotates, then the old key has to stay', async () => {
    const replica = await stage.connect(nameWithKeys('orders', new DataCipher(`${OLD},${NEW}`)));
    const { code, line } = await stage.run(['rotate']);
    await replica.end();
    expect([code, line]).toEqual([
      1,
      `orders: keep every key: a replica still encrypts with ${oldId}: restart it with ${newId} first in the list`,
    ]);
  });

  it('given a replica with the old key that ends while it rotates, then the old key has to stay', async () => {
    const replica = await stage.connect(nameWithKeys('orders', new DataCipher(`${OLD},${NEW}`)));
    const count = async (which: string) => {
      // A transaction sees the connections of its first look until this.
      await stage.client.query('SELECT pg_stat_clear_snapshot()');
      const { rowCount } = await stage.client.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE $1 AND ${which}`,
        ['fundrail-orders%'],
      );
      return rowCount;
    };
    await stage.client.query('BEGIN; LOCK TABLE idempotency_keys IN ACCESS EXCLUSIVE MODE');
    const rotated = stage.run(['rotate']);
    await waitFor(async () => (await count("wait_event_type = 'Lock'")) === 1);
    await replica.end();
    await waitFor(async () => (await count("application_name NOT LIKE '%-keys'")) === 0);
    await stage.client.query('COMMIT');
    const { code, line } = await rotated;
    expect([code, line]).toEqual([
      1,
      `orders: keep every key: a replica still encrypts with ${oldId}: restart it with ${newId} first in the list`,
    ]);
    expect((await stage.run(['rotate'])).code).toBe(0);
  });

  it.each([[[]], [['rotate', 'all']], [['drop']]])(
    'given %j, when it runs, then it prints its usage',
    async (args) => {
      expect(await stage.run(args)).toEqual({
        code: 2,
        line: 'usage: main.js keys rotate | status',
        lines: [],
      });
    },
  );
});
