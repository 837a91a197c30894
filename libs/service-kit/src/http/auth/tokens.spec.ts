import { FakeClock } from '@fundrail/testing';
import { TokenIssuer } from '../../testing/token-issuer.ts';
import { AccessTokens } from './access-tokens.ts';
import { JwksSource } from './jwks-source.ts';
import { keysOfIdentity } from './read-key-set.ts';
import { ServiceTokens } from './service-tokens.ts';

describe('access tokens', () => {
  let issuer: TokenIssuer;
  let clock: FakeClock;
  let tokens: AccessTokens;
  const expiresAt = () => Math.floor(clock.now().getTime() / 1000) + 1800;
  beforeEach(async () => {
    issuer = await TokenIssuer.create();
    clock = new FakeClock();
    tokens = new AccessTokens(new JwksSource(keysOfIdentity(issuer), clock), clock);
  });

  it('verifies a token once and remembers it until it expires', async () => {
    const header = await issuer.header({ tenant: 'demo', scope: 'a b', expiresAt: expiresAt() });
    expect(tokens.remembered(header)).toBeUndefined();
    const verified = await tokens.verify(header);
    expect(verified).toEqual({
      tenant: 'demo',
      client_id: 'demo-client',
      scopes: ['a', 'b'],
      expires_at: verified.expires_at,
    });
    expect(tokens.remembered(header)).toBe(verified);
    clock.advance(1_800_001);
    expect(tokens.remembered(header)).toBeUndefined();
    await expect(tokens.verify(header)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('fetches the keys once for many requests at the same time', async () => {
    const header = await issuer.header({ expiresAt: expiresAt() });
    await Promise.all(Array.from({ length: 20 }, () => tokens.verify(header)));
    expect(issuer.fetches).toBe(1);
  });

  it('accepts the old and the new key while they overlap', async () => {
    const old = await issuer.header({ expiresAt: expiresAt() });
    await tokens.verify(old);
    await issuer.rotate('two');
    const fresh = await issuer.header({ expiresAt: expiresAt() });
    clock.advance(5_000);
    await expect(tokens.verify(fresh)).resolves.toMatchObject({ tenant: 'demo' });
    await expect(tokens.verify(old)).resolves.toMatchObject({ tenant: 'demo' });
    expect(issuer.fetches).toBe(2);
  });

  it('looks for unknown keys at most every few seconds', async () => {
    await tokens.verify(await issuer.header({ expiresAt: expiresAt() }));
    const stranger = await TokenIssuer.create();
    await stranger.rotate('forged', true);
    const forged = await stranger.header({ expiresAt: expiresAt() });
    clock.advance(5_000);
    for (let tries = 0; tries < 10; tries += 1)
      await expect(tokens.verify(forged)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(issuer.fetches).toBe(2);
  });

  it('forgets a withdrawn key after five minutes', async () => {
    const old = await issuer.header({ expiresAt: expiresAt() });
    await tokens.verify(old);
    await issuer.rotate('two', true);
    clock.advance(300_001);
    await expect(tokens.verify(old)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('goes on with known keys when identity is down, and is unavailable when it never had any', async () => {
    const header = await issuer.header({ expiresAt: expiresAt() });
    issuer.isDown = true;
    await expect(tokens.verify(header)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 1 });
    issuer.isDown = false;
    clock.advance(1_000);
    await tokens.verify(header);
    issuer.isDown = true;
    clock.advance(400_000);
    await expect(tokens.verify(header)).resolves.toMatchObject({ tenant: 'demo' });
  });

  it('asks an identity that is down only now and then, and makes no token wait for it while keys are known', async () => {
    await tokens.verify(await issuer.header({ expiresAt: expiresAt() }));
    issuer.isDown = true;
    clock.advance(400_000);
    await tokens.verify(await issuer.header({ tenant: 'first', expiresAt: expiresAt() }));
    expect(issuer.refusals).toBe(1);
    clock.advance(2_999);
    for (const tenant of ['aa', 'bb', 'cc'])
      await tokens.verify(await issuer.header({ tenant, expiresAt: expiresAt() }));
    expect(issuer.refusals).toBe(1);
    // given an identity that does not even refuse
    issuer.isStalled = true;
    clock.advance(1);
    await tokens.verify(await issuer.header({ tenant: 'dd', expiresAt: expiresAt() }));
    expect(issuer.refusals).toBe(2);
  });

  it('asks for keys again a second after a failure when it has none', async () => {
    issuer.isDown = true;
    const header = await issuer.header({ expiresAt: expiresAt() });
    for (let tries = 0; tries < 3; tries += 1)
      await expect(tokens.verify(header)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(issuer.refusals).toBe(1);
    issuer.isDown = false;
    clock.advance(1_000);
    await expect(tokens.verify(header)).resolves.toMatchObject({ tenant: 'demo' });
  });

  it('takes the tokens of its issuer only, when it was told one', async () => {
    const header = await issuer.header({ expiresAt: expiresAt() });
    const strict = (name: string) =>
      new AccessTokens(new JwksSource(keysOfIdentity(issuer), clock), clock, { issuer: name });
    await expect(strict('https://issuer.test').verify(header)).resolves.toMatchObject({ tenant: 'demo' });
    await expect(strict('https://other.test').verify(header)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('takes nothing for a tenant that is no name of one', async () => {
    for (const tenant of ['', 'A', "x'; --", 'x'.repeat(64)]) {
      const header = await issuer.header({ tenant, expiresAt: expiresAt() });
      await expect(tokens.verify(header)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    }
  });

  it.each(['', 'Basic abc', 'Bearer', 'Bearer a.b', 'Bearer eyJhbGciOiJub25lIn0.e30.'])(
    'refuses %p',
    async (header) => {
      await expect(tokens.verify(header)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    },
  );

  it('never takes a service token for an access token', async () => {
    const header = await new ServiceTokens('orders', 's'.repeat(32)).header();
    await expect(tokens.verify(header)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('service tokens', () => {
  const orders = new ServiceTokens('orders', 's'.repeat(32));
  const payments = new ServiceTokens('payments', 's'.repeat(32));

  it('is accepted by a neighbour with the same secret, and remembered', async () => {
    const header = await orders.header();
    expect(payments.isRemembered(header)).toBe(false);
    await payments.verify(header);
    expect(payments.isRemembered(header)).toBe(true);
    expect(await orders.header()).toBe(header);
  });

  it('is refused under another secret, and so is an access token', async () => {
    const stranger = new ServiceTokens('orders', 'x'.repeat(32));
    await expect(payments.verify(await stranger.header())).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    const issuer = await TokenIssuer.create();
    await expect(payments.verify(await issuer.header())).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});
