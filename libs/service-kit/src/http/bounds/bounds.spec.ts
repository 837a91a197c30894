import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { NO_TRACING } from '@fundrail/messaging';
import { makeHttpServer } from '../../bootstrap/http-server.ts';
import { boundInFlight } from './in-flight.ts';
import { safeHeaders } from './safe-headers.ts';
import { SERVER_BOUNDS, type ServerBounds } from './server-bounds.ts';

const IN_FLIGHT = 2;
/** More than the buffers at both ends of a connection can hold. */
const LARGE_BYTES = 32 * 1_048_576;

/** Uses raw sockets to send what an honest client would not send. */
describe('a server', () => {
  let fastify: FastifyInstance;
  let sockets: Socket[];
  let release: PromiseWithResolvers<void>;
  let started: number;
  let arrived: number;

  async function serve(
    bounds: Partial<ServerBounds> = {},
    publicBaseUrl = 'http://pay.example',
  ): Promise<void> {
    sockets = [];
    started = 0;
    arrived = 0;
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
      started += 1;
      await release.promise;
      return { ok: true };
    });
    fastify.get('/large', () => {
      started += 1;
      return 'x'.repeat(LARGE_BYTES);
    });
    fastify.post('/body', async () => {
      started += 1;
      await release.promise;
      return { ok: true };
    });
    fastify.addHook('onRequest', (_request, _reply, done) => {
      arrived += 1;
      done();
    });
    await adapter.init();
    await fastify.listen({ host: '127.0.0.1', port: 0 });
  }
  afterEach(async () => {
    release.resolve();
    for (const socket of sockets) socket.destroy();
    await fastify.close();
  });

  /** Sends the text and resolves with everything received until the server ends the connection. */
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
  const untilStarted = async (count: number) => {
    while (started < count) await new Promise((resolve) => setImmediate(resolve));
  };

  const untilNoConnection = async () => {
    const connected = () =>
      new Promise<number>((resolve) => fastify.server.getConnections((_error, count) => resolve(count)));
    while ((await connected()) > 0) await new Promise((resolve) => setImmediate(resolve));
  };

  it.each([
    ['headers that never end', { headersMs: 300 }, 'GET /now HTTP/1.1\r\nhost: x\r\nx-slow: ', '408'],
    [
      'a body that never ends',
      { requestMs: 300, headersMs: 300 },
      'POST /now HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{',
      '4',
    ],
    [
      'headers that are too large',
      {},
      `GET /now HTTP/1.1\r\nhost: x\r\nx-large: ${'x'.repeat(20_000)}`,
      '431',
    ],
    ['data that is not HTTP', {}, 'hello\r\n\r\n', '400'],
  ])('ends a connection with %s', async (_what, bounds, text, status) => {
    await serve(bounds);
    expect(await sent(text)).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
  });

  it('answers with the reason in the one shape of errors', async () => {
    await serve();
    const [, body = ''] = (await sent('hello\r\n\r\n')).split('\r\n\r\n');
    expect(JSON.parse(body)).toMatchObject({ error: { status: 400, code: 'BAD_REQUEST_ERROR', errors: [] } });
  });

  it('ends a silent connection, before its first request and after', async () => {
    await serve({ idleMs: 300 });
    expect(await sent('')).toBe('');
    expect(await sent('GET /now HTTP/1.1\r\nhost: x\r\n\r\n')).toMatch(/^HTTP\/1.1 200/);
  });

  const WAITING = 'GET /held HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
  it.each([
    ['the first request of a connection', WAITING],
    ['a request on a connection that was kept alive', `GET /now HTTP/1.1\r\nhost: x\r\n\r\n${WAITING}`],
    ['a request in a pipeline behind another', `GET /held HTTP/1.1\r\nhost: x\r\n\r\n${WAITING}`],
  ])('keeps a connection that waits for an answer longer than a silent one: %s', async (_what, text) => {
    await serve({ idleMs: 300 });
    const answers = sent(text);
    await untilStarted(1);
    // Connected later, and ended because they are silent: so the answer has taken longer than that.
    expect(await sent('')).toBe('');
    expect(await sent('')).toBe('');
    release.resolve();
    const statuses = [...(await answers).matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual(text.match(/GET/g)?.map(() => '200'));
  });

  it.each([1, 2])(
    'ends a connection whose client does not read its answers: %i requests',
    async (requests) => {
      const text = 'GET /large HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(requests);
      await serve({ idleMs: 300 });
      const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.pause();
      socket.write(text);
      await untilStarted(1);
      await untilNoConnection();
    },
  );

  it('takes no more connections than its limit', async () => {
    await serve({ connections: 1, idleMs: 5_000 });
    const held = sent('GET /held HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    await untilStarted(1);
    expect(await sent('GET /now HTTP/1.1\r\nhost: x\r\n\r\n')).toBe('');
    release.resolve();
    expect(await held).toMatch(/^HTTP\/1.1 200/);
  });

  it('refuses requests above the limit immediately, answers health, and serves requests afterwards', async () => {
    await serve();
    const running = [statusOf('/held'), statusOf('/held')];
    await untilStarted(IN_FLIGHT);
    expect(await statusOf('/now')).toEqual({ status: 503, retryAfter: '1' });
    expect((await statusOf('/health/live')).status).toBe(200);
    release.resolve();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await statusOf('/now')).status).toBe(200);
  });

  it('stops counting a request when its client has left, and does not keep counting one without a socket', async () => {
    await serve();
    const leaving = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
    leaving.write('GET /held HTTP/1.1\r\nhost: x\r\n\r\n');
    await untilStarted(1);
    leaving.destroy();
    await untilNoConnection();
    for (let request = 0; request < IN_FLIGHT + 1; request += 1)
      expect((await fastify.inject({ url: '/now' })).statusCode).toBe(200);
    const running = [statusOf('/held'), statusOf('/held')];
    await untilStarted(1 + IN_FLIGHT);
    release.resolve();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
  });

  const unfinished = (bytes: number, of: number) =>
    `POST /body HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${of}\r\n\r\n"${'x'.repeat(bytes - 1)}`;
  const untilArrived = async (count: number) => {
    while (arrived < count) await new Promise((resolve) => setImmediate(resolve));
  };

  it('counts a request only when its body is complete', async () => {
    await serve();
    const slow = Array.from({ length: IN_FLIGHT + 3 }, () => {
      const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
      sockets.push(socket);
      socket.write(unfinished(10, 11));
      return socket;
    });
    await untilArrived(slow.length);
    expect((await statusOf('/now')).status).toBe(200);
    for (const socket of slow.slice(0, IN_FLIGHT)) socket.write('"');
    await untilStarted(IN_FLIGHT);
    expect((await statusOf('/now')).status).toBe(503);
    release.resolve();
  });

  it('ends the connection of a body that never ends, even when the client keeps its side open', async () => {
    await serve({ requestMs: 300, headersMs: 300 });
    const { port } = fastify.server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.push(socket);
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.write(unfinished(1, 9));
    await untilArrived(1);
    await untilNoConnection();
    expect(answer).toMatch(/^HTTP\/1.1 408/);
  });

  it('limits the bytes of unfinished bodies, and refuses the oldest one', async () => {
    await serve({ unfinishedBytes: 3_000, idleMs: 5_000 });
    const longest = sent(unfinished(600, 700));
    await untilArrived(1);
    const next = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(next);
    next.write(unfinished(600, 601));
    expect(await longest).toMatch(/^HTTP\/1.1 503/);
    next.write('"');
    await untilStarted(1);
    release.resolve();
  });

  it('counts each piece of a body, and refuses one with more pieces than any network creates', async () => {
    await serve({ unfinishedBytes: 64 * 1024 * 1024, idleMs: 5_000 });
    const head =
      'POST /body HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n';
    expect(await sent(head + '1\r\n1\r\n'.repeat(5_000))).toMatch(/^HTTP\/1.1 503/);
    release.resolve();
    expect(await sent(`${head}${'1\r\n1\r\n'.repeat(4_000)}0\r\n\r\n`)).toMatch(/^HTTP\/1.1 200/);
  });

  it('stops counting a body when it is complete or its client has left', async () => {
    await serve({ unfinishedBytes: 3_000, idleMs: 5_000 });
    release.resolve();
    const leaving = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
    leaving.write(unfinished(600, 700));
    await untilArrived(1);
    leaving.destroy();
    await untilNoConnection();
    for (let body = 0; body < 3; body += 1)
      expect(await sent(`${unfinished(600, 601)}"`)).toMatch(/^HTTP\/1.1 200/);
  });

  it('counts requests in a pipeline one by one', async () => {
    await serve({ idleMs: 5_000 });
    const one = 'GET /held HTTP/1.1\r\nhost: x\r\n\r\n';
    const answers = sent(`${one.repeat(4)}GET /held HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    await untilStarted(IN_FLIGHT);
    release.resolve();
    const statuses = [...(await answers).matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual(['200', '200', '503', '503', '503']);
    expect(started).toBe(IN_FLIGHT);
  });

  it('ends a connection with more unanswered requests than any client sends, and answers a pipeline within that', async () => {
    await serve({ pipelined: 3 });
    const one = 'GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n';
    await sent(one.repeat(1_000));
    expect(arrived).toBeLessThanOrEqual(3);
    arrived = 0;
    const answers = await sent(
      `${one.repeat(2)}GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
    );
    expect(answers.match(/HTTP\/1.1 200/g)).toHaveLength(3);
    // Answered requests are not counted.
    const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    for (let request = 0; request < 10; request += 1) {
      socket.write(one);
      await once(socket, 'data');
    }
    expect(arrived).toBe(13);
  });

  it.each(['/now', '/nothing', '/%zz', `/${'x'.repeat(300)}`])(
    'allows an answer nothing in a browser: %.20s',
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
  ])('that is reached at %s sends Strict-Transport-Security: %s', async (publicBaseUrl, sentHeader) => {
    await serve({}, publicBaseUrl);
    for (const url of ['/now', '/nothing', '/%zz'])
      expect((await fastify.inject({ url })).headers['strict-transport-security']).toBe(sentHeader);
    expect(/^strict-transport-security: (.*)\r$/m.exec(await sent('hello\r\n\r\n'))?.[1]).toBe(sentHeader);
  });

  it('allows a refusal of data that is not HTTP nothing in a browser', async () => {
    await serve();
    expect(await sent('hello\r\n\r\n')).toContain(
      "content-security-policy: default-src 'none'; frame-ancestors 'none'\r\n",
    );
  });
});
