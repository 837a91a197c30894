import { hashSecret, newSecret, UNMATCHABLE_HASH, verifySecret } from './client-secret.ts';

describe('a client secret', () => {
  it('matches its hash, and no other secret does', async () => {
    // given
    const secret = newSecret();
    // when
    const hash = await hashSecret(secret);
    // then
    await expect(verifySecret(secret, hash)).resolves.toBe(true);
    await expect(verifySecret(`${secret}x`, hash)).resolves.toBe(false);
  });

  it('is not in its hash, and a second hash of it differs', async () => {
    const [one, other] = await Promise.all([hashSecret('demo-secret'), hashSecret('demo-secret')]);
    expect(one).not.toContain('demo-secret');
    expect(one).not.toBe(other);
  });

  it('states its cost in the hash', async () => {
    expect(await hashSecret('demo-secret')).toMatch(/^scrypt\$16384\$8\$1\$/);
  });

  it('never matches the hash for unknown clients', async () => {
    await expect(verifySecret('', UNMATCHABLE_HASH)).resolves.toBe(false);
  });
});
