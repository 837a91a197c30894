import { createHmac } from 'node:crypto';
import { DataCipher } from './data-cipher.ts';
import type { Cell } from './cell.ts';
import { SealedKeys, type Sealed } from './sealed-keys.ts';

const cipher = new DataCipher('a-secret-of-the-sealed-keys-spec-0123456789');
const cell: Cell = { table: 'endpoints', column: 'secret', tenant: 'demo', key: ['nwh_1'] };
const sealedOf = (secret: string): Sealed => ({ value: cipher.encrypt(secret, cell), cell });
const sign = (key: Parameters<typeof createHmac>[1]) =>
  createHmac('sha256', key).update('text').digest('hex');

describe('keys of sealed secrets', () => {
  it('sign like the bytes of their secrets', () => {
    const keys = new SealedKeys(cipher, (secret) => Buffer.from(secret, 'hex'));
    const [one, other] = [sealedOf('01ff'), sealedOf('02ff')];
    for (const [sealed, hex] of [
      [one, '01ff'],
      [other, '02ff'],
      [one, '01ff'],
    ] as const)
      expect(sign(keys.of(sealed))).toBe(sign(Buffer.from(hex, 'hex')));
  });

  it('are created once', () => {
    let created = 0;
    const keys = new SealedKeys(cipher, (secret) => {
      created += 1;
      return Buffer.from(secret);
    });
    const sealed = sealedOf('secret');
    expect(keys.of(sealed)).toBe(keys.of(sealed));
    expect(created).toBe(1);
  });

  it('of a changed value are refused', () => {
    const keys = new SealedKeys(cipher, Buffer.from);
    const sealed = sealedOf('secret');
    keys.of(sealed);
    const value = sealed.value.slice(0, -2) + (sealed.value.endsWith('AA') ? 'BB' : 'AA');
    expect(() => keys.of({ value, cell })).toThrow();
  });

  it('are not reused for a value in another place', () => {
    const keys = new SealedKeys(cipher, Buffer.from);
    const sealed = sealedOf('secret');
    keys.of(sealed);
    expect(() => keys.of({ ...sealed, cell: { ...cell, key: ['nwh_2'] } })).toThrow(/another row/);
  });
});
