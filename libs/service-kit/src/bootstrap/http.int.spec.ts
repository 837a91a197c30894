import { parseJson } from '@fundrail/contracts';
import { sql } from '@fundrail/persistence';
import { interference } from '../testing/notes.service.ts';
import { startNotes, type NotesStage } from '../testing/start-notes.ts';

describe('the HTTP side of every service', () => {
  let stage: NotesStage;
  let token: string;
  beforeAll(async () => {
    stage = await startNotes();
    token = await stage.issuer.header();
  });
  afterAll(() => stage.end());

  type Sent = {
    method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
    url: string;
    body?: string;
    headers?: Record<string, string>;
  };
  const send = ({ method = 'GET', url, body, headers = {} }: Sent) =>
    stage.service.fastify.inject({
      method,
      url,
      headers: {
        authorization: token,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: body }),
    });
  const errorOf = (answer: { json: () => unknown }) =>
    (
      answer.json() as {
        error: { status: number; code: string; message: string; errors: unknown[]; request_id: string };
      }
    ).error;

  it('answers a POST with 200 and keeps four decimals (CONV-18, CONV-27)', async () => {
    const answer = await send({ method: 'POST', url: '/v2/notes', body: '{"words":"a","amount":1001}' });
    expect(answer.statusCode).toBe(200);
    expect(answer.payload).toContain('"amount":1001.0000');
  });

  it('reads an amount that no double holds (CONV-29)', async () => {
    const answer = await send({
      method: 'POST',
      url: '/v2/notes',
      body: '{"words":"a","amount":90071992547.93}',
    });
    expect(answer.payload).toContain('"amount":90071992547.9300');
  });

  it.each([
    ['{}', ['words', 'amount'], ['is required', 'is required']],
    ['{"words":1,"amount":1}', ['words'], ['must be a string']],
    ['{"words":"a","amount":1.234}', ['amount'], ['must be a number with at most 2 decimals']],
    ['{"words":"a","amount":1,"x":1,"constructor":2}', ['x', 'constructor'], ['is unknown', 'is unknown']],
    ['{"words":"a","amount":1,"tags":[{"name":"n","y":1}]}', ['tags.0.y'], ['is unknown']],
    ['[]', ['body'], ['must be an object']],
  ])('names the fields to blame in %s (CONV-26)', async (body, fields, messages) => {
    const answer = await send({ method: 'POST', url: '/v2/notes', body });
    const error = errorOf(answer);
    expect(answer.statusCode).toBe(400);
    expect(error.code).toBe('BAD_REQUEST_ERROR');
    expect(error.message).toBe(`Validation failed. ${fields.length} error(s)`);
    expect(error.errors).toEqual(fields.map((field, at) => ({ field, message: messages[at] })));
  });

  it('names each required field when there is no body at all', async () => {
    const answer = await send({ method: 'POST', url: '/v2/notes' });
    expect(errorOf(answer).errors).toHaveLength(2);
  });

  it.each([
    ['malformed JSON', { method: 'POST', url: '/v2/notes', body: '{"words":' }, 400, 'BAD_REQUEST_ERROR'],
    [
      'a __proto__ key',
      { method: 'POST', url: '/v2/notes', body: '{"__proto__":{}}' },
      400,
      'BAD_REQUEST_ERROR',
    ],
    [
      'a body above 1 MiB',
      { method: 'POST', url: '/v2/notes', body: `"${'x'.repeat(1_048_576)}"` },
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'another media type',
      { method: 'POST', url: '/v2/notes', body: 'a=b', headers: { 'content-type': 'text/plain' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'a form where none is taken',
      {
        method: 'POST',
        url: '/v2/notes',
        body: 'a=b',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['an unknown route', { url: '/v2/other' }, 404, 'NOT_FOUND'],
    ['a wrong method', { method: 'DELETE', url: '/v2/notes/7' }, 405, 'METHOD_NOT_ALLOWED'],
    ['a wrong method of a path that looks like an id', { url: '/v2/notes/sent' }, 405, 'METHOD_NOT_ALLOWED'],
    ['an unknown object', { url: '/v2/notes/seven' }, 404, 'NOT_FOUND'],
    [
      'a wrong method with a body of any type',
      {
        method: 'DELETE',
        url: '/v2/notes/7',
        body: 'a=1',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      405,
      'METHOD_NOT_ALLOWED',
    ],
    ['an unread body elsewhere', { method: 'POST', url: '/v2/other', body: '{' }, 404, 'NOT_FOUND'],
    ['a bad path', { url: '/v2/notes/%zz' }, 400, 'BAD_REQUEST_ERROR'],
    ['an endless id', { url: `/v2/notes/${'9'.repeat(300)}` }, 404, 'NOT_FOUND'],
    ['an unknown query parameter', { url: '/v2/notes?colour=red' }, 400, 'BAD_REQUEST_ERROR'],
    ['a forbidden step', { method: 'PATCH', url: '/v2/notes/7' }, 409, 'ILLEGAL_TRANSITION'],
    ['a defect', { method: 'POST', url: '/v2/notes/7/boom' }, 500, 'INTERNAL_ERROR'],
  ] satisfies [string, Sent, number, string][])(
    'answers %s in the one error shape (CONV-14, CONV-17, CONV-39)',
    async (_what, request, status, code) => {
      const answer = await send(request);
      const error = errorOf(answer);
      expect([answer.statusCode, error.status, error.code]).toEqual([status, status, code]);
      expect(error.request_id).toBe(answer.headers['x-request-id']);
      expect(Object.keys(error)).toEqual(['status', 'code', 'message', 'errors', 'request_id']);
    },
  );

  it.each([
    ['a query on a route that reads none', { url: '/v2/notes/7?colour=red&x=1' }, ['colour', 'x']],
    ['a query on a POST', { method: 'POST', url: '/v2/notes?x=1', body: '{"words":"a","amount":1}' }, ['x']],
    ['a body on a route that reads none', { method: 'PATCH', url: '/v2/notes/7', body: '{"x":1}' }, ['x']],
    ['a list there', { method: 'PATCH', url: '/v2/notes/7', body: '[]' }, ['body']],
    ['a number there', { method: 'PATCH', url: '/v2/notes/7', body: '1.5' }, ['body']],
  ] satisfies [string, Sent, string[]][])(
    'refuses input that the route does not read: %s (CONV-14)',
    async (_what, request, fields) => {
      const answer = await send(request);
      expect(answer.statusCode).toBe(400);
      expect(errorOf(answer).errors).toEqual(fields.map((field) => ({ field, message: 'is unknown' })));
    },
  );

  it('accepts an empty body where none is read', async () => {
    for (const body of ['', '{}', 'null'])
      expect((await send({ method: 'PATCH', url: '/v2/notes/7', body })).statusCode).toBe(409);
  });

  it('accepts additional input on public routes', async () => {
    const answer = await send({ method: 'POST', url: '/callbacks/notes?source=bank', body: '{}' });
    expect(answer.statusCode).toBe(200);
  });

  it('names both states of a forbidden step, and the allowed methods of a path', async () => {
    expect(errorOf(await send({ method: 'PATCH', url: '/v2/notes/7' })).message).toMatch(/"open".*"closed"/);
    expect((await send({ method: 'DELETE', url: '/v2/notes/7' })).headers['allow']).toBe('GET, HEAD, PATCH');
  });

  it('writes the cause of a defect to the log only (ERR-12)', async () => {
    const answer = await send({
      method: 'POST',
      url: '/v2/notes/7/boom',
      headers: { 'x-request-id': 'boom-1' },
    });
    expect(answer.payload).not.toContain('secret');
    const line = stage.lines.find(
      (text) => text.includes('boom-1') && text.includes('the secret of the machine'),
    );
    expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 'error', request_id: 'boom-1', tenant: 'demo' });
  });

  it('echoes a valid request id and replaces an invalid one (CONV-12)', async () => {
    const sane = await send({ url: '/v2/notes/7', headers: { 'x-request-id': 'abc-123' } });
    const insane = await send({ url: '/v2/notes/7', headers: { 'x-request-id': 'a b{}' } });
    expect(sane.headers['x-request-id']).toBe('abc-123');
    expect(insane.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('keeps the raw body of a callback with its unknown fields', async () => {
    const body = '{ "a" : 1.50 }';
    const answer = await send({
      method: 'POST',
      url: '/callbacks/notes',
      body,
      headers: { authorization: '' },
    });
    expect(parseJson(answer.payload)).toEqual({ raw: body });
  });

  it('accepts a form where the route allows it', async () => {
    const answer = await send({
      method: 'POST',
      url: '/forms',
      body: 'a=1&b=x+y',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.json()).toEqual({ a: '1', b: 'x y' });
  });

  it.each([
    ['/forms', 'application/json', 'application/x-www-form-urlencoded'],
    ['/forms', 'text/plain', 'application/x-www-form-urlencoded'],
    ['/v2/notes', 'application/x-www-form-urlencoded', 'application/json'],
    ['/v2/notes', 'text/plain', 'application/json'],
  ])('names the media type that %s takes when it is sent %s (CONV-17)', async (url, sent, wanted) => {
    const answer = await send({ method: 'POST', url, body: '{}', headers: { 'content-type': sent } });
    expect([answer.statusCode, errorOf(answer).message, answer.headers['accept']]).toEqual([
      415,
      `The body must be ${wanted}.`,
      wanted,
    ]);
  });

  it.each([
    ['JSON', 'application/json', '{}', 415, 'The body must be application/x-www-form-urlencoded.'],
    ['too much', 'application/x-www-form-urlencoded', 'a'.repeat(16_385), 413, 'The body is too large'],
    ['too many fields', 'application/x-www-form-urlencoded', 'a&'.repeat(101), 400, 'The form has more than'],
  ])(
    'refuses %s in the form of RFC 6749 on a route that answers so',
    async (_what, type, body, status, said) => {
      const answer = await send({
        method: 'POST',
        url: '/oauth_forms',
        body,
        headers: { 'content-type': type },
      });
      expect([answer.statusCode, answer.json()]).toEqual([
        status,
        { error: 'invalid_request', error_description: expect.stringContaining(said) },
      ]);
    },
  );

  it('reads paging from the query', async () => {
    expect((await send({ url: '/v2/notes?limit=7' })).json()).toMatchObject({ limit: 7 });
    expect((await send({ url: '/v2/notes' })).json()).toMatchObject({ limit: 100 });
    expect(errorOf(await send({ url: '/v2/notes?limit=101' })).errors).toMatchObject([{ field: 'limit' }]);
  });

  it('serves health without a token', async () => {
    expect((await send({ url: '/health/live', headers: { authorization: '' } })).statusCode).toBe(200);
    const ready = await send({ url: '/health/ready', headers: { authorization: '' } });
    expect(ready.json()).toEqual({ status: 'ok', database: 'ok', event_bus: 'none', relay: null });
  });

  it('answers 503 with Retry-After when the database is lost', async () => {
    interference.beforeCommit = () =>
      Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
    const answer = await send({ method: 'POST', url: '/v2/notes', body: '{"words":"a","amount":1}' });
    interference.beforeCommit = null;
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1']);
  });

  it('answers 400 when the database refuses a text', async () => {
    const select = sql('test.select_text', 'SELECT $1::text AS text');
    interference.beforeEffect = () => stage.service.database.query(select, ['a\0']).then(() => undefined);
    const answer = await send({ method: 'POST', url: '/v2/notes', body: '{"words":"a","amount":1}' });
    interference.beforeEffect = null;
    expect([answer.statusCode, errorOf(answer).message]).toEqual([
      400,
      'A text contains a character that cannot be stored.',
    ]);
  });

  it.each([
    ['a query', { url: '/v2/notes?words=%00' }, 'words'],
    ['a body', { method: 'POST', url: '/v2/notes', body: '{"words":"\\u0000","amount":1}' }, 'words'],
  ] satisfies [string, Sent, string][])('refuses a NUL in %s', async (_what, request, field) => {
    const answer = await send(request);
    expect([answer.statusCode, errorOf(answer).errors]).toEqual([400, [expect.objectContaining({ field })]]);
  });

  it('documents itself as OpenAPI 3.1', () => {
    const { document } = stage.service;
    const post = document.paths['/v2/notes']?.post;
    expect(document.openapi).toBe('3.1.0');
    expect(post?.requestBody).toEqual({
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/NewNote' } } },
    });
    expect(document.components?.schemas?.['NewNote']).toMatchObject({
      properties: { amount: { type: 'number', format: 'decimal' } },
      required: ['words', 'amount'],
    });
    expect(document.paths['/callbacks/notes']?.post?.security).toEqual([]);
    expect(post?.responses['409']).toEqual({ $ref: '#/components/responses/Refused409' });
    expect(document.components?.responses?.['Refused409']).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    });
  });
});
