import { newId } from '@fundrail/contracts';
import { sql } from '@fundrail/persistence';
import type { ServerResponse } from 'node:http';
import { EndpointServer } from './testing/endpoint-server.ts';
import { WebhooksStage } from './testing/webhooks-stage.ts';

const triesOf = sql('test.tries_of', 'SELECT tries FROM webhook_deliveries WHERE id = $1');

describe('waiting deliveries', () => {
  let stage: WebhooksStage;
  let server: EndpointServer;
  beforeAll(async () => {
    stage = await WebhooksStage.start();
  });
  afterAll(() => stage.end());
  beforeEach(async () => {
    server = await EndpointServer.start();
  });
  afterEach(async () => {
    await stage.removeEndpoints();
    await server.stop();
  });

  it('are due immediately when the endpoint accepts again', async () => {
    // given
    server.answers(500);
    const endpoint = await stage.endpoint(server.url);
    await stage.publish();
    await stage.delivery(endpoint, ({ attempts }) => attempts.length === 1);
    await stage.advance(6_000);
    const late = await stage.delivery(endpoint, ({ attempts }) => attempts.length === 2);
    // when: another event is accepted
    server.answers(204);
    await stage.publish();
    // then: the one that would have waited for 5 minutes arrives too
    await stage.delivery(endpoint, ({ id, status }) => id === late.id && status === 'delivered');
  });

  it('of an event that is refused while others are accepted still wait by the table', async () => {
    // given: its second attempt has failed, and the third is due in 5 minutes
    const refused = newId('event');
    server.answer = ({ headers }, response) =>
      void response.writeHead(headers['webhook-id'] === refused ? 500 : 204).end();
    const endpoint = await stage.endpoint(server.url);
    await stage.publish({ id: refused });
    await stage.delivery(endpoint, ({ attempts }) => attempts.length === 1);
    await stage.advance(6_000);
    const { next_attempt_at } = await stage.delivery(endpoint, ({ attempts }) => attempts.length === 2);
    // when
    for (let count = 0; count < 6; count += 1) {
      const { id } = await stage.publish();
      await stage.delivery(endpoint, ({ event, status }) => event === id && status === 'delivered');
    }
    // then: the first success hastened it, once
    const waiting = await stage.delivery(
      endpoint,
      ({ event, attempts }) => event === refused && attempts.length === 3,
    );
    expect(waiting).toMatchObject({ status: 'pending', next_attempt_at });
    // when
    await stage.advance(330_000);
    await stage.delivery(endpoint, ({ event, attempts }) => event === refused && attempts.length === 4);
    expect(await stage.service.database.query(triesOf, [waiting.id])).toEqual([{ tries: 3 }]);
  });

  it('of a test event do not wait for a failed test event', async () => {
    const endpoint = await stage.endpoint(server.url, ['payment.*']);
    const test = () => stage.send({ method: 'POST', url: `/v2/notification_webhooks/${endpoint.id}/test` });
    server.answers(500);
    await test();
    await stage.delivery(endpoint, ({ attempts }) => attempts.length === 1);
    await stage.advance(6_000);
    await stage.delivery(endpoint, ({ attempts }) => attempts.length === 2);
    server.answer = (_hit, response) => void response.writeHead(server.hits.length === 3 ? 500 : 204).end();
    const { body } = await test();
    await stage.delivery(endpoint, ({ id, attempts }) => id === body['id'] && attempts.length === 1);
  });

  it('go to a new URL immediately, and the failures of the old one no longer count', async () => {
    // given: an endpoint that has failed for almost 5 days and requests a pause of an hour
    const url = (id: string) => `/v2/notification_webhooks/${id}`;
    server.answer = (_hit, response) => void response.writeHead(503, { 'retry-after': '3600' }).end();
    const endpoint = await stage.endpoint(server.url);
    await stage.publish();
    await stage.delivery(endpoint, ({ attempts }) => attempts.length === 1);
    await stage.advance(5 * 86_400_000 - 3_600_000);
    await stage.delivery(endpoint, ({ attempts }) => attempts.length === 2);
    // when
    const moved = await EndpointServer.start();
    moved.answers(500, 204);
    await stage.send({ method: 'PUT', url: url(endpoint.id), body: { url: moved.url } });
    await stage.delivery(endpoint, ({ attempts }) => attempts.length === 3);
    await stage.advance(2 * 3_600_000);
    // then
    await stage.delivery(endpoint, ({ status }) => status === 'delivered');
    expect(moved.hits).toHaveLength(2);
    expect((await stage.send({ url: url(endpoint.id) })).body).toMatchObject({ status: 'enabled' });
    await moved.stop();
  });

  it.each([410, 503])(
    'go to a new URL immediately when the old one, still in progress, responds with %i',
    async (status) => {
      // given
      const old = Promise.withResolvers<ServerResponse>();
      server.answer = (_hit, response) => {
        old.resolve(response);
      };
      const endpoint = await stage.endpoint(server.url);
      await stage.publish();
      const answering = await old.promise;
      const moved = await EndpointServer.start();
      // when
      const url = `/v2/notification_webhooks/${endpoint.id}`;
      await stage.send({ method: 'PUT', url, body: { url: moved.url } });
      answering.writeHead(status, { 'retry-after': '3600' }).end();
      // then
      const { attempts } = await stage.delivery(endpoint, (delivery) => delivery.status === 'delivered');
      expect(attempts.map((attempt) => attempt.status)).toEqual([status, 204]);
      expect(moved.hits).toHaveLength(1);
      expect((await stage.send({ url })).body).toMatchObject({ status: 'enabled', disabled_reason: null });
      await moved.stop();
    },
  );
});
