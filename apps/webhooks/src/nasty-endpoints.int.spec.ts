import { waitFor } from '@fundrail/testing';
import { EndpointServer } from './testing/endpoint-server.ts';
import { NASTY, NastyServer } from './testing/nasty-server.ts';
import { WebhooksStage, type ShownDelivery } from './testing/webhooks-stage.ts';

/** Of the endpoints that end nothing by themselves. A busy machine has read what they send first long before. */
const TIMEOUT_MS = 2_000;
/** The extra time for recording on a busy machine, beyond the time-out. */
const LATE_MS = 3_000;
/**
 * No answer takes this long on a busy machine: an endpoint that ends its connection by itself fails for that reason, and no delivery to
 * one that behaves well is sent twice.
 */
const PATIENT_TIMEOUT_MS = 30_000;

const servers: { stop(): Promise<void> }[] = [];
const started = async <T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
  const server = await starting;
  servers.push(server);
  return server;
};
/** Before the end of webhooks, which waits for its last calls. */
const stopServers = () => Promise.all(servers.splice(0).map((server) => server.stop()));

describe('an endpoint that', () => {
  let impatient: WebhooksStage;
  let patient: WebhooksStage;
  beforeAll(async () => {
    [impatient, patient] = await Promise.all([
      WebhooksStage.start({ WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS) }),
      WebhooksStage.start({ WEBHOOK_TIMEOUT_MS: String(PATIENT_TIMEOUT_MS) }),
    ]);
  });
  afterAll(async () => {
    await stopServers();
    await Promise.all([impatient.end(), patient.end()]);
  });

  /** The first attempt of a test event to the endpoint. */
  const attempted = async (
    stage: WebhooksStage,
    url: string,
  ): Promise<ShownDelivery['attempts'][number] & { duration_ms: number }> => {
    const endpoint = await stage.endpoint(url, ['payment.*']);
    await stage.send({ method: 'POST', url: `/v2/notification_webhooks/${endpoint.id}/test` });
    const { attempts } = await stage.delivery(endpoint, ({ attempts: made }) => made.length === 1);
    const [attempt] = attempts as { status: null; error: null; response_body: null; duration_ms: number }[];
    if (!attempt) throw new Error('no attempt');
    return attempt;
  };

  const silence = `no answer within ${TIMEOUT_MS} ms`;
  it.each<keyof typeof NASTY>([
    'never answers',
    'sends the status line and no more',
    'sends its headers a byte at a time',
  ])(`%s has failed: ${silence}`, async (what) => {
    const attempt = await attempted(impatient, (await started(NastyServer.start(NASTY[what]))).url);
    expect(attempt).toMatchObject({ status: null, error: silence });
    expect(attempt.duration_ms).toBeLessThan(TIMEOUT_MS + LATE_MS);
  });

  it.each<[keyof typeof NASTY, string]>([
    ['closes at once', 'the connection was closed before the answer was complete (UND_ERR_SOCKET)'],
    ['resets the connection', 'the connection was closed before the answer was complete (ECONNRESET)'],
    ['breaks off in its headers', 'the connection was closed before the answer was complete'],
    ['sends headers without end', 'the headers of the answer are too large (UND_ERR_HEADERS_OVERFLOW)'],
    ['talks no HTTP', 'the answer is not HTTP/1.1'],
  ])('%s has failed: %s', async (what, error) => {
    const attempt = await attempted(patient, (await started(NastyServer.start(NASTY[what]))).url);
    expect(attempt).toMatchObject({ status: null, error: expect.stringContaining(error) });
    expect(attempt.duration_ms).toBeLessThan(TIMEOUT_MS + LATE_MS);
  });

  // The status decides. The part of the body that arrived in time is stored.
  it.each<[keyof typeof NASTY, RegExp, () => WebhooksStage]>([
    ['sends a body a byte at a time', /^x{1,100}$/, () => impatient],
    ['sends 1 GB', /^y{4096}$/, () => patient],
    ['promises a body and breaks off', /^half$/, () => patient],
  ])('%s has accepted the webhook: %s', async (what, body, stage) => {
    const server = await started(NastyServer.start(NASTY[what]));
    const attempt = await attempted(stage(), server.url);
    expect(attempt).toMatchObject({ status: 200, error: null, response_body: expect.stringMatching(body) });
    expect(attempt.duration_ms).toBeLessThan(TIMEOUT_MS + LATE_MS);
    // The connection is closed, and no more was written than fits into the buffers.
    await waitFor(() => server.open === 0);
    expect(server.flooded).toBeLessThan(64 * 2 ** 20);
  });

  it.each([
    ['has a self-signed certificate', () => NastyServer.startSelfSigned(), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['has no TLS', () => NastyServer.startWithoutTls(), 'the TLS handshake failed'],
  ])('%s fails with a named reason', async (_what, start, error) => {
    const attempt = await attempted(patient, (await started(start())).url);
    expect(attempt).toMatchObject({ status: null, error: expect.stringContaining(error) });
  });
});

describe('a well-behaved endpoint', () => {
  let stage: WebhooksStage;
  beforeAll(async () => {
    stage = await WebhooksStage.start({ WEBHOOK_TIMEOUT_MS: String(PATIENT_TIMEOUT_MS) });
  });
  afterAll(async () => {
    await stopServers();
    await stage.end();
  });

  it('receives all its events while the others of its client fail in every way', async () => {
    // given
    const tenant = { tenant: 'nasty' };
    for (const does of Object.values(NASTY))
      await stage.endpoint((await started(NastyServer.start(does))).url, ['*'], tenant.tenant);
    const lively = await started(EndpointServer.start());
    await stage.endpoint(lively.url, ['*'], tenant.tenant);
    // when
    const events = await Promise.all(Array.from({ length: 30 }, () => stage.publish(tenant)));
    // then
    await waitFor(() => lively.hits.length === events.length);
    const came = lively.hits.map((hit) => hit.headers['webhook-id']);
    expect(new Set(came)).toEqual(new Set(events.map(({ id }) => id)));
    expect(came).toHaveLength(events.length);
  });
});
