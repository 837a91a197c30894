import { newId } from '@fundrail/contracts';
import { sql } from '@fundrail/persistence';
import { waitFor } from '@fundrail/testing';
import { Webhook } from 'standardwebhooks';
import { RETRY_PAUSES_MS } from './delivery/retry-table.ts';
import { EndpointServer } from './testing/endpoint-server.ts';
import { WebhooksStage } from './testing/webhooks-stage.ts';

const deliveriesOf = sql('test.deliveries_of', 'SELECT id FROM webhook_deliveries WHERE webhook = $1');

describe('deliveries', () => {
  let stage: WebhooksStage;
  const servers: EndpointServer[] = [];
  beforeAll(async () => {
    stage = await WebhooksStage.start();
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await stage.end();
  });
  let server: EndpointServer;
  beforeEach(async () => {
    server = await EndpointServer.start();
    servers.push(server);
  });
  // Each test has its own endpoints; those of earlier tests must not receive its events.
  afterEach(() => stage.removeEndpoints());

  it('carry the stored bytes, signed so that the official library accepts them (HOOK-11, HOOK-12)', async () => {
    // given
    const endpoint = await stage.endpoint(server.url);
    // when
    const event = await stage.publish();
    await stage.delivery(endpoint, ({ status }) => status === 'delivered');
    // then
    const [hit] = server.hits;
    if (!hit) throw new Error('nothing came');
    expect(hit.raw).toBe(
      `{"id":"${event.id}","object":"event","type":"${event.type}","data":${event.data},"time":"${event.occurred_at}"}`,
    );
    expect(hit.headers['webhook-id']).toBe(event.id);
    expect(() => new Webhook(endpoint.secret).verify(hit.raw, hit.headers)).not.toThrow();
    expect((await stage.send({ url: `/v2/events/${event.id}` })).body).toEqual(JSON.parse(hit.raw));
  });

  it('go only to the tenant’s endpoints that subscribe to the event (HOOK-2)', async () => {
    const endpoints = {
      exact: await stage.endpoint(server.url, ['notification_webhook.disabled']),
      topic: await stage.endpoint(server.url, ['payment.*', 'notification_webhook.*']),
      deaf: await stage.endpoint(server.url, ['payment.*']),
      foreign: await stage.endpoint(server.url, ['*'], 'other'),
    };
    await stage.publish();
    await waitFor(() => server.hits.length === 2);
    const counts = await Promise.all(
      Object.entries(endpoints).map(
        async ([name, one]) =>
          (await stage.deliveries(one, '', name === 'foreign' ? 'other' : 'demo')).length,
      ),
    );
    expect(counts).toEqual([1, 1, 0, 0]);
  });

  it.each([
    ['disabled', { method: 'PUT', body: { status: 'disabled' } }],
    ['deleted', { method: 'DELETE' }],
  ] as const)('are not created for an endpoint that is %s', async (_, change) => {
    const endpoint = await stage.endpoint(server.url);
    const url = `/v2/notification_webhooks/${endpoint.id}`;
    expect((await stage.send({ url, ...change })).status).toBe(200);
    await stage.publish();
    expect(await stage.service.database.query(deliveriesOf, [endpoint.id])).toEqual([]);
  });

  it('are stored once when the bus repeats an event', async () => {
    const endpoint = await stage.endpoint(server.url);
    const event = await stage.publish();
    await stage.publish(event);
    expect(await stage.deliveries(endpoint)).toHaveLength(1);
  });

  it('are retried with the same id after a failure, and each attempt is stored (HOOK-13)', async () => {
    // given
    server.answers(500, 204);
    const endpoint = await stage.endpoint(server.url);
    // when
    const event = await stage.publish();
    const waiting = await stage.delivery(endpoint, ({ attempts }) => attempts.length === 1);
    // then
    expect(waiting).toMatchObject({
      status: 'pending',
      attempts: [{ status: 500, response_body: 'answered 500', error: null }],
    });
    expect(waiting.next_attempt_at).not.toBeNull();
    // when
    await stage.advance(6_000);
    const done = await stage.delivery(endpoint, ({ status }) => status === 'delivered');
    // then
    expect(done).toMatchObject({ attempts: [{ status: 500 }, { status: 204 }], next_attempt_at: null });
    expect(server.hits.map((hit) => hit.headers['webhook-id'])).toEqual([event.id, event.id]);
    expect(server.hits[0]?.raw).toBe(server.hits[1]?.raw);
  });

  it('are given up after ten attempts', async () => {
    server.answers(500);
    const endpoint = await stage.endpoint(server.url);
    await stage.publish();
    for (const [index, pause] of RETRY_PAUSES_MS.entries()) {
      await stage.delivery(endpoint, ({ attempts }) => attempts.length === index + 1);
      // With the maximum jitter.
      await stage.advance(Math.round(pause * 1.1));
    }
    const given = await stage.delivery(endpoint, ({ status }) => status === 'failed');
    expect(given.attempts).toHaveLength(10);
    expect(given.next_attempt_at).toBeNull();
  });

  it.each([
    ['a redirect, which is not followed', (url: string) => ({ status: 302, location: url }), { status: 302 }],
    ['a refusal', () => ({ status: 400 }), { status: 400 }],
  ])('fail by %s', async (_what, answer, kept) => {
    const elsewhere = await EndpointServer.start();
    servers.push(elsewhere);
    const { status, ...headers } = answer(elsewhere.url);
    server.answer = (_hit, response) => void response.writeHead(status, headers).end();
    const endpoint = await stage.endpoint(server.url);
    await stage.publish();
    expect(await stage.delivery(endpoint, ({ attempts }) => attempts.length === 1)).toMatchObject({
      status: 'pending',
      attempts: [kept],
    });
    expect(elsewhere.hits).toEqual([]);
  });

  it('fail when there is no response before the time-out, and when the connection is refused', async () => {
    const impatient = await WebhooksStage.start({ WEBHOOK_TIMEOUT_MS: '2000' });
    server.answer = () => undefined;
    const silent = await impatient.endpoint(server.url);
    const closed = await impatient.endpoint('http://127.0.0.1:9/hooks');
    await impatient.publish();
    const one = await impatient.delivery(silent, ({ attempts }) => attempts.length === 1);
    expect(one.attempts).toEqual([
      expect.objectContaining({ status: null, error: 'no answer within 2000 ms' }),
    ]);
    const other = await impatient.delivery(closed, ({ attempts }) => attempts.length === 1);
    expect(other.attempts).toEqual([expect.objectContaining({ status: null, error: expect.any(String) })]);
    await impatient.end();
  });

  it('store the first 4 kB of a response without NUL bytes, and do not wait for the rest', async () => {
    server.answer = (_hit, response) => {
      response.writeHead(200);
      response.write(`\0${'x'.repeat(10_000)}`);
    };
    const endpoint = await stage.endpoint(server.url);
    await stage.publish();
    const done = await stage.delivery(endpoint, ({ status }) => status === 'delivered');
    expect(done.attempts[0]?.response_body).toBe('x'.repeat(4095));
  });

  it('keep the order of an object’s events, and do not delay other objects', async () => {
    // given
    const order: string[] = [];
    const first = newId('event');
    let refuse = true;
    server.answer = ({ headers }, response) => {
      const id = headers['webhook-id'] ?? '';
      const refused = refuse && id === first;
      if (!refused) order.push(id);
      response.writeHead(refused ? 500 : 204).end();
    };
    const endpoint = await stage.endpoint(server.url);
    await stage.publish({ id: first, aggregate_id: 'A' });
    await stage.delivery(endpoint, ({ attempts }) => attempts.length === 1);
    // when: its next event and another object's come while the first has failed
    const second = await stage.publish({ aggregate_id: 'A', sequence: 2 });
    const other = await stage.publish({ aggregate_id: 'B' });
    await stage.delivery(endpoint, ({ event, status }) => event === other.id && status === 'delivered');
    // then: that success hastens the first, which is refused again
    await stage.delivery(endpoint, ({ event, attempts }) => event === first && attempts.length >= 2);
    expect(order).toEqual([other.id]);
    // when
    refuse = false;
    await stage.advance(600_000);
    await stage.delivery(endpoint, ({ event, status }) => event === second.id && status === 'delivered');
    // then
    expect(order).toEqual([other.id, first, second.id]);
  });

  it('end with 410: the endpoint is disabled, and the others are notified', async () => {
    // given
    server.answers(410);
    const gone = await stage.endpoint(server.url, ['payment.*']);
    const notified = await EndpointServer.start();
    servers.push(notified);
    await stage.endpoint(notified.url, ['notification_webhook.disabled']);
    const before = (await stage.send({ url: `/v2/notification_webhooks/${gone.id}` })).body;
    // when
    await stage.send({ method: 'POST', url: `/v2/notification_webhooks/${gone.id}/test` });
    // then
    const hit = await waitFor(() => notified.hits[0]);
    const { body } = await stage.send({ url: `/v2/notification_webhooks/${gone.id}` });
    const { status, updated_at, disabled_at, disabled_reason } = before;
    expect(JSON.parse(hit.raw)).toMatchObject({ type: 'notification_webhook.disabled' });
    expect((JSON.parse(hit.raw) as { data: unknown }).data).toEqual({
      object: body,
      previous_attributes: { status, updated_at, disabled_at, disabled_reason },
    });
    expect(body).toMatchObject({ status: 'disabled', disabled_reason: expect.stringContaining('410') });
    expect(await stage.deliveries(gone)).toMatchObject([{ status: 'failed', failure_code: 'endpoint_gone' }]);
  });

  it('of an endpoint that fails for five days end with it', async () => {
    server.answers(500);
    const endpoint = await stage.endpoint(server.url);
    await stage.publish();
    await stage.delivery(endpoint, ({ attempts }) => attempts.length === 1);
    await stage.advance(5 * 86_400_000);
    await stage.delivery(endpoint, ({ status }) => status === 'failed');
    const { body } = await stage.send({ url: `/v2/notification_webhooks/${endpoint.id}` });
    expect(body).toMatchObject({ status: 'disabled', disabled_reason: expect.stringContaining('5 days') });
  });

  it('are not sent to an address that is refused at the attempt, though it was allowed at creation (HOOK-8)', async () => {
    const endpoint = await stage.endpoint(server.url);
    await stage.service.database.manager.query('UPDATE notification_webhooks SET url = $2 WHERE id = $1', [
      endpoint.id,
      server.url.replace('http://127.0.0.1', 'https://127.0.0.2'),
    ]);
    await stage.publish();
    const failed = await stage.delivery(endpoint, ({ attempts }) => attempts.length === 1);
    expect(failed.attempts).toMatchObject([
      { status: null, error: 'the URL must not be a private or reserved address' },
    ]);
    expect(server.hits).toEqual([]);
  });

  it('are retried manually (HOOK-25)', async () => {
    server.answers(500);
    const endpoint = await stage.endpoint(server.url);
    await stage.publish();
    const waiting = await stage.delivery(endpoint, ({ attempts }) => attempts.length === 1);
    server.answers(204);
    const retried = await stage.send({ method: 'POST', url: `/v2/webhook_deliveries/${waiting.id}/retry` });
    expect(retried.body).toMatchObject({ id: waiting.id, status: 'pending' });
    expect(
      (
        await stage.send({
          method: 'POST',
          url: `/v2/webhook_deliveries/${waiting.id}/retry`,
          tenant: 'other',
        })
      ).status,
    ).toBe(404);
    await stage.delivery(endpoint, ({ status }) => status === 'delivered');
  });
});
