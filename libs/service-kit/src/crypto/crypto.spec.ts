import { DataCipher, keyIdOf } from './data-cipher.ts';
import { constantTimeEqual, hmac } from './hashes.ts';

const one = 'first secret of at least 32 characters';
const two = 'second secret of at least 32 characters';

describe('DataCipher', () => {
  it('decrypts what it encrypted, and never writes the same twice', () => {
    const cipher = new DataCipher(one);
    const [first, second] = [cipher.encrypt('50100012345678 ₹'), cipher.encrypt('50100012345678 ₹')];
    expect(first).not.toBe(second);
    expect([cipher.decrypt(first), cipher.decrypt(second)]).toEqual(['50100012345678 ₹', '50100012345678 ₹']);
    expect(cipher.decrypt(cipher.encrypt(''))).toBe('');
  });

  it('notices a changed value and an unknown key', () => {
    const cipher = new DataCipher(one);
    const value = cipher.encrypt('text');
    const changed = value.slice(0, -2) + (value.endsWith('AA') ? 'BB' : 'AA');
    expect(() => cipher.decrypt(changed)).toThrow();
    expect(() => new DataCipher(two).decrypt(value)).toThrow('no key');
    expect(() => cipher.decrypt('nonsense')).toThrow('no key');
  });

  it('names the key of a value, and its own keys, the first one first', () => {
    const rotated = new DataCipher(`${two}, ${one}`);
    const ids = [two, one].map((secret) => keyIdOf(new DataCipher(secret).encrypt('')));
    expect(rotated.keyIds).toEqual(ids);
    expect(rotated.encrypt('x').startsWith(rotated.currentPrefix)).toBe(true);
    expect([keyIdOf('text'), keyIdOf('v1.short.a.b')]).toEqual([null, null]);
  });

  it('reads old values after the key was rotated, writes and hashes with the new one, and finds by the hash of each', () => {
    const [old, rotated] = [new DataCipher(one), new DataCipher(`${two},${one}`)];
    expect(rotated.decrypt(old.encrypt('x'))).toBe('x');
    expect(() => old.decrypt(rotated.encrypt('x'))).toThrow('no key');
    const [by, byOld] = [new DataCipher(two), old].map((cipher) => cipher.keyedHash('ABCDE1234F'));
    expect(rotated.keyedHash('ABCDE1234F')).toBe(by);
    expect(rotated.keyedHashes('ABCDE1234F')).toEqual([by, byOld]);
  });
});

describe('hashes', () => {
  it('makes HMAC-SHA256 as RFC 4231 test case 2 has it', () => {
    expect(hmac('Jefe', 'what do ya want for nothing?')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('compares', () => {
    expect([constantTimeEqual('a', 'a'), constantTimeEqual('a', 'b'), constantTimeEqual('a', 'aa')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
