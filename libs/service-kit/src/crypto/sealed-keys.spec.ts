import { createHmac } from 'node:crypto';
import { DataCipher } from './data-cipher.ts';
import { SealedKeys } from './sealed-keys.ts';

const cipher = new DataCipher('a-secret-of-the-sealed-keys-spec-0123456789');
const sign = (key: Parameters<typeof createHmac>[1]) =>
  createHmac('sha256', key).update('text').digest('hex');

describe('keys of sealed secrets', () => {
  it('sign as the bytes of their secrets do, each time and each its own', () => {
    const keys = new SealedKeys(cipher, (secret) => Buffer.from(secret, 'hex'));
    const [one, other] = [cipher.encrypt('01ff'), cipher.encrypt('02ff')];
    for (const [sealed, hex] of [
      [one, '01ff'],
      [other, '02ff'],
      [one, '01ff'],
    ] as const)
      expect(sign(keys.of(sealed))).toBe(sign(Buffer.from(hex, 'hex')));
  });

  it('are made once', () => {
    let made = 0;
    const keys = new SealedKeys(cipher, (secret) => {
      made += 1;
      return Buffer.from(secret);
    });
    const sealed = cipher.encrypt('secret');
    expect(keys.of(sealed)).toBe(keys.of(sealed));
    expect(made).toBe(1);
  });

  it('of a value that was changed are refused', () => {
    const keys = new SealedKeys(cipher, Buffer.from);
    const sealed = cipher.encrypt('secret');
    keys.of(sealed);
    const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
    expect(() => keys.of(changed)).toThrow();
  });
});
