import type { Cell } from './cell.ts';
import { DataCipher, partsOf, Undecryptable } from './data-cipher.ts';
import { constantTimeEqual, hmac } from './hashes.ts';

const one = 'first secret of at least 32 characters';
const two = 'second secret of at least 32 characters';
const CELL: Cell = { table: 'accounts', column: 'number', tenant: 'demo', key: ['acc_1'] };

describe('DataCipher', () => {
  it('decrypts what it encrypted, and never writes the same twice', () => {
    const cipher = new DataCipher(one);
    const [first, second] = [
      cipher.encrypt('50100012345678 ₹', CELL),
      cipher.encrypt('50100012345678 ₹', CELL),
    ];
    expect(first).not.toBe(second);
    expect([first, second].map((value) => cipher.decrypt(value, CELL))).toEqual([
      '50100012345678 ₹',
      '50100012345678 ₹',
    ]);
    expect(cipher.decrypt(cipher.encrypt('', CELL), CELL)).toBe('');
  });

  it('refuses a changed value and an unknown key, and shows no value in the error', () => {
    const cipher = new DataCipher(one);
    const value = cipher.encrypt('text', CELL);
    const changed = value.slice(0, -2) + (value.endsWith('AA') ? 'BB' : 'AA');
    expect(() => cipher.decrypt(changed, CELL)).toThrow(Undecryptable);
    expect(() => new DataCipher(two).decrypt(value, CELL)).toThrow(/no key for .* names the key/);
    expect(() => cipher.decrypt('50100012345678', CELL)).toThrow(
      'DATA_ENCRYPTION_KEY has no key for accounts.number of row acc_1 of tenant demo: it is not an encrypted value',
    );
  });

  it('refuses a tag that is shorter than that of GCM', () => {
    const cipher = new DataCipher(one);
    const [format, id, iv, sealed = ''] = cipher.encrypt('', CELL).split('.');
    const short = Buffer.from(sealed, 'base64url').subarray(0, 4).toString('base64url');
    expect(() => cipher.decrypt([format, id, iv, short].join('.'), CELL)).toThrow(Undecryptable);
  });

  it.each<[string, Partial<Cell>, string]>([
    ['another row', { key: ['acc_2'] }, 'orders'],
    ['another column', { column: 'secrets' }, 'orders'],
    ['another table', { table: 'others' }, 'orders'],
    ['another tenant', { tenant: 'other' }, 'orders'],
    ['no tenant', { tenant: null }, 'orders'],
    ['a key that is cut elsewhere', { tenant: 'demo","acc_1', key: [] }, 'orders'],
    ['another service', {}, 'identity'],
  ])('does not decrypt a value that was copied to %s', (_where, to, service) => {
    const value = new DataCipher(one, { service: 'orders' }).encrypt('text', CELL);
    const there = { ...CELL, ...to };
    const open = () => new DataCipher(one, { service }).decrypt(value, there);
    expect(open).toThrow(Undecryptable);
    expect(open).toThrow(/changed, or that belongs to another row/);
  });

  it('does not decrypt a value of one format as the other', () => {
    const [v1, v2] = [new DataCipher(one, { formats: 'v1' }), new DataCipher(one)];
    const as = (format: string, value: string) => `${format}${value.slice(2)}`;
    expect(() => v2.decrypt(as('v1', v2.encrypt('text', CELL)), CELL)).toThrow(Undecryptable);
    expect(() => v2.decrypt(as('v2', v1.encrypt('text', CELL)), CELL)).toThrow(Undecryptable);
  });

  it('reads format v1 unless it is configured to refuse it, and writes it when configured or held back', () => {
    const [v1, v2] = [new DataCipher(one, { formats: 'v1' }), new DataCipher(one)];
    const strict = new DataCipher(one, { formats: 'v2-only' });
    const [old, fresh] = [v1.encrypt('old', CELL), v2.encrypt('fresh', CELL)];
    expect([old.slice(0, 3), fresh.slice(0, 3)]).toEqual(['v1.', 'v2.']);
    for (const cipher of [v1, v2])
      expect([cipher.decrypt(old, CELL), cipher.decrypt(fresh, CELL)]).toEqual(['old', 'fresh']);
    expect(() => strict.decrypt(old, CELL)).toThrow(/accounts\.number of row acc_1 .*v2-only refuses/);
    expect(strict.decrypt(fresh, CELL)).toBe('fresh');
    for (const [cipher, held] of [
      [v2, 'v1'],
      [strict, 'v2'],
    ] as const) {
      cipher.holdBack(true);
      expect(cipher.format).toBe(held);
      cipher.holdBack(false);
      expect(cipher.format).toBe('v2');
    }
  });

  it('returns the key id of a value, and its own key ids in their order', () => {
    const rotated = new DataCipher(`${two}, ${one}`);
    const ids = [two, one].map((secret) => partsOf(new DataCipher(secret).encrypt('', CELL))?.keyId);
    expect(rotated.keyIds).toEqual(ids);
    expect(rotated.encrypt('x', CELL).startsWith(rotated.currentPrefix)).toBe(true);
    expect([partsOf('text'), partsOf('v1.short.a.b'), partsOf('v3.12345678.a.b')]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('after a rotation, reads old values, writes and hashes with the new key, and finds by the hash of each key', () => {
    const [old, rotated] = [new DataCipher(one), new DataCipher(`${two},${one}`)];
    expect(rotated.decrypt(old.encrypt('x', CELL), CELL)).toBe('x');
    expect(() => old.decrypt(rotated.encrypt('x', CELL), CELL)).toThrow('no key');
    const [by, byOld] = [new DataCipher(two), old].map((cipher) => cipher.keyedHash('ABCDE1234F'));
    expect(rotated.keyedHash('ABCDE1234F')).toBe(by);
    expect(rotated.keyedHashes('ABCDE1234F')).toEqual([by, byOld]);
  });
});

describe('hashes', () => {
  it('computes the HMAC-SHA256 of RFC 4231 test case 2', () => {
    expect(hmac('Jefe', 'what do ya want for nothing?')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('compares two texts', () => {
    expect([constantTimeEqual('a', 'a'), constantTimeEqual('a', 'b'), constantTimeEqual('a', 'aa')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
