import { hashSecret, newSecret, NOBODYS_HASH, verifySecret } from './client-secret.ts';

describe('a client secret', () => {
  it('is known again from its hash, and no other is', async () => {
    // given
    const secret = newSecret();
    // when
    const hash = await hashSecret(secret);
    // then
    await expect(verifySecret(secret, hash)).resolves.toBe(true);
    await expect(verifySecret(`${secret}x`, hash)).resolves.toBe(false);
  });

  it('leaves neither itself nor the same hash twice', async () => {
    const [one, other] = await Promise.all([hashSecret('demo-secret'), hashSecret('demo-secret')]);
    expect(one).not.toContain('demo-secret');
    expect(one).not.toBe(other);
  });

  it('states its cost in the hash', async () => {
    expect(await hashSecret('demo-secret')).toMatch(/^scrypt\$16384\$8\$1\$/);
  });

  it('fits the hash of nobody never', async () => {
    await expect(verifySecret('', NOBODYS_HASH)).resolves.toBe(false);
  });
});
