import { errorBody } from '@fundrail/contracts';
import { SAFE_HEADERS } from '@fundrail/service-kit/http';
import { Edge, sendJson, type Handler } from './edge.ts';

describe('the edge', () => {
  let edge: Edge;
  let url: string;
  const says =
    (name: string): Handler =>
    (request, response) =>
      sendJson(response, 200, { name, url: request.url });

  beforeEach(async () => {
    edge = new Edge(true);
    url = `http://127.0.0.1:${await edge.listen('127.0.0.1', 0)}`;
    for (const name of ['identity', 'orders', 'payments'] as const) edge.add(name, says(name));
  });
  afterEach(() => edge.close());

  it('passes a request to the service of the routing table, with its query unchanged', async () => {
    edge.serve(new Map());
    const answer = await fetch(`${url}/v2/mf_purchases?limit=1`);
    expect(await answer.json()).toEqual({ name: 'orders', url: '/v2/mf_purchases?limit=1' });
  });

  it.each([
    '/internal/claims',
    '/health',
    '/metrics',
    '/v2/nothing',
    '/v2/mf_purchasesx',
    '//v2/mf_purchases',
    '/constructor',
    '/v2/../internal/claims',
  ])('answers 404 in the shape of every error for %s', async (path) => {
    edge.serve(new Map([['/', says('home')]]));
    const answer = await fetch(`${url}${path}`, { headers: { 'x-request-id': 'req-7' } });
    const body = errorBody.parse(await answer.json());
    expect([answer.status, body.error.code, body.error.request_id]).toEqual([404, 'NOT_FOUND', 'req-7']);
  });

  it('does not copy an invalid request id into its answers', async () => {
    edge.serve(new Map());
    const answer = await fetch(`${url}/nothing`, { headers: { 'x-request-id': '<b>' } });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(['/', '/docs/x.css', '/health/live', '/health/ready'])('serves %s read-only', async (path) => {
    edge.serve(
      new Map([
        ['/', says('home')],
        ['/docs/', says('file')],
      ]),
    );
    const answer = await fetch(url + path, { method: 'POST', body: '{}' });
    expect(errorBody.parse(await answer.json()).error.code).toBe('METHOD_NOT_ALLOWED');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await fetch(url + path, { method: 'HEAD' })).status).toBe(200);
  });

  it('serves its own pages and the files below a folder', async () => {
    edge.serve(
      new Map([
        ['/', says('home')],
        ['/docs/', says('file')],
      ]),
    );
    const names = await Promise.all(
      ['/', '/docs/x.css', '/docs/x/'].map(
        async (path) => ((await (await fetch(url + path)).json()) as { name: string }).name,
      ),
    );
    expect(names).toEqual(['home', 'file', 'file']);
  });

  it('answers 500 for a page that cannot be read, and goes on', async () => {
    edge.serve(
      new Map<string, Handler>([
        ['/', says('home')],
        [
          '/docs',
          () => {
            throw new Error('no such file');
          },
        ],
      ]),
    );
    const answer = await fetch(`${url}/docs`);
    expect([answer.status, errorBody.parse(await answer.json()).error.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect((await fetch(url)).status).toBe(200);
  });

  it('sends a strict policy with its own answers, and keeps the policy of a page', async () => {
    const policy = "default-src 'none'; img-src data:";
    const page: Handler = (_request, response) =>
      response.writeHead(200, { 'content-security-policy': policy }).end();
    edge.serve(
      new Map([
        ['/', page],
        ['/openapi.json', says('document')],
      ]),
    );
    const headersOf = async (path: string, init: RequestInit = {}) =>
      Object.fromEntries((await fetch(url + path, init)).headers);
    for (const path of ['/health/live', '/openapi.json', '/nothing', '/v2/mf_purchases'])
      expect(await headersOf(path)).toMatchObject(SAFE_HEADERS);
    expect(await headersOf('/', { method: 'POST' })).toMatchObject(SAFE_HEADERS);
    expect(await headersOf('/')).toMatchObject({ ...SAFE_HEADERS, 'content-security-policy': policy });
  });

  it.each([
    ['https://pay.example.com', 'max-age=31536000; includeSubDomains'],
    ['http://pay.example.com', null],
    [null, null],
  ])('that is reached at %s sends Strict-Transport-Security: %s', async (publicBaseUrl, header) => {
    await edge.close();
    edge = new Edge(true, publicBaseUrl);
    url = `http://127.0.0.1:${await edge.listen('127.0.0.1', 0)}`;
    edge.serve(new Map([['/', says('home')]]));
    for (const path of ['/', '/health/live', '/nothing'])
      expect((await fetch(url + path)).headers.get('strict-transport-security')).toBe(header);
  });

  it('is live immediately, ready only when it serves, and makes early requests wait for that', async () => {
    const early = fetch(`${url}/v2/mf_purchases`);
    const [live, ready] = await Promise.all([fetch(`${url}/health/live`), fetch(`${url}/health/ready`)]);
    edge.serve(new Map());
    expect([live.status, ready.status, (await fetch(`${url}/health/ready`)).status]).toEqual([200, 503, 200]);
    expect((await early).status).toBe(200);
  });

  it('finishes a running request before it closes, and accepts no new one', async () => {
    const running = Promise.withResolvers<void>();
    const mayAnswer = Promise.withResolvers<void>();
    edge.add('webhooks', (_request, response) => {
      running.resolve();
      void mayAnswer.promise.then(() => sendJson(response, 200, {}));
    });
    edge.serve(new Map());
    const slow = fetch(`${url}/v2/events`);
    await running.promise;
    const closed = edge.close();
    await expect(fetch(`${url}/v2/mf_purchases`)).rejects.toThrow();
    mayAnswer.resolve();
    expect((await slow).status).toBe(200);
    await closed;
  });
});
