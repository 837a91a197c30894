import { jest } from '@jest/globals';
import { WebhookTarget } from '../target/webhook-target.ts';
import { EndpointServer } from '../testing/endpoint-server.ts';
import { FullServer } from '../testing/full-server.ts';
import { WebhooksStage } from '../testing/webhooks-stage.ts';

const TIMEOUT_MS = 300;
/** The extra time that a busy machine may take beyond the time-out. */
const LATE_MS = 3_000;
const NO_ANSWER = { status: null, error: `no answer within ${TIMEOUT_MS} ms` };

describe('a connection of the sender', () => {
  let stage: WebhooksStage;
  let server: EndpointServer;
  const servers: { stop(): Promise<void> }[] = [];
  const start = async (env?: Readonly<Record<string, string>>) => {
    [stage, server] = await Promise.all([WebhooksStage.start(env), EndpointServer.start()]);
    servers.push(server);
  };
  const startImpatient = () => start({ WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS) });
  afterEach(async () => {
    jest.restoreAllMocks();
    await stage.end();
    await Promise.all(servers.splice(0).map((one) => one.stop()));
  });

  /** The first attempt of a test event to the endpoint. */
  const attempted = async (endpoint: { id: string }) => {
    await stage.send({ method: 'POST', url: `/v2/notification_webhooks/${endpoint.id}/test` });
    const { attempts } = await stage.delivery(endpoint, (delivery) => delivery.attempts.length === 1);
    return attempts[0];
  };
  const durationOf = (attempt: unknown) => (attempt as { duration_ms: number }).duration_ms;

  it('is reused for one delivery after the other, with and without a body in the response', async () => {
    await start();
    server.answers(204, 200, 204, 200, 204);
    const endpoint = await stage.endpoint(server.url);
    for (let count = 1; count <= 5; count += 1) {
      const { id } = await stage.publish();
      await stage.delivery(endpoint, ({ event, attempts }) => event === id && attempts.length === 1);
    }
    expect(server.hits).toHaveLength(5);
    expect(server.connections).toBe(1);
  });

  it('is given up at the time-out when the lookup of its host never responds', async () => {
    // given
    await startImpatient();
    const endpoint = await stage.endpoint(server.url.replace('127.0.0.1', 'localhost'));
    const { lookup } = stage.service.app.get(WebhookTarget);
    const asked = jest.spyOn(lookup, 'addressesOf').mockReturnValue(Promise.withResolvers<never>().promise);
    // when
    const attempt = await attempted(endpoint);
    // then
    expect(asked).toHaveBeenCalledWith('localhost');
    expect(attempt).toMatchObject(NO_ANSWER);
    expect(durationOf(attempt)).toBeLessThan(TIMEOUT_MS + LATE_MS);
    expect(server.connections).toBe(0);
  });

  it('is given up at the time-out when it is never established', async () => {
    await startImpatient();
    const full = await FullServer.start();
    servers.push(full);
    const attempt = await attempted(await stage.endpoint(full.url));
    expect(attempt).toMatchObject(NO_ANSWER);
    expect(durationOf(attempt)).toBeLessThan(TIMEOUT_MS + LATE_MS);
  });
});
