import { connect, type AddressInfo, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { NO_TRACING } from '@fundrail/messaging';
import { makeHttpServer } from '../../bootstrap/http-server.ts';
import { boundInFlight } from './in-flight.ts';
import { safeHeaders } from './safe-headers.ts';
import { SERVER_BOUNDS, type ServerBounds } from './server-bounds.ts';

const IN_FLIGHT = 2;

/** Raw sockets, as no honest client writes to them. */
describe('a server', () => {
  let fastify: FastifyInstance;
  let sockets: Socket[];
  let release: PromiseWithResolvers<void>;
  let begun: number;

  async function serve(
    bounds: Partial<ServerBounds> = {},
    publicBaseUrl = 'http://pay.example',
  ): Promise<void> {
    sockets = [];
    begun = 0;
    release = Promise.withResolvers<void>();
    const { adapter, fastify: made } = makeHttpServer(NO_TRACING, safeHeaders(publicBaseUrl), {
      ...SERVER_BOUNDS,
      checkMs: 20,
      ...bounds,
    });
    fastify = made;
    boundInFlight(fastify, IN_FLIGHT);
    fastify.setErrorHandler((error: { status?: number; retryAfter?: number }, _request, reply) =>
      reply
        .code(error.status ?? 500)
        .header('retry-after', String(error.retryAfter))
        .send({}),
    );
    fastify.get('/now', () => ({ ok: true }));
    fastify.get('/health/live', () => ({ ok: true }));
    fastify.get('/held', async () => {
      begun += 1;
      await release.promise;
      return { ok: true };
    });
    await adapter.init();
    await fastify.listen({ host: '127.0.0.1', port: 0 });
  }
  afterEach(async () => {
    release.resolve();
    for (const socket of sockets) socket.destroy();
    await fastify.close();
  });

  /** Sends this much and answers all that came until the server ended the connection. */
  function sent(text: string): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
      sockets.push(socket);
      let answer = '';
      socket.on('data', (chunk) => (answer += chunk.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(answer));
      socket.write(text);
    });
  }
  const statusOf = (url: string) =>
    fetch(`http://127.0.0.1:${(fastify.server.address() as AddressInfo).port}${url}`).then((answer) => ({
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
    }));
  const untilBegun = async (count: number) => {
    while (begun < count) await new Promise((resolve) => setImmediate(resolve));
  };

  const untilNobodyIsConnected = async () => {
    const connected = () =>
      new Promise<number>((resolve) => fastify.server.getConnections((_error, count) => resolve(count)));
    while ((await connected()) > 0) await new Promise((resolve) => setImmediate(resolve));
  };

  it.each([
    ['headers that never end', { headersMs: 60 }, 'GET /now HTTP/1.1\r\nhost: x\r\nx-slow: ', '408'],
    [
      'a body that never ends',
      { requestMs: 60, headersMs: 60 },
      'POST /now HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{',
      '4',
    ],
    [
      'headers that are too large',
      {},
      `GET /now HTTP/1.1\r\nhost: x\r\nx-large: ${'x'.repeat(20_000)}`,
      '431',
    ],
    ['what is no HTTP', {}, 'hello\r\n\r\n', '400'],
  ])('ends a connection with %s', async (_what, bounds, text, status) => {
    await serve(bounds);
    expect(await sent(text)).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
  });

  it('tells why in the one shape of errors', async () => {
    await serve();
    const [, body = ''] = (await sent('hello\r\n\r\n')).split('\r\n\r\n');
    expect(JSON.parse(body)).toMatchObject({ error: { status: 400, code: 'BAD_REQUEST_ERROR', errors: [] } });
  });

  it('ends a connection that says nothing, before its first request and after', async () => {
    await serve({ idleMs: 60 });
    expect(await sent('')).toBe('');
    expect(await sent('GET /now HTTP/1.1\r\nhost: x\r\n\r\n')).toMatch(/^HTTP\/1.1 200/);
  });

  it('takes no more connections than it may', async () => {
    await serve({ connections: 1, idleMs: 5_000 });
    const held = sent('GET /held HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    await untilBegun(1);
    expect(await sent('GET /now HTTP/1.1\r\nhost: x\r\n\r\n')).toBe('');
    release.resolve();
    expect(await held).toMatch(/^HTTP\/1.1 200/);
  });

  it('refuses at once what comes on top of the requests that run, answers health, and goes on afterwards', async () => {
    await serve();
    const running = [statusOf('/held'), statusOf('/held')];
    await untilBegun(IN_FLIGHT);
    expect(await statusOf('/now')).toEqual({ status: 503, retryAfter: '1' });
    expect((await statusOf('/health/live')).status).toBe(200);
    release.resolve();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await statusOf('/now')).status).toBe(200);
  });

  it('counts a request no longer whose client has left, nor one that came without a socket', async () => {
    await serve();
    const leaving = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
    leaving.write('GET /held HTTP/1.1\r\nhost: x\r\n\r\n');
    await untilBegun(1);
    leaving.destroy();
    await untilNobodyIsConnected();
    for (let request = 0; request < IN_FLIGHT + 1; request += 1)
      expect((await fastify.inject({ url: '/now' })).statusCode).toBe(200);
    const running = [statusOf('/held'), statusOf('/held')];
    await untilBegun(1 + IN_FLIGHT);
    release.resolve();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('counts requests in a pipeline one by one', async () => {
    await serve({ idleMs: 5_000 });
    const one = 'GET /held HTTP/1.1\r\nhost: x\r\n\r\n';
    const answers = sent(`${one.repeat(4)}GET /held HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    await untilBegun(IN_FLIGHT);
    release.resolve();
    const statuses = [...(await answers).matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual(['200', '200', '503', '503', '503']);
    expect(begun).toBe(IN_FLIGHT);
  });

  it.each(['/now', '/nothing', '/%zz', `/${'x'.repeat(300)}`])(
    'lets an answer do nothing in a browser: %.20s',
    async (url) => {
      await serve();
      expect((await fastify.inject({ url })).headers).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
    },
  );

  it.each([
    ['https://pay.example', 'max-age=31536000; includeSubDomains'],
    ['HTTPS://pay.example/', 'max-age=31536000; includeSubDomains'],
    ['http://pay.example', undefined],
    ['http://https.example', undefined],
  ])('that is reached at %s tells browsers of https: %s', async (publicBaseUrl, told) => {
    await serve({}, publicBaseUrl);
    for (const url of ['/now', '/nothing', '/%zz'])
      expect((await fastify.inject({ url })).headers['strict-transport-security']).toBe(told);
    expect(/^strict-transport-security: (.*)\r$/m.exec(await sent('hello\r\n\r\n'))?.[1]).toBe(told);
  });

  it('lets a refusal of what is no HTTP do nothing there either', async () => {
    await serve();
    expect(await sent('hello\r\n\r\n')).toContain(
      "content-security-policy: default-src 'none'; frame-ancestors 'none'\r\n",
    );
  });
});
