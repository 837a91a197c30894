import { ApiError } from '@fundrail/contracts';
import { FakeClock } from '@fundrail/testing';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { TokenIssuer } from '../../testing/token-issuer.ts';
import { AccessTokens, type TokenRules } from './access-tokens.ts';
import { JwksSource } from './jwks-source.ts';
import { keysOfIdentity } from './read-key-set.ts';
import { ServiceTokens } from './service-tokens.ts';

const RULES: TokenRules = {
  ...{ issuers: undefined, audience: 'fundrail', tenantClaim: 'tenant' },
  ...{ type: 'at+jwt', mostSeconds: 1_800 },
};

describe('access tokens', () => {
  let issuer: TokenIssuer;
  let clock: FakeClock;
  let tokens: AccessTokens;
  const expiresAt = () => Math.floor(clock.now().getTime() / 1000) + 1800;
  beforeEach(async () => {
    issuer = await TokenIssuer.create();
    clock = new FakeClock();
    tokens = new AccessTokens(new JwksSource(keysOfIdentity(issuer), clock), clock, RULES);
  });

  it('verifies a token once and caches it until it expires', async () => {
    const header = await issuer.header({ tenant: 'demo', scope: 'a b', expiresAt: expiresAt() });
    expect(tokens.cached(header)).toBeUndefined();
    const verified = await tokens.verify(header);
    expect(verified).toEqual({
      tenant: 'demo',
      client_id: 'demo-client',
      scopes: ['a', 'b'],
      compatibility: null,
      expires_at: verified.expires_at,
    });
    expect(tokens.cached(header)).toBe(verified);
    // The spaces are the client's, so that one token fills one place.
    expect(tokens.cached(header.replace(' ', '   '))).toBe(verified);
    clock.advance(1_800_001);
    expect(tokens.cached(header)).toBeUndefined();
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

  it('fetches keys for unknown key ids at most every few seconds', async () => {
    await tokens.verify(await issuer.header({ expiresAt: expiresAt() }));
    const stranger = await TokenIssuer.create();
    await stranger.rotate('forged', true);
    const forged = await stranger.header({ expiresAt: expiresAt() });
    clock.advance(5_000);
    for (let tries = 0; tries < 10; tries += 1)
      await expect(tokens.verify(forged)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(issuer.fetches).toBe(2);
  });

  it('deletes a withdrawn key after five minutes', async () => {
    const old = await issuer.header({ expiresAt: expiresAt() });
    await tokens.verify(old);
    await issuer.rotate('two', true);
    clock.advance(300_001);
    await expect(tokens.verify(old)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('uses known keys while identity is down, and is unavailable when it never had any (AUTH-8)', async () => {
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

  it('calls an identity that is down only every few seconds, and no token waits for it while keys are known', async () => {
    await tokens.verify(await issuer.header({ expiresAt: expiresAt() }));
    issuer.isDown = true;
    clock.advance(400_000);
    await tokens.verify(await issuer.header({ tenant: 'first', expiresAt: expiresAt() }));
    expect(issuer.refusals).toBe(1);
    clock.advance(2_999);
    for (const tenant of ['aa', 'bb', 'cc'])
      await tokens.verify(await issuer.header({ tenant, expiresAt: expiresAt() }));
    expect(issuer.refusals).toBe(1);
    // given an identity that does not answer at all
    issuer.isStalled = true;
    clock.advance(1);
    await tokens.verify(await issuer.header({ tenant: 'dd', expiresAt: expiresAt() }));
    expect(issuer.refusals).toBe(2);
  });

  it('without keys, fetches them again a second after a failure', async () => {
    issuer.isDown = true;
    const header = await issuer.header({ expiresAt: expiresAt() });
    for (let tries = 0; tries < 3; tries += 1)
      await expect(tokens.verify(header)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(issuer.refusals).toBe(1);
    issuer.isDown = false;
    clock.advance(1_000);
    await expect(tokens.verify(header)).resolves.toMatchObject({ tenant: 'demo' });
  });

  it('accepts only the tokens of its issuer, when one is configured', async () => {
    const header = await issuer.header({ expiresAt: expiresAt() });
    const strict = (name: string) =>
      new AccessTokens(new JwksSource(keysOfIdentity(issuer), clock), clock, { ...RULES, issuers: [name] });
    await expect(strict('https://issuer.test').verify(header)).resolves.toMatchObject({ tenant: 'demo' });
    await expect(strict('https://other.test').verify(header)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('refuses a tenant claim that is not a valid tenant name', async () => {
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

  it('never accepts a service token as an access token', async () => {
    const header = await new ServiceTokens('orders', 's'.repeat(32)).header();
    await expect(tokens.verify(header)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('which tokens are access tokens', () => {
  const NOW = Date.parse('2026-11-23T10:00:00Z') / 1000;
  let key: CryptoKey;
  let source: JwksSource;
  const clock = new FakeClock(new Date(NOW * 1000));
  beforeAll(async () => {
    const pair = await generateKeyPair('ES256');
    key = pair.privateKey;
    const keys = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), alg: 'ES256' }] });
    source = new JwksSource(() => Promise.resolve(keys), clock);
  });

  interface Odd {
    readonly claims?: object;
    readonly typ?: string | undefined;
    readonly rules?: Partial<TokenRules>;
  }
  const GOOD = { tenant: 'demo', sub: 'app', aud: 'fundrail', iat: NOW, exp: NOW + 1_800 };
  const verified = async ({ claims = {}, rules = {}, ...odd }: Odd) => {
    const typ = 'typ' in odd ? odd.typ : 'at+jwt';
    const header = { alg: 'ES256', ...(typ === undefined ? {} : { typ }) };
    const token = await new SignJWT({ ...GOOD, ...claims }).setProtectedHeader(header).sign(key);
    return new AccessTokens(source, clock, { ...RULES, ...rules }).verify(`Bearer ${token}`).then(
      () => 'accepted',
      (error: unknown) => (error instanceof ApiError ? `${error.code} ${error.message}` : String(error)),
    );
  };
  const FOREIGN = 'UNAUTHORIZED The token is not an access token for this API.';
  const ANY = { type: 'any' } as const;

  it.each<[string, Odd]>([
    ['at+jwt', {}],
    ['application/at+jwt', { typ: 'application/at+jwt' }],
    ['Keycloak: a JWT whose claim typ is Bearer', { typ: 'JWT', claims: { typ: 'Bearer', azp: 'app' } }],
    ['Cognito: no typ, token_use access', { typ: undefined, claims: { token_use: 'access' } }],
    ['a JWT without a declared type, when any is accepted', { typ: 'JWT', rules: ANY }],
    ['one of several audiences', { claims: { aud: ['other', 'fundrail'] } }],
    ['issued by a clock that is half a minute ahead', { claims: { iat: NOW + 30, exp: NOW + 1_830 } }],
    [
      'valid for a day, when a provider may issue such',
      { claims: { exp: NOW + 86_400 }, rules: { mostSeconds: 86_400 } },
    ],
  ])('accepts a token: %s', async (_what, odd) => {
    expect(await verified(odd)).toBe('accepted');
  });

  it.each<[string, Odd]>([
    ['without a type', { typ: undefined }],
    ['that is a JWT without a declared type', { typ: 'JWT' }],
    ["that is Keycloak's ID token", { typ: 'JWT', claims: { typ: 'ID' }, rules: ANY }],
    ["that is Keycloak's logout token", { typ: 'logout+jwt', claims: { typ: 'Logout' }, rules: ANY }],
    ['that is a refresh token', { typ: 'JWT', claims: { typ: 'Refresh' }, rules: ANY }],
    ["that is Cognito's ID token", { typ: undefined, claims: { token_use: 'id' }, rules: ANY }],
    ['with events, as a logout token', { typ: 'JWT', claims: { events: {} }, rules: ANY }],
    ['with a nonce, as an ID token', { typ: 'JWT', claims: { nonce: 'n' }, rules: ANY }],
    ['with at_hash, as an ID token', { typ: 'JWT', claims: { at_hash: 'h' }, rules: ANY }],
    ['that is bound to a key', { claims: { cnf: { jkt: 'x' } } }],
    ['for another audience', { claims: { aud: 'other' } }],
    ['without an audience', { claims: { aud: undefined } }],
    ['of another issuer', { claims: { iss: 'https://b.test' }, rules: { issuers: ['https://a.test'] } }],
    ['without an issuer', { rules: { issuers: ['https://a.test'] } }],
    ['valid for ten years', { claims: { exp: NOW + 315_360_000 } }],
    ['valid a second too long', { claims: { exp: NOW + 1_801 } }],
    ['issued in the future', { claims: { iat: NOW + 61, exp: NOW + 1_800 } }],
    ['without the time of its issue', { claims: { iat: undefined } }],
  ])('refuses a token %s', async (_what, odd) => {
    expect(await verified(odd)).toBe(FOREIGN);
  });

  it('reports an expired token as expired, and an expired token for another audience as foreign', async () => {
    const expired = { iat: NOW - 1_801, exp: NOW - 1 };
    expect(await verified({ claims: expired })).toContain('has expired');
    expect(await verified({ claims: { ...expired, aud: 'other' } })).toBe(FOREIGN);
  });
});

describe('service tokens', () => {
  const orders = new ServiceTokens('orders', 's'.repeat(32));
  const payments = new ServiceTokens('payments', 's'.repeat(32));

  it('is accepted by another service with the same secret, and cached', async () => {
    const header = await orders.header();
    expect(payments.isVerified(header)).toBe(false);
    await payments.verify(header);
    expect(payments.isVerified(header)).toBe(true);
    expect(await orders.header()).toBe(header);
  });

  it('of a renamed service has the name that the release before accepts (decision 0053)', async () => {
    const header = await new ServiceTokens('plans', 's'.repeat(32)).header();
    expect(decodeJwt(header.replace('Bearer ', ''))).toMatchObject({ sub: 'swp' });
    await expect(orders.verify(header)).resolves.toBeUndefined();
  });

  it('is refused under another secret, and so is an access token', async () => {
    const stranger = new ServiceTokens('orders', 'x'.repeat(32));
    await expect(payments.verify(await stranger.header())).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    const issuer = await TokenIssuer.create();
    await expect(payments.verify(await issuer.header())).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  const secret = new TextEncoder().encode('s'.repeat(32));
  const now = () => Math.floor(Date.now() / 1000);
  const made = async (claims: object, typ?: string) => {
    const all = { iss: 'fundrail', aud: 'fundrail:internal', sub: 'orders', ...claims };
    const header = { alg: 'HS256', ...(typ === undefined ? {} : { typ }) };
    return `Bearer ${await new SignJWT(all).setProtectedHeader(header).sign(secret)}`;
  };

  it('is accepted from the previous release, which writes neither iat nor a type', async () => {
    await expect(payments.verify(await made({ exp: now() + 300 }))).resolves.toBeUndefined();
  });

  it.each([
    ['is valid for ten years', { iat: now(), exp: now() + 315_360_000 }, 'fundrail-service+jwt'],
    ['expires in ten years and has no iat', { exp: now() + 315_360_000 }, undefined],
    ['is of another type', { iat: now(), exp: now() + 300 }, 'at+jwt'],
    ['is from an unknown service', { sub: 'stranger', iat: now(), exp: now() + 300 }, undefined],
    ['is issued in the future', { iat: now() + 900, exp: now() + 1_200 }, undefined],
    ['has no expiry', { iat: now() }, undefined],
    ['is for another audience', { aud: 'fundrail', exp: now() + 300 }, undefined],
  ])('is refused when it %s', async (_what, claims, typ) => {
    await expect(payments.verify(await made(claims, typ))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});
