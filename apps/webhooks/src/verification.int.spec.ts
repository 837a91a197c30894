import { waitFor } from '@fundrail/testing';
import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { answerRightly, ChallengedServer } from './testing/challenged-server.ts';
import { Developer } from './testing/developer.ts';
import type { Hit } from './testing/endpoint-server.ts';
import { VerificationStage } from './testing/verification-stage.ts';

/** A tenant whose endpoints are verified, and one whose are not. */
const ON = 'careful';
const OFF = 'demo';

describe('endpoints of a tenant with verify_endpoints', () => {
  let stage: VerificationStage;
  let server: ChallengedServer;
  beforeAll(async () => {
    stage = await VerificationStage.start();
  });
  afterAll(() => stage.end());
  beforeEach(async () => {
    stage.verifies(ON, true);
    server = await ChallengedServer.start();
  });
  // Each test has its own endpoints and challenges.
  afterEach(async () => {
    await Promise.all([stage.webhooks.removeEndpoints(ON), stage.webhooks.removeEndpoints(OFF)]);
    await stage.deleteChallenges();
    await server.stop();
  });

  it('given that the setting is off, then no challenge is sent, and events are sent as usual (HOOK-31)', async () => {
    const endpoint = await stage.webhooks.endpoint(server.url, ['*'], OFF);
    const { id } = await stage.webhooks.publish({ tenant: OFF });
    await waitFor(() => server.events.length === 1);
    expect(server.events[0]?.headers['webhook-id']).toBe(id);
    expect(server.challenges).toEqual([]);
    expect(await stage.shown(endpoint, OFF)).toMatchObject({
      status: 'enabled',
      verification: 'not_required',
      verification_error: null,
    });
    // and: a request to verify has no effect
    expect((await stage.verify(endpoint, OFF)).body).toMatchObject({ verification: 'not_required' });
    expect(server.challenges).toEqual([]);
  });

  it('get no event before they answered, and all later ones; a replay sends the missed ones (HOOK-29, HOOK-31, HOOK-34)', async () => {
    // given: a slow endpoint
    const held = Promise.withResolvers<ServerResponse>();
    const given: string[] = [];
    server.whenChallenged((challenge, response) => {
      given.push(challenge);
      held.resolve(response);
    });
    const endpoint = await stage.webhooks.endpoint(server.url, ['*'], ON);
    expect(await stage.shown(endpoint, ON)).toMatchObject({ verification: 'pending_verification' });
    const response = await held.promise;
    // when
    const before = await stage.webhooks.publish({ tenant: ON, occurred_at: new Date().toISOString() });
    const test = { method: 'POST' as const, tenant: ON, url: `${stage.path(endpoint)}/test` };
    expect((await stage.webhooks.send(test)).status).toBe(409);
    answerRightly(given[0] ?? '', response);
    await stage.until(endpoint, ON, 'verified');
    const after = await stage.webhooks.publish({ tenant: ON });
    // then
    await waitFor(() => server.events.length === 1);
    expect(server.events[0]?.headers['webhook-id']).toBe(after.id);
    expect(server.challenges).toHaveLength(1);
    // and
    const [from, to] = [Date.now() - 3_600_000, Date.now() + 60_000].map((ms) => new Date(ms).toISOString());
    const replay = { tenant: ON, url: `${stage.path(endpoint)}/replay`, body: { from, to } };
    expect((await stage.webhooks.send(replay)).status).toBe(202);
    await waitFor(() => server.events.some(({ headers }) => headers['webhook-id'] === before.id));
  });

  it('get a challenge that is signed like any webhook, and is new each time (HOOK-30)', async () => {
    server.whenChallenged((_challenge, response) => void response.writeHead(500).end());
    const endpoint = await stage.webhooks.endpoint(server.url, ['payment.*'], ON);
    await stage.until(endpoint, ON, 'pending_verification', /answered with 500/);
    expect((await stage.verify(endpoint, ON)).status).toBe(200);
    await waitFor(() => server.challenges.length === 2);
    const bodies = server.challenges.map(
      ({ raw, headers }) => new Webhook(endpoint.secret).verify(raw, headers) as Record<string, unknown>,
    );
    expect(bodies[0]).toMatchObject({
      id: expect.stringMatching(/^whc_[0-9a-f]{32}$/),
      type: 'notification_webhook.challenge',
      data: { challenge: expect.stringMatching(/^[\w-]{43}$/), object: { id: endpoint.id } },
    });
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(2);
    expect(new Set(bodies.map(({ data }) => (data as { challenge: string }).challenge)).size).toBe(2);
    // and: the database does not contain the text of a challenge
    const rows = await stage.rows();
    const kept = [rows, ...stage.webhooks.lines].join('\n');
    for (const { data } of bodies) expect(kept).not.toContain((data as { challenge: string }).challenge);
  });

  const wrong: [string, (challenge: string, response: ServerResponse, hit: Hit) => void, RegExp][] = [
    ['with another text', (_, response) => void response.end('{"challenge":"x"}'), /is not the challenge/],
    ['with what it received', (_, response, hit) => void response.end(hit.raw), /is not the challenge/],
    [
      'with a status that is none of 2xx',
      (challenge, response) => void response.writeHead(404).end(challenge),
      /answered with 404/,
    ],
    [
      'from elsewhere',
      (_, response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
      /answered with 302/,
    ],
    [
      'behind more than 4 KiB',
      (challenge, response) => void response.end(`${' '.repeat(5_000)}${challenge}`),
      /is not the challenge/,
    ],
  ];
  /** The endpoint stays unverified, and gets one challenge and no event. */
  const expectUnverified = async (of: VerificationStage, error: RegExp) => {
    const endpoint = await of.webhooks.endpoint(server.url, ['*'], ON);
    await of.until(endpoint, ON, 'pending_verification', error);
    await of.webhooks.publish({ tenant: ON });
    expect(await of.webhooks.deliveries(endpoint, '', ON)).toEqual([]);
    expect(server.server.hits).toHaveLength(1);
  };
  it.each(wrong)('that answer %s are not verified, and get no event (HOOK-34)', async (_, answer, error) => {
    server.whenChallenged(answer);
    await expectUnverified(stage, error);
  });

  it('that never answer are not verified, and get no event (HOOK-34)', async () => {
    const impatient = await VerificationStage.start({ WEBHOOK_TIMEOUT_MS: '3000' });
    impatient.verifies(ON, true);
    server.whenChallenged(() => undefined);
    await expectUnverified(impatient, /no answer within 3000 ms/);
    await impatient.end();
  });

  it('are verified by the challenge as plain text', async () => {
    server.whenChallenged((challenge, response) => void response.end(challenge));
    await stage.until(await stage.webhooks.endpoint(server.url, ['*'], ON), ON, 'verified');
  });

  it('given that five challenges were not answered, then verification has failed, and a new request starts over (HOOK-31, HOOK-32)', async () => {
    server.whenChallenged((_, response) => void response.writeHead(500).end());
    const endpoint = await stage.webhooks.endpoint(server.url, ['*'], ON);
    for (let count = 1; count <= 5; count += 1) {
      await waitFor(() => server.challenges.length === count);
      await stage.untilRecorded(endpoint);
      await stage.deleteChallenges();
      await stage.webhooks.advance(31 * 60_000);
    }
    await stage.until(endpoint, ON, 'verification_failed', /answered with 500/);
    // when
    server.whenChallenged(answerRightly);
    expect((await stage.verify(endpoint, ON)).body).toMatchObject({ verification: 'pending_verification' });
    // then
    await stage.until(endpoint, ON, 'verified');
    // and: a verified endpoint gets no challenge
    expect((await stage.verify(endpoint, ON)).body).toMatchObject({ verification: 'verified' });
    expect(server.challenges).toHaveLength(6);
  });

  it('given that the setting is switched on later, then existing endpoints stay verified until their URL changes (HOOK-29, HOOK-35)', async () => {
    // given
    stage.verifies(ON, false);
    const endpoint = await stage.webhooks.endpoint(server.url, ['*'], ON);
    stage.verifies(ON, true);
    await stage.webhooks.publish({ tenant: ON });
    await waitFor(() => server.events.length === 1);
    expect(server.challenges).toEqual([]);
    // when
    const url = `${server.url}/other`;
    await stage.webhooks.send({ method: 'PUT', url: stage.path(endpoint), body: { url }, tenant: ON });
    // then
    await stage.until(endpoint, ON, 'verified');
    expect(server.challenges).toHaveLength(1);
  });

  it('given that the setting is switched off, when a pending endpoint is verified again, then it is released', async () => {
    server.whenChallenged((_, response) => void response.writeHead(500).end());
    const endpoint = await stage.webhooks.endpoint(server.url, ['*'], ON);
    await stage.until(endpoint, ON, 'pending_verification', /answered with 500/);
    stage.verifies(ON, false);
    expect((await stage.verify(endpoint, ON)).body).toMatchObject({
      verification: 'not_required',
      verification_error: null,
    });
    await stage.webhooks.publish({ tenant: ON });
    await waitFor(() => server.events.length === 1);
  });

  it('given that identity does not respond, then no new URL is accepted, and an existing endpoint can be disabled', async () => {
    const endpoint = await stage.webhooks.endpoint(server.url, ['*'], ON);
    stage.webhooks.issuer.silent = true;
    const url = '/v2/notification_webhooks';
    const made = await stage.webhooks.send({ url, body: { url: server.url, event: '*' }, tenant: ON });
    const put = (body: object) =>
      stage.webhooks.send({ method: 'PUT', url: stage.path(endpoint), body, tenant: ON });
    const moved = await put({ url: `${server.url}/other` });
    const disabled = await put({ url: server.url, status: 'disabled' });
    const asked = await stage.verify(endpoint, ON);
    stage.webhooks.issuer.silent = false;
    expect([made.status, moved.status, disabled.status, asked.status]).toEqual([503, 503, 200, 503]);
  });

  it('given another tenant, when it requests verification, then the endpoint is not found', async () => {
    const endpoint = await stage.webhooks.endpoint(server.url, ['*'], ON);
    expect((await stage.verify(endpoint, OFF)).status).toBe(404);
    expect((await stage.verify({ id: 'nwh_unknown' }, ON)).status).toBe(404);
  });

  it('given the dashboard, then it shows what is missing, and resends the challenge', async () => {
    server.whenChallenged((_, response) => void response.writeHead(500).end());
    const endpoint = await stage.webhooks.endpoint(server.url, ['*'], ON);
    await stage.until(endpoint, ON, 'pending_verification', /answered with 500/);
    const developer = Developer.of(stage.webhooks, ON);
    const page = `/webhooks/endpoints/${endpoint.id}`;
    const { text } = await developer.get(page);
    expect(text).toContain('<span class="state warn">Not verified</span>');
    expect(text).toContain('Last result: the challenge was answered with 500, not with 2xx.');
    expect(text).not.toContain('Send test event');
    // when
    server.whenChallenged(answerRightly);
    const sent = await developer.post(`${page}/verify`);
    // then
    expect([sent.status, sent.headers['location']]).toEqual([303, page]);
    await stage.until(endpoint, ON, 'verified');
    expect((await developer.get(page)).text).toContain('Send test event');
  });
});
