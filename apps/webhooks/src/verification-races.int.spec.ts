import { waitFor } from '@fundrail/testing';
import { answerRightly, ChallengedServer } from './testing/challenged-server.ts';
import { VerificationStage } from './testing/verification-stage.ts';
import { StartChallenge } from './verification/start-challenge.ts';

const TENANT = 'careful';
const OTHER = 'other';

describe('a challenge', () => {
  let stage: VerificationStage;
  let server: ChallengedServer;
  let next: ChallengedServer;
  beforeAll(async () => {
    stage = await VerificationStage.start();
    stage.verifies(TENANT, true);
    stage.verifies(OTHER, true);
  });
  afterAll(() => stage.end());
  beforeEach(async () => {
    [server, next] = await Promise.all([ChallengedServer.start(), ChallengedServer.start()]);
  });
  // Each test has its own endpoints and challenges.
  afterEach(async () => {
    await Promise.all([stage.webhooks.removeEndpoints(TENANT), stage.webhooks.removeEndpoints(OTHER)]);
    await stage.deleteChallenges();
    await Promise.all([server.stop(), next.stop()]);
  });

  const put = (endpoint: { id: string }, body: object) =>
    stage.webhooks.send({ method: 'PUT', url: stage.path(endpoint), body, tenant: TENANT });
  const made = (url = server.url, tenant = TENANT) => stage.webhooks.endpoint(url, ['*'], tenant);
  /** Holds the challenges of a server until the test answers them, oldest first. */
  const hold = (held: ChallengedServer): (() => void)[] => {
    const answers: (() => void)[] = [];
    held.whenChallenged((challenge, response) => answers.push(() => answerRightly(challenge, response)));
    return answers;
  };
  const underWay = (answers: readonly unknown[], count = 1) => waitFor(() => answers.length === count);
  const untilLogged = (words: string) =>
    waitFor(() => stage.webhooks.lines.some((line) => line.includes(words)), { what: words });
  const TOO_LATE = 'the answer to a challenge came too late to count';
  beforeEach(() => void stage.webhooks.lines.splice(0));

  /** Waits until two events of another tenant were sent, one after the other: then everything due before has been checked. */
  const deliveriesWereMade = async () => {
    const other = await ChallengedServer.start();
    await made(other.url, 'unverified');
    for (let count = 1; count <= 2; count += 1) {
      await stage.webhooks.publish({ tenant: 'unverified' });
      await waitFor(() => other.events.length === count);
    }
    await stage.webhooks.removeEndpoints('unverified');
    await other.stop();
  };

  it('given that the URL changed, when the old one responds, then that does not verify the new one', async () => {
    // given
    const [old, fresh] = [hold(server), hold(next)];
    const endpoint = await made();
    await underWay(old);
    await put(endpoint, { url: next.url });
    await underWay(fresh);
    // when
    old[0]?.();
    await untilLogged(TOO_LATE);
    // then
    expect(await stage.shown(endpoint, TENANT)).toMatchObject({ verification: 'pending_verification' });
    fresh[0]?.();
    await stage.until(endpoint, TENANT, 'verified');
  });

  it('given that the URL changed and changed back, then only a challenge since then counts', async () => {
    const answers = hold(server);
    hold(next);
    const endpoint = await made();
    await underWay(answers);
    await put(endpoint, { url: next.url });
    await put(endpoint, { url: server.url });
    await underWay(answers, 2);
    answers[0]?.();
    await untilLogged(TOO_LATE);
    expect(await stage.shown(endpoint, TENANT)).toMatchObject({ verification: 'pending_verification' });
    answers[1]?.();
    await stage.until(endpoint, TENANT, 'verified');
  });

  it('given pending deliveries when the URL changes, then the new URL gets them once it is verified', async () => {
    // given
    server.server.answers(500);
    stage.verifies(TENANT, false);
    const endpoint = await made();
    stage.verifies(TENANT, true);
    const { id } = await stage.webhooks.publish({ tenant: TENANT });
    await waitFor(
      async () => (await stage.webhooks.deliveries(endpoint, '', TENANT))[0]?.attempts.length === 1,
    );
    const answers = hold(next);
    // when
    await put(endpoint, { url: next.url });
    await underWay(answers);
    await stage.webhooks.advance(60_000);
    await deliveriesWereMade();
    expect(next.events).toEqual([]);
    answers[0]?.();
    // then
    await waitFor(() => next.events.length === 1);
    expect(next.events[0]?.headers['webhook-id']).toBe(id);
  });

  it('given pending deliveries for a URL that never answers its challenge, then they are given up with it', async () => {
    // given
    server.server.answers(500);
    stage.verifies(TENANT, false);
    const endpoint = await made();
    stage.verifies(TENANT, true);
    await stage.webhooks.publish({ tenant: TENANT });
    await waitFor(
      async () => (await stage.webhooks.deliveries(endpoint, '', TENANT))[0]?.attempts.length === 1,
    );
    next.server.answers(500);
    // when
    await put(endpoint, { url: next.url });
    for (let count = 1; count <= 5; count += 1) {
      await waitFor(() => next.server.hits.length === count);
      await stage.untilRecorded(endpoint);
      await stage.deleteChallenges();
      await stage.webhooks.advance(31 * 60_000);
    }
    await stage.until(endpoint, TENANT, 'verification_failed');
    // then
    expect(await stage.webhooks.deliveries(endpoint, '', TENANT)).toMatchObject([
      { status: 'failed', failure_code: 'endpoint_unverified' },
    ]);
  });

  it('given that the process died before it recorded the answer, then the endpoint gets another challenge', async () => {
    // given
    const answers = hold(server);
    const endpoint = await made();
    await underWay(answers);
    // when
    await stage.endChallenges();
    await underWay(answers, 2);
    // then: the answer to the first one no longer counts
    answers[0]?.();
    await untilLogged(TOO_LATE);
    expect(await stage.shown(endpoint, TENANT)).toMatchObject({ verification: 'pending_verification' });
    answers[1]?.();
    await stage.until(endpoint, TENANT, 'verified');
  });

  it('given that the endpoint was disabled meanwhile, then nothing follows, and it is challenged when it is enabled', async () => {
    const answers = hold(server);
    const endpoint = await made();
    await underWay(answers);
    await put(endpoint, { status: 'disabled' });
    expect((await stage.verify(endpoint, TENANT)).status).toBe(409);
    answers[0]?.();
    await untilLogged(TOO_LATE);
    expect(await stage.shown(endpoint, TENANT)).toMatchObject({ verification: 'pending_verification' });
    // when
    await stage.endChallenges();
    await put(endpoint, { status: 'enabled' });
    await underWay(answers, 2);
    answers[1]?.();
    await stage.until(endpoint, TENANT, 'verified');
  });

  it('given that the endpoint was deleted meanwhile, then nothing follows', async () => {
    const answers = hold(server);
    const endpoint = await made();
    await underWay(answers);
    await stage.webhooks.removeEndpoints(TENANT);
    answers[0]?.();
    await untilLogged(TOO_LATE);
    expect(server.challenges).toHaveLength(1);
    expect((await stage.shown(endpoint, TENANT))['error']).toMatchObject({ status: 404 });
  });

  it('given repeated requests for one endpoint, then it gets at most three challenges a minute, and none while one is in progress (HOOK-33)', async () => {
    server.whenChallenged((_, response) => void response.writeHead(500).end());
    const endpoint = await made();
    for (let count = 1; count <= 3; count += 1) {
      await waitFor(() => server.challenges.length === count);
      await stage.untilRecorded(endpoint);
      if (count < 3) expect((await stage.verify(endpoint, TENANT)).status).toBe(200);
    }
    const refused = await stage.verify(endpoint, TENANT);
    expect([refused.status, refused.body['error']]).toEqual([
      429,
      expect.objectContaining({ code: 'RATE_LIMITED' }),
    ]);
    // and: a minute later
    await stage.deleteChallenges();
    const answers = hold(server);
    expect((await stage.verify(endpoint, TENANT)).status).toBe(200);
    await underWay(answers);
    expect((await stage.verify(endpoint, TENANT)).status).toBe(200);
    expect((await stage.verify(endpoint, TENANT)).status).toBe(200);
    answers[0]?.();
    await stage.until(endpoint, TENANT, 'verified');
    expect(server.challenges).toHaveLength(4);
  });

  it('given many endpoints at one host, then a tenant sends at most six a minute, deleted endpoints included, and others are not delayed (HOOK-33)', async () => {
    const first = await Promise.all([made(), made(`${server.url}/2`), made(`${server.url}/3`)]);
    for (const endpoint of first) await stage.until(endpoint, TENANT, 'verified');
    await stage.webhooks.removeEndpoints(TENANT);
    const more = await Promise.all(Array.from({ length: 7 }, (_, n) => made(`${server.url}/more/${n}`)));
    await waitFor(() => server.challenges.length === 6);
    const elsewhere = await made(next.url.replace('127.0.0.1', 'localhost'));
    const ofOther = await made(next.url, OTHER);
    await stage.until(elsewhere, TENANT, 'verified');
    await stage.until(ofOther, OTHER, 'verified');
    const states = async () =>
      (await Promise.all(more.map((one) => stage.shown(one, TENANT)))).map((one) => one['verification']);
    await waitFor(async () => (await states()).filter((state) => state === 'verified').length === 3);
    expect(server.challenges).toHaveLength(6);
    // and: automatically, once the limit allows it
    await stage.deleteChallenges();
    await stage.webhooks.advance(61_000);
    await waitFor(async () => (await states()).every((state) => state === 'verified'));
    expect(server.challenges).toHaveLength(10);
  });

  it('given two replicas, then each endpoint is challenged once, and one of two concurrent starts wins', async () => {
    const replica = await stage.webhooks.replica();
    const urls = Array.from({ length: 3 }, (_, n) => `${server.url}/${n}`);
    const endpoints = await Promise.all([
      ...urls.map((url) => made(url)),
      ...urls.map((url) => made(url, OTHER)),
    ]);
    for (const [at, endpoint] of endpoints.entries())
      await stage.until(endpoint, at < urls.length ? TENANT : OTHER, 'verified');
    expect(server.challenges).toHaveLength(endpoints.length);
    // and: both find the same one due
    const workers = [stage.webhooks.service, replica].map(({ dueWorker }) => dueWorker);
    await Promise.all(workers.map((worker) => worker.stop()));
    const { id } = await made(next.url.replace('127.0.0.1', 'localhost'));
    const services = [stage.webhooks.service, replica];
    const started = await Promise.all(services.map(({ app }) => app.get(StartChallenge).execute(TENANT, id)));
    expect(started.filter((one) => one === 'not_due')).toHaveLength(1);
    expect(started.filter((one) => typeof one === 'object')).toHaveLength(1);
    for (const worker of workers) worker.start();
  });
});
