import { errorBody } from '@fundrail/contracts';
import { clientOf, networksOf, SAFE_HEADERS, STRICT_TRANSPORT } from '@fundrail/service-kit/http';
import { describeWithDocker, waitFor } from '@fundrail/testing';
import { EdgeStage, type EdgeAnswer } from '../testing/docker/edge-stage.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const LIMIT_BYTES = 1_048_576;
/** Of the edge, without a variable. */
const REQUESTS_PER_ADDRESS = 100;
// As compose and the pods have it.
const SERVICES_TRUST = '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16';
const JSON_BODY = { 'content-type': 'application/json' };

describeWithDocker('the edge', () => {
  let stage: EdgeStage;
  beforeAll(async () => {
    stage = await EdgeStage.start();
  }, 300_000);
  afterAll(() => stage.stop());

  const codeOf = ({ status, text }: EdgeAnswer) => [status, errorBody.parse(JSON.parse(text)).error.code];
  /** What an answer may do in a browser; the policy of a page has its own test. */
  const lets = (isPage: boolean): Record<string, unknown> => ({
    ...SAFE_HEADERS,
    ...(isPage && { 'content-security-policy': expect.stringMatching(/^default-src 'none'; /) }),
  });
  const post = (path: string, body: string) => stage.ask(path, { method: 'POST', headers: JSON_BODY, body });

  it("passes the client's request id and trace on, and states where the request came from", async () => {
    const headers = {
      'x-request-id': 'req-7',
      traceparent: TRACEPARENT,
      'idempotency-key': 'k 1',
      host: 'api.example',
    };
    const echo = await stage.echo('/v2/events', { headers });
    expect(echo.headers).toMatchObject({ ...headers, 'x-forwarded-proto': 'http', connection: 'close' });
    expect(echo.headers['x-forwarded-for']).toMatch(/^[\d.]+$/);
  });

  it.each(['203.0.113.9', '10.9.9.9', '203.0.113.9, 10.9.9.9', '127.0.0.1, ::1', 'x'])(
    'does not trust the address that a client claims: %s',
    async (forged) => {
      const path = '/v2/auth/demo/token';
      const seen = async (headers: Readonly<Record<string, string>>) => {
        const echo = await stage.echo(path, { headers });
        return clientOf('172.18.0.9', echo.headers['x-forwarded-for'], networksOf(SERVICES_TRUST));
      };
      const itself = await seen({});
      expect(itself).toMatch(/^[\d.]+$/);
      expect(await seen({ 'x-forwarded-for': forged })).toBe(itself);
      expect(await seen({ forwarded: `for=${forged}`, 'x-real-ip': forged })).toBe(itself);
    },
  );

  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
    ['203.0.113.9, 10.0.0.7', '203.0.113.9'],
    ['2001:db8::7', '2001:db8::7'],
  ])(
    'behind a configured proxy, takes from %s only the part that the proxy has added',
    async (said, client) => {
      const echo = await stage.echo('/v2/events', { headers: { 'x-forwarded-for': said } }, false);
      expect(echo.headers['x-forwarded-for']).toBe(client);
    },
  );

  it('gives a request without a valid id a new one, in its own answers too', async () => {
    const headers = { 'x-request-id': '<b>' };
    expect((await stage.echo('/v2/events', { headers })).headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
    const refused = await stage.ask('/nothing', { headers });
    const { request_id } = errorBody.parse(JSON.parse(refused.text)).error;
    expect(request_id).toMatch(/^[0-9a-f]{32}$/);
    expect(refused.headers['x-request-id']).toBe(request_id);
  });

  it('takes a body of 1 MiB, and refuses a byte more without asking the service', async () => {
    const path = '/api/pg/payments/limit';
    const taken = await post(path, 'x'.repeat(LIMIT_BYTES));
    expect(JSON.parse(taken.text)).toMatchObject({ bodyBytes: LIMIT_BYTES, count: 1 });
    expect(codeOf(await post(path, 'x'.repeat(LIMIT_BYTES + 1)))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect((await stage.echo(path)).count).toBe(2);
  });

  it('ends a request whose body arrives too slowly', async () => {
    expect(await stage.drip('/api/pg/payments/drip', 200)).toMatch(/^(HTTP\/1\.1 (408|503) |$)/);
  });

  it('limits the requests that one address has under way, and answers more with 429', async () => {
    const many = Array.from({ length: 2 * REQUESTS_PER_ADDRESS }, () => stage.drip('/v2/events/drip', 500));
    const refused = (await Promise.all(many)).filter((text) => text.startsWith('HTTP/1.1 429 '));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatch(/Retry-After: 1\r\n[\s\S]*"code":"RATE_LIMITED"/);
    await waitFor(async () => (await stage.ask('/v2/events')).status === 200);
  });

  it.each(['/admin', '/admin/tenants', '/admin?x', '/admin/holidays'])(
    'routes %s, and answers 404 where operators use another address (ADMIN-12)',
    async (path) => {
      expect((await stage.ask(path)).status).toBe(200);
      expect(codeOf(await stage.ask(path, {}, false))).toEqual([404, 'NOT_FOUND']);
      expect((await stage.ask('/admins', {}, false)).status).toBe(404);
    },
  );

  it('passes a large answer on whole', async () => {
    expect((await stage.ask('/v2/events?large')).text).toHaveLength(5_000_000);
  });

  it('sends a POST to one replica of two, once, even when that breaks off, and answers 503', async () => {
    const headers = { ...JSON_BODY, 'x-request-id': 'req-once' };
    const broken = await stage.ask('/v2/mf_purchases/once?break', { method: 'POST', headers, body: '{}' });
    expect([codeOf(broken), broken.headers['retry-after']]).toEqual([[503, 'SERVICE_UNAVAILABLE'], '1']);
    await waitFor(() => stage.logged('req-once').length > 0);
    expect(stage.logged('req-once')).toMatchObject([{ upstream: 'orders', upstream_status: '502' }]);
  });

  it('answers 503 while a service is away, and finds it again at another address', async () => {
    await stage.remove('webhooks');
    await waitFor(async () => codeOf(await stage.ask('/v2/events')).includes('SERVICE_UNAVAILABLE'));
    expect((await stage.echo('/v2/mf_purchases')).service).toBe('orders');
    await stage.bringBack('webhooks');
    await waitFor(async () => (await stage.ask('/v2/events')).status === 200);
  });

  it('logs a line of JSON for each request: its row of the table, and no path, query or address', async () => {
    const headers = { 'x-request-id': 'req-log', traceparent: TRACEPARENT };
    await stage.ask('/v2/mf_purchases/mfp_secret?pan=ABCPD1234E', { method: 'PATCH', headers });
    const [line] = await waitFor(() => {
      const lines = stage.logged('req-log');
      return lines.length > 0 ? lines : null;
    });
    const known = {
      method: 'PATCH',
      route: '/v2/mf_purchases',
      upstream: 'orders',
      status: 200,
      trace_id: TRACE,
    };
    expect(line).toMatchObject(known);
    expect(JSON.stringify(line)).not.toMatch(/mfp_secret|ABCPD|127\.0|172\./);
  });

  it('logs the method of a request that it refuses', async () => {
    await stage.ask('/nothing', { method: 'DELETE', headers: { 'x-request-id': 'req-refused' } });
    await waitFor(() => stage.logged('req-refused').length > 0);
    expect(stage.logged('req-refused')).toMatchObject([{ method: 'DELETE', status: 404, route: '' }]);
  });

  it.each([
    ['/health/live', 'application/json'],
    ['/health/ready', 'application/json'],
    ['/docs', 'text/html'],
    ['/docs/', 'text/html'],
    ['/docs/start.js', 'text/javascript'],
    ['/docs/swagger-ui.css', 'text/css'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript'],
    ['/docs/favicon-32x32.png', 'image/png'],
    ['/docs/guides', 'text/html'],
    ['/docs/guides/', 'text/html'],
    ['/docs/guides/first-purchase', 'text/html'],
    ['/docs/guides/first-purchase/', 'text/html'],
    ['/docs/guides/guides.css', 'text/css'],
    ['/docs/guides/search.js', 'text/javascript'],
    ['/docs/guides/search.json', 'application/json'],
    ['/docs/guides/fundrail.postman_collection.json', 'application/json'],
    ['/docs/guides/checkout-paid.png', 'image/png'],
    ['/openapi.json', 'application/json'],
    ['/asyncapi.json', 'application/json'],
  ])('serves %s itself, read-only', async (path, type) => {
    const page = await stage.ask(`${path}?x=1`);
    expect([page.status, page.headers['content-type']]).toEqual([200, expect.stringContaining(type)]);
    expect((await stage.ask(path, { method: 'HEAD' })).status).toBe(200);
    const refused = await post(path, '{}');
    for (const { headers } of [page, refused]) expect(headers).toMatchObject(lets(type === 'text/html'));
    expect([codeOf(refused), refused.headers['allow']]).toEqual([[405, 'METHOD_NOT_ALLOWED'], 'GET, HEAD']);
  });

  it('sends Strict-Transport-Security only to clients that come over https', async () => {
    for (const path of [
      '/',
      '/docs',
      '/docs/start.js',
      '/health/live',
      '/openapi.json',
      '/nothing',
      '/%zz',
    ]) {
      const strictTransport = async (sandbox: boolean) =>
        (await stage.ask(path, {}, sandbox)).headers['strict-transport-security'];
      expect([path, await strictTransport(true), await strictTransport(false)]).toEqual([
        path,
        undefined,
        STRICT_TRANSPORT,
      ]);
    }
  });

  it('serves the API reader, and lets its page load nothing from elsewhere', async () => {
    const door = await stage.ask('/');
    expect([door.status, door.headers.location]).toEqual([302, '/docs']);
    expect(door.headers).toMatchObject(SAFE_HEADERS);
    expect((await stage.ask('/docs')).headers['content-security-policy']).toMatch(
      /^default-src 'none'; .*script-src 'self'/,
    );
    for (const path of ['/docs/guides/nothing', '/docs/guides/index.html', '/docs/guides/%2e%2e/index'])
      expect(codeOf(await stage.ask(path))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await stage.ask('/docs/index.html'))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await stage.ask('/docs/%2e%2e/openapi.json'))).toEqual([404, 'NOT_FOUND']);
  });
});
