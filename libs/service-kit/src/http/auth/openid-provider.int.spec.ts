import { FakeClock } from '@fundrail/testing';
import { decodeJwt, generateKeyPair, SignJWT } from 'jose';
import { AUDIENCE, OpenIdProvider, TENANT_CLAIM } from '../../testing/openid-provider.ts';
import { startNotes, type NotesStage } from '../../testing/start-notes.ts';

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('an OpenID provider in place of the built-in issuer', () => {
  let provider: OpenIdProvider;
  let stage: NotesStage;
  let clock: FakeClock;
  beforeAll(async () => {
    clock = new FakeClock(new Date());
    provider = await OpenIdProvider.start();
    stage = await startNotes({
      clock,
      env: {
        ACCESS_TOKEN_JWKS_URL: `${provider.url}/jwks`,
        ACCESS_TOKEN_ISSUER: provider.url,
        ACCESS_TOKEN_AUDIENCE: AUDIENCE,
        ACCESS_TOKEN_TENANT_CLAIM: TENANT_CLAIM,
      },
    });
  });
  afterAll(async () => {
    await stage.end();
    await provider.stop();
  });

  const send = async (token: string, url = '/v2/notes') => {
    const headers = { authorization: token.startsWith('Bearer ') ? token : `Bearer ${token}` };
    const answer = await stage.service.fastify.inject({ url, headers });
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
  };
  /** A token of the provider with other claims or another header, signed with our own key under the provider's key id. */
  const forged = async (claims: object, header: object = {}) => {
    const { privateKey } = await generateKeyPair('RS256');
    return new SignJWT({ ...decodeJwt(await provider.token()), ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one', ...header })
      .sign(privateKey);
  };

  it('given its token by client credentials, then the caller has its tenant, client and scope (AUTH-11)', async () => {
    expect(await send(await provider.token({ scope: 'admin' }), '/v2/notes/shielded')).toEqual({
      status: 200,
      body: { tenant: 'demo', client_id: 'app' },
    });
    expect((await send(await provider.token())).status).toBe(200);
    expect((await send(await provider.token(), '/v2/notes/shielded')).status).toBe(403);
  });

  it('given a token for another API of the same provider, then it is refused', async () => {
    expect((await send(await provider.token({ audience: 'https://other.example' }))).status).toBe(401);
  });

  it('given a token without a signature, or with the public key as a shared secret, then it is refused', async () => {
    const claims = base64(decodeJwt(await provider.token()));
    expect((await send(`${base64({ alg: 'none', typ: 'at+jwt' })}.${claims}.`)).status).toBe(401);
    const jwks = new TextEncoder().encode(await (await fetch(`${provider.url}/jwks`)).text());
    const shared = await new SignJWT(decodeJwt(await provider.token()))
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(jwks);
    expect((await send(shared)).status).toBe(401);
  });

  it('given a foreign key, under a known id or an unknown one, then it is refused', async () => {
    clock.advance(5_000);
    expect((await send(await forged({}))).status).toBe(401);
    expect((await send(await forged({}, { kid: 'unknown' }))).status).toBe(401);
  });

  it('given a token of the built-in issuer, then it is refused', async () => {
    expect((await send(await stage.issuer.header())).status).toBe(401);
  });

  it('given another issuer that has the same keys, then its tokens are refused', async () => {
    await provider.signWith({ issuer: 'https://other.example', kid: 'other', keepsOld: true });
    clock.advance(5_000);
    expect((await send(await provider.token())).status).toBe(401);
  });

  it('given a new key beside the old one, then tokens of both are accepted, until the old key is withdrawn', async () => {
    await provider.signWith({ issuer: provider.url, kid: 'two' });
    clock.advance(5_000);
    const old = await provider.token();
    expect((await send(old)).status).toBe(200);
    await provider.signWith({ issuer: provider.url, kid: 'three', keepsOld: true });
    clock.advance(5_000);
    expect((await send(await provider.token())).status).toBe(200);
    expect((await send(await provider.token({ scope: 'admin' }))).status).toBe(200);
    const unused = await provider.token();
    await provider.signWith({ issuer: provider.url, kid: 'four' });
    clock.advance(301_000);
    expect([(await send(unused)).status, (await send(await provider.token())).status]).toEqual([401, 200]);
  });

  it('given a token that has expired, then it is refused, cached or not', async () => {
    const [seen, unseen] = [await provider.token(), await provider.token({ scope: 'admin' })];
    expect((await send(seen)).status).toBe(200);
    clock.advance(3_600_000);
    expect([(await send(seen)).status, (await send(unseen)).status]).toEqual([401, 401]);
  });
});
