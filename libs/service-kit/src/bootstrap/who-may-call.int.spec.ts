import { startNotes, type NotesStage } from '../testing/start-notes.ts';

describe('who may call a service', () => {
  let stage: NotesStage;
  let token: string;
  beforeAll(async () => {
    stage = await startNotes();
    token = await stage.issuer.header();
  });
  afterAll(() => stage.end());

  const send = ({ url, headers = {} }: { url: string; headers?: Record<string, string> }) =>
    stage.service.fastify.inject({ url, headers: { authorization: token, ...headers } });
  const errorOf = (answer: { json: () => unknown }) =>
    (answer.json() as { error: { code: string; message: string } }).error;

  it.each([
    ['no token', () => ({ authorization: '' }), 401],
    ['nonsense', () => ({ authorization: 'Bearer a.b.c' }), 401],
    [
      'an expired token',
      async () => ({ authorization: await stage.issuer.header({ expiresAt: 1_000_000 }) }),
      401,
    ],
    ['another tenant', () => ({ 'x-tenant-id': 'other' }), 403],
    ['the own tenant', () => ({ 'x-tenant-id': 'demo' }), 200],
  ] satisfies [string, () => Record<string, string> | Promise<Record<string, string>>, number][])(
    'answers %s (CONV-11)',
    async (_what, headers, status) => {
      expect((await send({ url: '/v2/notes/7', headers: await headers() })).statusCode).toBe(status);
    },
  );

  it.each([
    ['nothing', () => undefined, null, /^No access token was sent/],
    ['another scheme', () => 'Basic abc', 'invalid_token', /^The Authorization header is malformed/],
    ['a bad token', () => 'Bearer a.b.c', 'invalid_token', /^The Authorization header is malformed/],
    [
      'a token that ended',
      () => stage.issuer.header({ expiresAt: 1_000_000 }),
      'invalid_token',
      /^The access token has expired/,
    ],
    [
      'a forged token',
      async () => (await stage.issuer.header()).replace(/.{8}$/, 'AAAAAAAA'),
      'invalid_token',
      /^The token is not an access token for this API/,
    ],
  ] satisfies [string, () => string | undefined | Promise<string>, string | null, RegExp][])(
    'given %s, then the answer names the reason, as in RFC 6750',
    async (_what, header, error, message) => {
      const authorization = await header();
      const headers = authorization === undefined ? {} : { authorization };
      const answer = await stage.service.fastify.inject({ url: '/v2/notes/7', headers });
      const refusal = errorOf(answer);
      const description = error === null ? '' : `, error="${error}", error_description="${refusal.message}"`;
      expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([
        401,
        `Bearer realm="fundrail"${description}`,
      ]);
      expect(refusal.message).toMatch(message);
    },
  );

  it('given a token without the scope of a route, then the answer names the scope, as in RFC 6750', async () => {
    const answer = await send({ url: '/v2/notes/shielded' });
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([
      403,
      'Bearer realm="fundrail", error="insufficient_scope", error_description="The scope admin is required.", scope="admin"',
    ]);
  });

  it('lets an admin act in any tenant, and requires a scope where one is needed', async () => {
    const admin = await stage.issuer.header({ scope: 'api admin' });
    const answer = await send({
      url: '/v2/notes/shielded',
      headers: { authorization: admin, 'x-tenant-id': 'other' },
    });
    expect(answer.json()).toEqual({ tenant: 'other', client_id: 'demo-client' });
    expect((await send({ url: '/v2/notes/shielded' })).statusCode).toBe(403);
  });

  it('has identity record the call of an admin in another tenant before it runs, and its status afterwards', async () => {
    const admin = await stage.issuer.header({ scope: 'admin' });
    const headers = { authorization: admin, 'x-tenant-id': 'other', 'x-request-id': 'recorded' };
    await send({ url: '/v2/notes?words=x', headers });
    const first = stage.issuer.operatorCalls.findIndex(({ body }) => body['request_id'] === 'recorded');
    expect(stage.issuer.operatorCalls.slice(first, first + 2).map(({ body }) => body)).toEqual([
      {
        ...{ tenant: 'demo', client_id: 'demo-client', acted_in: 'other', named_tenant: 'other' },
        ...{ method: 'GET', path: '/v2/notes', request_id: 'recorded', status: null },
      },
      { status: 200 },
    ]);
  });

  it('refuses an admin in another tenant while identity does not answer, and serves it in its own', async () => {
    const admin = await stage.issuer.header({ scope: 'admin' });
    expect((await send({ url: '/v2/notes/7', headers: { authorization: admin } })).statusCode).toBe(200);
    stage.issuer.isDown = true;
    const answers = [
      await send({ url: '/v2/notes/7', headers: { authorization: admin, 'x-tenant-id': 'other' } }),
      await send({ url: '/v2/notes/shielded', headers: { authorization: admin } }),
      await send({ url: '/v2/notes/7', headers: { authorization: admin } }),
    ];
    stage.issuer.isDown = false;
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503, 200]);
  });

  it('refuses an admin in a tenant that does not exist', async () => {
    const admin = await stage.issuer.header({ scope: 'admin' });
    const headers = { authorization: admin, 'x-tenant-id': 'ghost' };
    expect((await send({ url: '/v2/notes/7', headers })).statusCode).toBe(403);
  });

  it.each(['', 'no such name', 'x'.repeat(5000), 'demo, demo'])(
    'refuses an admin in a tenant called "%s"',
    async (name) => {
      const admin = await stage.issuer.header({ scope: 'admin' });
      const headers = { authorization: admin, 'x-tenant-id': name };
      expect((await send({ url: '/v2/notes/7', headers })).statusCode).toBe(403);
    },
  );

  it('accepts on internal routes only a service token, and accepts that nowhere else', async () => {
    expect((await send({ url: '/internal/notes' })).statusCode).toBe(401);
    expect((await send({ url: '/internal/sandbox/quiet' })).statusCode).toBe(401);
  });
});
