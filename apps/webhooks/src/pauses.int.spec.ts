import { waitFor } from '@fundrail/testing';
import { EndpointServer } from './testing/endpoint-server.ts';
import { WebhooksStage } from './testing/webhooks-stage.ts';

describe('deliveries to an endpoint that requests a pause', () => {
  let stage: WebhooksStage;
  let server: EndpointServer;
  beforeEach(async () => {
    stage = await WebhooksStage.start();
    server = await EndpointServer.start();
  });
  afterEach(async () => {
    await stage.end();
    await server.stop();
  });

  it('wait as long as Retry-After requests', async () => {
    server.answer = (_hit, response) => void response.writeHead(503, { 'retry-after': '3600' }).end();
    const endpoint = await stage.endpoint(server.url);
    await stage.publish();
    const due = Date.now() + 60_000;
    const waiting = await stage.delivery(
      endpoint,
      ({ next_attempt_at }) => new Date(next_attempt_at ?? 0).getTime() > due,
    );
    const now = (await stage.service.database.now()).getTime();
    const pause = new Date(waiting.next_attempt_at ?? 0).getTime() - now;
    expect(pause).toBeGreaterThan(3_500_000);
    expect(pause).toBeLessThanOrEqual(3_600_000);
  });

  it('of other events wait too while an endpoint is paused, except a test event', async () => {
    // given
    server.answer = (_hit, response) => void response.writeHead(429, { 'retry-after': '3600' }).end();
    const endpoint = await stage.endpoint(server.url);
    await stage.publish();
    await stage.delivery(endpoint, ({ attempts }) => attempts.length === 1);
    // when
    server.answers(204);
    const late = await stage.publish();
    const lively = await EndpointServer.start();
    await stage.endpoint(lively.url);
    const later = await stage.publish();
    await waitFor(() => lively.hits.length === 1);
    // then
    expect(server.hits).toHaveLength(1);
    // when
    await stage.send({ method: 'POST', url: `/v2/notification_webhooks/${endpoint.id}/test` });
    // then: it is healthy, so everything is sent
    await stage.delivery(endpoint, ({ event, status }) => event === late.id && status === 'delivered');
    await stage.delivery(endpoint, ({ event, status }) => event === later.id && status === 'delivered');
    await waitFor(() => server.hits.length === 5);
    await lively.stop();
  });
});
