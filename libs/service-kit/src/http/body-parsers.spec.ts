import { NO_TRACING } from '@fundrail/messaging';
import { jest } from '@jest/globals';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { makeHttpServer } from '../bootstrap/http-server.ts';
import type { RoutePolicy } from './auth/route-policy.ts';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

describe('the body of a request', () => {
  let fastify: FastifyInstance;
  let parse: jest.SpiedFunction<typeof JSON.parse>;
  let handled: number;
  /** Runs before the handler, like a guard of Nest. */
  let guard: ((request: FastifyRequest) => void) | null;

  beforeEach(async () => {
    handled = 0;
    guard = null;
    const made = makeHttpServer(NO_TRACING);
    fastify = made.fastify;
    const route = (url: string, fundrail: RoutePolicy, read: (request: FastifyRequest) => unknown) =>
      fastify.post(url, { config: { fundrail } }, (request) => {
        guard?.(request);
        handled += 1;
        return { read: read(request) };
      });
    route('/form', { access: 'public', form: 'only' }, ({ body }) => body);
    route('/either', { access: 'public', form: 'or_json' }, ({ body }) => body);
    route('/callback', { access: 'public' }, ({ rawBody }) => rawBody?.length);
    route('/twice', { access: 'public' }, (request) => [request.body, request.body]);
    route('/tenant', {}, ({ body }) => body);
    route('/internal/list', { access: 'internal' }, ({ body }) => (body as unknown[]).length);
    fastify.setErrorHandler(
      (error: { status?: number; statusCode?: number; message: string }, _request, reply) =>
        reply.code(error.status ?? error.statusCode ?? 500).send({ said: error.message }),
    );
    await made.adapter.init();
    await fastify.ready();
    parse = jest.spyOn(JSON, 'parse');
  });
  afterEach(async () => {
    parse.mockRestore();
    await fastify.close();
  });

  const post = async (url: string, type: string, payload: string) => {
    const { statusCode, payload: text } = await fastify.inject({
      method: 'POST',
      url,
      headers: { 'content-type': type },
      payload,
    });
    return {
      status: statusCode,
      text,
      parsed: parse.mock.calls.filter(([given]) => given === payload).length,
    };
  };

  it.each([
    ['a form of 16 KiB and a byte', '/form', FORM, 'a'.repeat(16_385), 413],
    ['JSON of that size where forms are accepted', '/either', JSON_TYPE, `"${'a'.repeat(16_383)}"`, 413],
    ['a callback of 64 KiB and a byte', '/callback', JSON_TYPE, `"${'a'.repeat(65_535)}"`, 413],
    ['1 MiB and a byte from a tenant', '/tenant', JSON_TYPE, `"${'a'.repeat(1_048_575)}"`, 413],
    ['JSON on a route of forms', '/form', JSON_TYPE, '{}', 415],
    ['a form on a route of JSON', '/tenant', FORM, 'a=1', 415],
    ['a form at a callback', '/callback', FORM, 'a=1', 415],
    ['more than 100 fields', '/form', FORM, 'a&'.repeat(100) + 'a', 400],
    ['a mebibyte of numbers', '/tenant', JSON_TYPE, `[${'1,'.repeat(500_000)}1]`, 400],
    ['lists in lists', '/tenant', JSON_TYPE, '['.repeat(33) + ']'.repeat(33), 400],
    ['more values than a tenant may send', '/tenant', JSON_TYPE, `[${'1,'.repeat(2_000)}1]`, 400],
  ])('is refused before it is parsed: %s (CONV-16)', async (_what, url, type, payload, status) => {
    expect(await post(url, type, payload)).toMatchObject({ status, parsed: 0 });
  });

  it.each([
    ['a form of 16 KiB', '/form', FORM, `a=${'b'.repeat(16_382)}`],
    ['a callback of 64 KiB', '/callback', JSON_TYPE, `"${'a'.repeat(65_534)}"`],
    ['1 MiB', '/tenant', JSON_TYPE, `"${'a'.repeat(1_048_574)}"`],
    ['2,000 values', '/tenant', JSON_TYPE, `[${'1,'.repeat(1_999)}1]`],
    ['100,000 values from another service', '/internal/list', JSON_TYPE, `[${'1,'.repeat(99_999)}1]`],
    ['32 levels', '/tenant', JSON_TYPE, '['.repeat(32) + ']'.repeat(32)],
    ['an empty text', '/tenant', JSON_TYPE, ''],
  ])('is accepted: %s (CONV-16)', async (_what, url, type, payload) => {
    expect(await post(url, type, payload)).toMatchObject({ status: 200 });
  });

  it('of a callback is never parsed by the kit', async () => {
    const unfinished = await post('/callback', JSON_TYPE, '{"a":');
    expect(unfinished).toEqual({ status: 200, text: '{"read":5}', parsed: 0 });
  });

  it.each([
    ['/form', FORM, 'a=1'],
    ['/twice', JSON_TYPE, '{"a":1}'],
  ])('of a public route is not parsed when a guard refuses the request: %s', async (url, type, payload) => {
    guard = () => {
      throw Object.assign(new Error('refused'), { status: 403 });
    };
    expect(await post(url, type, payload)).toMatchObject({ status: 403, parsed: 0 });
    expect(handled).toBe(0);
  });

  it('of a public route is parsed once, even when it is read twice', async () => {
    expect(await post('/twice', JSON_TYPE, '{"a":1}')).toEqual({
      status: 200,
      text: '{"read":[{"a":1},{"a":1}]}',
      parsed: 1,
    });
  });

  it('of a public route that is not JSON is a 400 when it is read', async () => {
    expect(await post('/twice', JSON_TYPE, '{"a":')).toMatchObject({
      status: 400,
      text: '{"said":"The body is not valid JSON."}',
    });
  });

  it('may be a form or JSON where both are accepted', async () => {
    expect((await post('/either', FORM, 'a=1&b=x+y')).text).toBe('{"read":{"a":"1","b":"x y"}}');
    expect((await post('/either', JSON_TYPE, '{"a":[1]}')).text).toBe('{"read":{"a":[1]}}');
  });
});
