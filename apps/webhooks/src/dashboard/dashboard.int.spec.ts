import { newId } from '@fundrail/contracts';
import { Developer } from '../testing/developer.ts';
import { EndpointServer } from '../testing/endpoint-server.ts';
import { WebhooksStage } from '../testing/webhooks-stage.ts';

const NASTY = '<script>alert("1")</script>&amp;\'';
const ESCAPED = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;amp;&#39;';
/** The event's. Each traced attempt sends its own. */
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('the dashboard', () => {
  let stage: WebhooksStage;
  let server: EndpointServer;
  let developer: Developer;
  beforeAll(async () => {
    [stage, server] = await Promise.all([WebhooksStage.start(), EndpointServer.start()]);
  });
  afterAll(() => Promise.all([stage.end(), server.stop()]));
  beforeEach(() => {
    developer = Developer.of(stage);
  });
  // Each test has its own endpoints.
  afterEach(() => stage.removeEndpoints());

  /** An endpoint that has refused one delivery. */
  const refused = async () => {
    server.answers(500);
    const endpoint = await stage.endpoint(server.url);
    const event = await stage.publish({ traceparent: TRACEPARENT });
    const delivery = await stage.delivery(endpoint, ({ attempts }) => attempts.length === 1);
    return { endpoint, event, delivery };
  };

  it('given no endpoint, when it is opened, then it says how to create one', async () => {
    expect((await developer.get('/webhooks/endpoints')).text).toContain('POST /v2/notification_webhooks');
  });

  it('given endpoints, when they are listed, then each has its url, events, state and the reason for the state', async () => {
    const well = await stage.endpoint(`${server.url}/well`, ['payment.*', 'mf_purchase.failed']);
    const off = await stage.endpoint(`${server.url}/off`);
    await stage.send({
      method: 'PUT',
      url: `/v2/notification_webhooks/${off.id}`,
      body: { status: 'disabled' },
    });
    const { text } = await developer.get('/webhooks/endpoints');
    expect(text).toContain(`<a href="/webhooks/endpoints/${well.id}">${server.url}/well</a>`);
    expect(text).toContain('<code>payment.*</code>');
    expect(text).toContain('<span class="state good">Enabled</span>');
    expect(text).toContain('<span class="state idle">Disabled</span>');
    expect(text).toContain('disabled by the client');
    const page = await developer.get(`/webhooks/endpoints/${off.id}`);
    expect(page.text).not.toContain('Send test event');
    const test = await developer.post(`/webhooks/endpoints/${off.id}/test`);
    expect([test.status, test.headers['content-type']]).toEqual([409, 'text/html; charset=utf-8']);
  });

  it('given an endpoint that requested a pause, when it is shown, then it is paused, and failing', async () => {
    server.answer = (_hit, response) => void response.writeHead(503, { 'retry-after': '600' }).end();
    const endpoint = await stage.endpoint(server.url);
    await stage.publish();
    await stage.delivery(endpoint, ({ attempts }) => attempts.length === 1);
    const { text } = await developer.get('/webhooks/endpoints');
    expect(text).toContain('<span class="state warn">Paused</span>');
    expect(text).toContain('All attempts have failed since');
  });

  it('given a refused delivery, when it is opened, then it shows the request and the response', async () => {
    const { endpoint, event, delivery } = await refused();
    const list = await developer.get(`/webhooks/endpoints/${endpoint.id}`);
    expect(list.text).toContain('<span class="state bad">Failing</span>');
    expect(list.text).toContain(`<a href="/webhooks/deliveries/${delivery.id}">${event.type}</a>`);
    const { status, text } = await developer.get(`/webhooks/deliveries/${delivery.id}`);
    expect(status).toBe(200);
    expect(text).toContain(`webhook-id: ${event.id}`);
    expect(text).toContain('POST /hooks HTTP/1.1');
    expect(text).toContain('answered 500');
    const sent = Number(server.hits.at(-1)?.headers['webhook-timestamp']);
    const shown = Number(/webhook-timestamp: (\d+)/.exec(text)?.[1]);
    expect(Math.abs(shown - sent)).toBeLessThanOrEqual(1);
    expect(text).toContain('Shown as sent in the last attempt.');
    expect(text).not.toContain(TRACEPARENT);
    expect(text).toContain('&quot;previous_attributes&quot;: null');
  });

  it('given a URL that is refused at the attempt, when the delivery is shown, then it does not claim that it was sent', async () => {
    const endpoint = await stage.endpoint(server.url);
    await stage.service.database.manager.query('UPDATE notification_webhooks SET url = $2 WHERE id = $1', [
      endpoint.id,
      'https://127.0.0.2/hooks',
    ]);
    await stage.publish();
    const { id } = await stage.delivery(endpoint, ({ attempts }) => attempts.length === 1);
    const { text } = await developer.get(`/webhooks/deliveries/${id}`);
    expect(text).toContain('The last attempt sent no request, because the URL was refused.');
    expect(text).toContain('webhook-timestamp: …');
    expect(text).not.toContain('in the last attempt');
  });

  it('given a refused delivery, when it is retried, then it is resent and the page says so', async () => {
    const { endpoint, event, delivery } = await refused();
    server.answers(204);
    const retried = await developer.post(`/webhooks/deliveries/${delivery.id}/retry`);
    const page = `/webhooks/deliveries/${delivery.id}?done=retry`;
    expect([retried.status, retried.headers['location']]).toEqual([303, page]);
    await stage.delivery(endpoint, ({ status }) => status === 'delivered');
    const { text } = await developer.get(page);
    expect(text).toContain('Resending now.');
    expect(text).toContain('<strong>Attempt 2</strong> <span class="state good">204</span>');
    expect(server.hits.at(-1)?.headers['webhook-id']).toBe(event.id);
  });

  it('given a delivery that was given up before it was sent, when it is shown, then it does not announce an attempt', async () => {
    const { endpoint, event } = await refused();
    const { aggregate_id } = event;
    const held = await stage.publish({ aggregate_id, sequence: 2 });
    const url = `/v2/notification_webhooks/${endpoint.id}`;
    await stage.send({ method: 'PUT', url, body: { status: 'disabled' } });
    expect((await developer.get(`/webhooks/endpoints/${endpoint.id}`)).text).toContain('<p>Never sent</p>');
    const { id } = await stage.delivery(endpoint, (one) => one.event === held.id);
    const { text } = await developer.get(`/webhooks/deliveries/${id}`);
    expect(text).toContain('Not delivered because the endpoint was disabled.');
    expect(text).toContain('Never sent.');
    expect(text).not.toContain('last attempt');
  });

  it('given an endpoint, when a test event is requested, then it is sent, and its delivery is shown', async () => {
    server.answers(204);
    const endpoint = await stage.endpoint(server.url, ['payment.*']);
    const asked = await developer.post(`/webhooks/endpoints/${endpoint.id}/test`);
    const [, id] =
      /^\/webhooks\/deliveries\/(whd_\w+)\?done=test$/.exec(String(asked.headers['location'])) ?? [];
    await stage.delivery(endpoint, (delivery) => delivery.id === id && delivery.status === 'delivered');
    const { text } = await developer.get(String(asked.headers['location']));
    expect(text).toContain('<h1>notification_webhook.test</h1>');
    expect(text).toContain('Test event created.');
  });

  it('given deliveries, when they are filtered and paged, then each link keeps the filter', async () => {
    server.answers(204);
    const endpoint = await stage.endpoint(server.url);
    for (let count = 0; count < 26; count += 1) await stage.publish();
    await stage.delivery(endpoint, () => true);
    const newest = await stage.deliveries(endpoint);
    const page = `/webhooks/endpoints/${endpoint.id}`;
    expect((await developer.get(`${page}?status=failed`)).text).toContain('No deliveries.');
    const { text } = await developer.get(page);
    expect(text.match(/\/webhooks\/deliveries\//g)).toHaveLength(25);
    expect(text).toContain(`href="${page}?after=${newest[24]?.id ?? ''}">Older</a>`);
    const older = await developer.get(`${page}?after=${newest[24]?.id ?? ''}`);
    expect(older.text.match(/\/webhooks\/deliveries\//g)).toHaveLength(1);
    expect(older.text).toContain(`href="${page}">Newest</a>`);
    expect((await developer.get(`${page}?status=nonsense`)).status).toBe(400);
  });

  it('given an endpoint that responds with markup, when its delivery is shown, then it is text', async () => {
    server.answer = (_hit, response) => void response.writeHead(500).end(NASTY);
    const endpoint = await stage.endpoint(`${server.url}?${encodeURIComponent(NASTY)}=<b>'`);
    await stage.publish();
    const { id } = await stage.delivery(endpoint, ({ attempts }) => attempts.length === 1);
    for (const path of ['endpoints', `endpoints/${endpoint.id}`, `deliveries/${id}`]) {
      const { text } = await developer.get(`/webhooks/${path}`);
      expect(text).not.toContain('<script>alert');
      expect(text).not.toContain("<b>'");
    }
    expect((await developer.get(`/webhooks/deliveries/${id}`)).text).toContain(ESCAPED);
  });

  it("given another tenant's ids, when they are requested, then they are not found, and nothing is sent", async () => {
    const { endpoint, delivery } = await refused();
    const stranger = Developer.of(stage, 'other');
    const unknown = [newId('notificationWebhook'), newId('webhookDelivery')];
    const hits = server.hits.length;
    for (const [hook, sent] of [[endpoint.id, delivery.id], unknown, ['x', '%00']]) {
      for (const path of [`endpoints/${hook ?? ''}`, `deliveries/${sent ?? ''}`])
        expect([path, (await stranger.get(`/webhooks/${path}`)).status]).toEqual([path, 404]);
      for (const path of [`endpoints/${hook ?? ''}/test`, `deliveries/${sent ?? ''}/retry`])
        expect([path, (await stranger.post(`/webhooks/${path}`)).status]).toEqual([path, 404]);
    }
    expect((await stranger.get('/webhooks/endpoints')).text).not.toContain(server.url);
    expect(server.hits).toHaveLength(hits);
  });

  it('given a deleted endpoint, when its delivery is requested, then it is shown, and cannot be resent', async () => {
    const { endpoint, delivery } = await refused();
    await stage.send({ method: 'DELETE', url: `/v2/notification_webhooks/${endpoint.id}` });
    const { status, text } = await developer.get(`/webhooks/deliveries/${delivery.id}`);
    expect(status).toBe(200);
    expect(text).toContain('was deleted, so this delivery cannot be resent');
    expect(text).not.toContain('/retry"');
    expect(text).not.toContain(`href="/webhooks/endpoints/${endpoint.id}"`);
    expect((await developer.get(`/webhooks/endpoints/${endpoint.id}`)).status).toBe(404);
  });
});
