import { FakeClock } from '@fundrail/testing';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import { IdentityStage } from '../testing/identity-stage.ts';

const DEMO = { client_id: 'demo', client_secret: 'demo-secret' };

describe('the token endpoint', () => {
  let stage: IdentityStage;
  beforeAll(async () => {
    stage = await IdentityStage.start();
  });
  afterAll(() => stage.end());

  it('returns a token in the format of AUTH-2, with no-store (AUTH-3)', async () => {
    // when
    const answer = await stage.askToken('demo', { ...DEMO, unknown_field: 'tolerated' });
    // then
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      expires_in: 1800,
      refresh_expires_in: 0,
      token_type: 'Bearer',
      'not-before-policy': 0,
      scope: '',
    });
  });

  it('signs it with a published key, with tenant and client in it (AUTH-8)', async () => {
    const token = await stage.token();
    const keys = JSON.parse((await stage.send({ url: '/.well-known/jwks.json' })).text) as JSONWebKeySet;
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(keys), {
      audience: 'fundrail',
    });
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
    expect(payload).toMatchObject({ sub: 'demo', tenant: 'demo', scope: '' });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(1800);
    expect(JSON.stringify(keys)).not.toContain('"d"');
  });

  it('accepts HTTP Basic', async () => {
    const answer = await stage.send({
      method: 'POST',
      url: '/v2/auth/demo/token',
      body: 'grant_type=client_credentials',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from('demo:demo-secret').toString('base64')}`,
      },
    });
    expect(answer.status).toBe(200);
  });

  it.each([
    ['a wrong secret', 'demo', { ...DEMO, client_secret: 'wrong' }, 401, 'invalid_client'],
    ['an unknown client', 'demo', { ...DEMO, client_id: 'unknown' }, 401, 'invalid_client'],
    ['a client id with a NUL', 'demo', { ...DEMO, client_id: 'demo\0' }, 401, 'invalid_client'],
    ['a tenant with a NUL', '%00', DEMO, 401, 'invalid_client'],
    ['an unknown tenant', 'nowhere', DEMO, 401, 'invalid_client'],
    ['a client of another tenant', 'other', DEMO, 401, 'invalid_client'],
    ['no grant type', 'demo', { ...DEMO, grant_type: '' }, 400, 'invalid_request'],
    ['another grant type', 'demo', { ...DEMO, grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['a scope that it does not have', 'demo', { ...DEMO, scope: 'admin' }, 400, 'invalid_scope'],
  ])('refuses %s as RFC 6749 requires (AUTH-4, AUTH-5)', async (_what, tenant, form, status, error) => {
    const answer = await stage.askToken(tenant, form);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error, error_description: expect.any(String) });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['www-authenticate'] !== undefined).toBe(status === 401);
  });

  it.each([
    [
      'JSON',
      'application/json',
      '{"grant_type":"client_credentials"}',
      415,
      'must be application/x-www-form-urlencoded',
    ],
    ['text', 'text/plain', 'x', 415, 'must be application/x-www-form-urlencoded'],
    ['a form above 16 KiB', 'application/x-www-form-urlencoded', 'a'.repeat(16_385), 413, 'is too large'],
    [
      'more than 100 fields',
      'application/x-www-form-urlencoded',
      'a&'.repeat(101),
      400,
      'has more than 100 fields',
    ],
  ])('answers %s as RFC 6749 requires, with the expected format', async (_what, type, body, status, said) => {
    const headers = { 'content-type': type };
    const answer = await stage.send({ method: 'POST', url: '/v2/auth/demo/token', body, headers });
    expect([answer.status, answer.body]).toEqual([
      status,
      { error: 'invalid_request', error_description: expect.stringContaining(said) },
    ]);
    expect(answer.headers['accept']).toBe(status === 415 ? 'application/x-www-form-urlencoded' : undefined);
  });

  it('grants the requested part of the scope', async () => {
    const admin = { client_id: 'admin', client_secret: 'admin-secret' };
    expect((await stage.askToken('demo', admin)).body['scope']).toBe('admin');
    expect((await stage.askToken('demo', { ...admin, scope: 'admin' })).body['scope']).toBe('admin');
  });

  it('stays usable with fifty simultaneous requests', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => stage.askToken('demo', DEMO)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });

  it('logs neither secret nor token', async () => {
    const token = await stage.token();
    expect(stage.lines.join('')).not.toContain('demo-secret');
    expect(stage.lines.join('')).not.toContain(token);
  });
});

describe('the signing keys of a running service', () => {
  const DAY = 86_400_000;
  it('change every 30 days, while tokens of the old key are still good (AUTH-9)', async () => {
    // given
    const clock = new FakeClock('2026-11-21T10:00:00Z');
    const stage = await IdentityStage.start({ clock, env: { DUE_POLL_MS: '10' } });
    const kids = async () => {
      const keys = JSON.parse((await stage.send({ url: '/.well-known/jwks.json' })).text) as JSONWebKeySet;
      return keys.keys.map((key) => key.kid);
    };
    const kidOf = async () => decodeProtectedHeader(await stage.token()).kid;
    const first = await kidOf();
    // when: the 15 minutes before the change start
    clock.advance(30 * DAY - 10 * 60_000);
    await stage.rotated(2);
    // then: two keys are published, the old one signs
    expect(await kids()).toHaveLength(2);
    const old = await stage.token();
    expect(decodeProtectedHeader(old).kid).toBe(first);
    // when: the new one starts
    clock.advance(16 * 60_000);
    // then
    const second = await kidOf();
    expect(second).not.toBe(first);
    expect((await stage.send({ url: '/v2/investor_profiles', token: old })).status).toBe(200);
    // when: an hour has passed since the last use of the old one
    clock.advance(61 * 60_000);
    await stage.rotated(1);
    clock.advance(61_000);
    expect(await kids()).toEqual([second]);
    await stage.end();
  });

  it('are created once, for any number of replicas that start together', async () => {
    const stage = await IdentityStage.start();
    const replicas = await Promise.all([stage.replica(), stage.replica()]);
    const tokens = await Promise.all(
      [stage.service, ...replicas].map((one) => stage.askToken('demo', DEMO, one)),
    );
    const kids = tokens.map(({ body }) => decodeProtectedHeader(String(body['access_token'])).kid);
    expect(new Set(kids).size).toBe(1);
    expect(decodeJwt(String(tokens[0]?.body['access_token']))['tenant']).toBe('demo');
    await stage.end();
  });
});

describe('the token endpoint where an OpenID provider issues the tokens', () => {
  it('refuses, and states who issues them', async () => {
    const issuer = 'https://login.example/realms/fundrail';
    const stage = await IdentityStage.start({
      env: {
        ACCESS_TOKEN_JWKS_URL: `${issuer}/certs`,
        ACCESS_TOKEN_ISSUER: issuer,
        ACCESS_TOKEN_AUDIENCE: 'fundrail',
      },
    });
    const { status, body } = await stage.askToken('demo', DEMO);
    await stage.end();
    expect([status, body]).toEqual([
      400,
      { error: 'unauthorized_client', error_description: `access tokens are issued by ${issuer} here` },
    ]);
  });
});
