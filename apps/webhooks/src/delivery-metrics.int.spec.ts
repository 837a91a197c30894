import { metricReader, waitFor } from '@fundrail/testing';
import { EndpointServer } from './testing/endpoint-server.ts';
import { WebhooksStage } from './testing/webhooks-stage.ts';

const HOUR_MS = 3_600_000;

describe('the metrics of deliveries', () => {
  let stage: WebhooksStage;
  let shop: EndpointServer;
  beforeEach(async () => {
    [stage, shop] = await Promise.all([
      WebhooksStage.start({ OPS_PORT: '0', WEBHOOK_ENDPOINT_CONCURRENCY: '1' }),
      EndpointServer.start(),
    ]);
  });
  afterEach(async () => {
    await shop.stop();
    await stage.end();
  });

  const valueOf = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    metricReader(stage.service.opsUrl)(name, { service: 'webhooks', ...labels });
  const attempts = (outcome: string) =>
    valueOf('fundrail_webhook_attempt_duration_seconds_count', { outcome });

  it('count attempts by outcome, and measure for how long each had been due', async () => {
    shop.answers(204, 410);
    const endpoint = await stage.endpoint(shop.url);
    await stage.publish();
    await waitFor(async () => (await attempts('delivered')) === 1, { what: 'a delivery' });
    await stage.publish();
    await waitFor(async () => (await attempts('refused')) === 1, { what: 'a refusal' });
    // An endpoint that responds with 410 is disabled.
    await stage.removeEndpoints();
    expect(endpoint.id).toMatch(/^nwh_/);
    expect(await valueOf('fundrail_webhook_queueing_seconds_count')).toBe(2);
  });

  it('count server errors of an endpoint and missing responses', async () => {
    shop.answers(500);
    const endpoint = await stage.endpoint(shop.url);
    await stage.publish();
    await waitFor(async () => (await attempts('failed')) === 1, { what: 'a failure' });
    // An attempt is counted before it is stored. The next attempt, an hour later, exists only after that.
    await stage.delivery(endpoint, (one) => one.attempts.length === 1 && one.next_attempt_at !== null);
    shop.answer = (_hit, response) => response.destroy();
    await stage.advance(HOUR_MS);
    await waitFor(async () => (await attempts('no_answer')) === 1, { what: 'silence' });
  });

  it('show how many deliveries wait for a slow endpoint, and since when, until it responds', async () => {
    const held: (() => void)[] = [];
    shop.answer = (_hit, response) => void held.push(() => response.writeHead(204).end());
    await stage.endpoint(shop.url);
    for (const object of ['1', '2', '3']) await stage.publish({ aggregate_id: object });
    const waiting = (endpoints: string) => valueOf('fundrail_webhook_deliveries_waiting', { endpoints });
    await waitFor(async () => (await waiting('well')) === 2, { what: 'two that wait' });
    await stage.advance(HOUR_MS);
    expect(await valueOf('fundrail_webhook_delivery_lag_seconds', { endpoints: 'well' })).toBeGreaterThan(
      3_599,
    );
    expect(await waiting('failing')).toBe(0);
    shop.answers(204);
    for (const answer of held) answer();
    await waitFor(async () => (await waiting('well')) === 0, { what: 'nothing that waits' });
    expect(await valueOf('fundrail_webhook_queueing_seconds_sum')).toBeGreaterThan(3_599);
  });
});
