import { jest } from '@jest/globals';
import { waitFor } from '@fundrail/testing';
import { answerRightly, ChallengedServer } from './testing/challenged-server.ts';
import { EndpointServer } from './testing/endpoint-server.ts';
import { VerificationStage } from './testing/verification-stage.ts';

const PATH = '/v2/notification_webhooks';
const DAY = { from: '2026-11-21', to: '2026-11-21' };

/** No lane polls: what a test waits for is found only because the commit that made it due raised the signal of the right lane. */
describe('without a poll', () => {
  let stage: VerificationStage;
  let server: EndpointServer;
  beforeAll(async () => {
    stage = await VerificationStage.start({
      WEBHOOK_REPLAY_CONCURRENCY: '2',
      WEBHOOK_ENDPOINT_RATE: '1000',
    });
    jest.spyOn(stage.webhooks.service.dueWorker, 'wake').mockImplementation(() => undefined);
  });
  afterAll(() => stage.webhooks.end());
  beforeEach(async () => {
    server = await EndpointServer.start();
  });
  afterEach(async () => {
    await stage.webhooks.removeEndpoints();
    await server.stop();
  });

  it('an event and a test event are sent', async () => {
    const { id } = await stage.webhooks.endpoint(server.url);
    await stage.webhooks.publish();
    await waitFor(() => server.hits.length === 1);
    await stage.webhooks.send({ method: 'POST', url: `${PATH}/${id}/test` });
    await waitFor(() => server.hits.length === 2);
  });

  it('a delivery is sent again on request, and when the endpoint accepts again', async () => {
    // given: three refused deliveries
    server.answers(500);
    const endpoint = await stage.webhooks.endpoint(server.url);
    await Promise.all([1, 2, 3].map(() => stage.webhooks.publish()));
    await waitFor(async () => {
      const made = await stage.webhooks.deliveries(endpoint);
      return made.length === 3 && made.every(({ attempts }) => attempts.length === 1);
    });
    // when
    server.answers(204);
    const [one] = await stage.webhooks.deliveries(endpoint);
    await stage.webhooks.send({
      method: 'POST',
      url: `/v2/webhook_deliveries/${one?.id}/retry`,
    });
    // then: the accepted one makes the others due
    await waitFor(async () => (await stage.webhooks.deliveries(endpoint, '?status=delivered')).length === 3);
  });

  it('a replay of more events than a window is sent to its end', async () => {
    const { id } = await stage.webhooks.endpoint(server.url);
    await Promise.all(Array.from({ length: 130 }, () => stage.webhooks.publish()));
    await waitFor(() => server.hits.length === 130);
    const { body } = await stage.webhooks.send({ url: `${PATH}/${id}/replay`, body: DAY });
    const url = `${PATH}/${id}/replays/${String(body['id'])}`;
    await waitFor(async () => (await stage.webhooks.send({ url })).body['status'] === 'completed');
    expect(server.hits.length).toBeGreaterThanOrEqual(260);
  });

  it('an endpoint is challenged when it is created, when its URL changes, and on request', async () => {
    stage.verifies('careful', true);
    const [first, second] = [await ChallengedServer.start(), await ChallengedServer.start()];
    const endpoint = await stage.webhooks.endpoint(first.url, ['*'], 'careful');
    await stage.until(endpoint, 'careful', 'verified');
    await stage.webhooks.send({
      method: 'PUT',
      url: stage.path(endpoint),
      body: { url: second.url },
      tenant: 'careful',
    });
    await waitFor(() => second.challenges.length === 1);
    await stage.until(endpoint, 'careful', 'verified');
    // and: one that was refused
    first.whenChallenged((_, response) => void response.writeHead(500).end());
    const refused = await stage.webhooks.endpoint(first.url, ['*'], 'careful');
    await stage.until(refused, 'careful', 'pending_verification', /answered with 500/);
    first.whenChallenged(answerRightly);
    await stage.verify(refused, 'careful');
    await stage.until(refused, 'careful', 'verified');
    await stage.webhooks.removeEndpoints('careful');
    await Promise.all([first.stop(), second.stop()]);
  });
});
