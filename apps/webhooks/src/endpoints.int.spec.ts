import fc from 'fast-check';
import { EndpointServer } from './testing/endpoint-server.ts';
import { WebhooksStage, type Sent } from './testing/webhooks-stage.ts';

const UNKNOWN = '0193a1b2c3d47e5f8a9b0c1d2e3f4a5b';
const PATH = '/v2/notification_webhooks';

describe('notification webhooks', () => {
  let stage: WebhooksStage;
  let server: EndpointServer;
  beforeAll(async () => {
    stage = await WebhooksStage.start();
    server = await EndpointServer.start();
  });
  afterAll(async () => {
    await stage.end();
    await server.stop();
  });

  const create = (body: object, headers = {}) => stage.send({ url: PATH, body, headers });

  it('are created with a secret that is shown once (HOOK-1, HOOK-3, HOOK-4, CONV-4)', async () => {
    const made = await create({ url: server.url, events: ['payment.*', 'mf_purchase.failed', 'payment.*'] });
    expect(made.body).toEqual({
      object: 'notification_webhook',
      id: expect.stringMatching(/^nwh_[0-9a-f]{32}$/),
      url: server.url,
      event: null,
      events: ['payment.*', 'mf_purchase.failed'],
      status: 'enabled',
      verification: 'not_required',
      verification_error: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      created_at: expect.stringMatching(/\+05:30$/),
      updated_at: expect.any(String),
      disabled_at: null,
      disabled_reason: null,
    });
    const { secret, ...rest } = made.body;
    const read = await stage.send({ url: `${PATH}/${String(rest['id'])}` });
    expect(read.body).toEqual(rest);
    const rows = await stage.service.database.manager.query<unknown[]>(
      'SELECT w::text FROM notification_webhooks w',
    );
    expect(JSON.stringify(rows)).not.toContain(String(secret));
    expect(stage.lines.join('')).not.toContain(String(secret));
  });

  it('show their single event (HOOK-2)', async () => {
    const { body } = await create({ url: server.url, event: 'payment.updated', status: 'disabled' });
    expect(body).toMatchObject({ event: 'payment.updated', events: ['payment.updated'], status: 'disabled' });
  });

  it('are listed newest first, paged, and filtered by their events (HOOK-2, CONV-20, CONV-21)', async () => {
    const one = (await create({ url: server.url, events: ['mf_purchase.*'] })).body;
    const two = (await create({ url: server.url, events: ['mf_purchase.failed'] })).body;
    const ids = async (query: string) => {
      const { body } = await stage.send({ url: `${PATH}?${query}` });
      return (body['data'] as { id: string }[]).map(({ id }) => id);
    };
    expect(await ids('limit=2')).toEqual([two['id'], one['id']]);
    expect(await ids(`limit=1&starting_after=${String(two['id'])}`)).toEqual([one['id']]);
    expect((await ids('event=mf_purchase.failed')).slice(0, 2)).toEqual([two['id'], one['id']]);
    expect(await ids('event=mf_purchase.*')).toEqual([one['id']]);
  });

  it('are changed by PUT, and disabling fails pending deliveries', async () => {
    // given
    const { id } = await stage.endpoint('http://127.0.0.1:9/hooks', ['payment.*']);
    await stage.send({ method: 'POST', url: `${PATH}/${id}/test` });
    // when
    const changed = await stage.send({
      method: 'PUT',
      url: `${PATH}/${id}`,
      body: { status: 'disabled', events: ['*'] },
    });
    // then
    expect(changed.body).toMatchObject({
      status: 'disabled',
      event: '*',
      disabled_reason: 'disabled by the client',
    });
    // An attempt that is being recorded holds its delivery, which is failed a second later.
    await stage.delivery({ id }, ({ status }) => status === 'failed');
    expect(await stage.deliveries({ id })).toMatchObject([
      { status: 'failed', failure_code: 'endpoint_disabled', next_attempt_at: null },
    ]);
    expect((await stage.send({ method: 'POST', url: `${PATH}/${id}/test` })).status).toBe(409);
    const enabled = await stage.send({
      method: 'PUT',
      url: `${PATH}/${id}`,
      body: { status: 'enabled', url: server.url },
    });
    expect(enabled.body).toMatchObject({
      status: 'enabled',
      disabled_at: null,
      disabled_reason: null,
      url: server.url,
    });
  });

  it('send a test event to this endpoint only', async () => {
    const { id } = await stage.endpoint(server.url, ['payment.*']);
    const answer = await stage.send({ method: 'POST', url: `${PATH}/${id}/test` });
    expect(answer.body).toMatchObject({
      object: 'webhook_delivery',
      webhook: id,
      type: 'notification_webhook.test',
    });
    const done = await stage.delivery({ id }, ({ status }) => status === 'delivered');
    expect(done.event).toBe(answer.body['event']);
    const hit = server.hits.find(({ headers }) => headers['webhook-id'] === done.event);
    const { body } = await stage.send({ url: `${PATH}/${id}` });
    expect(JSON.parse(hit?.raw ?? '')).toMatchObject({ data: { object: body, previous_attributes: null } });
  });

  it('are not found after DELETE', async () => {
    const { id } = await stage.endpoint(server.url);
    expect((await stage.send({ method: 'DELETE', url: `${PATH}/${id}` })).body).toEqual({
      object: 'notification_webhook',
      id,
      deleted: true,
    });
    expect((await stage.send({ url: `${PATH}/${id}` })).status).toBe(404);
    expect((await stage.send({ method: 'DELETE', url: `${PATH}/${id}` })).status).toBe(404);
  });

  it('have deliveries that show why each was given up, and the URL of each attempt', async () => {
    // given
    server.answers(500);
    const { id } = await stage.endpoint(server.url, ['payment.*']);
    await stage.send({ method: 'POST', url: `${PATH}/${id}/test` });
    const { id: delivery, event } = await stage.delivery({ id }, ({ attempts }) => attempts.length === 1);
    const url = `/v2/webhook_deliveries/${delivery}`;
    const read = await stage.send({ url });
    const hit = server.hits.find(({ headers }) => headers['webhook-id'] === event);
    expect(read.body).toMatchObject({
      id: delivery,
      failure_code: null,
      attempts: [
        { url: server.url, webhook_timestamp: Number(hit?.headers['webhook-timestamp']), status: 500 },
      ],
    });
    // when
    await stage.send({ method: 'DELETE', url: `${PATH}/${id}` });
    // then
    expect((await stage.send({ url })).body).toMatchObject({
      status: 'failed',
      failure_code: 'endpoint_deleted',
    });
    expect((await stage.send({ url, tenant: 'other' })).status).toBe(404);
    expect((await stage.send({ url: `/v2/webhook_deliveries/whd_${UNKNOWN}` })).status).toBe(404);
  });

  it('are created once for one Idempotency-Key, and the repeated response has no secret (IDEM-11)', async () => {
    const headers = { 'idempotency-key': 'endpoint-1' };
    const [one, two] = [
      await create({ url: server.url, event: '*' }, headers),
      await create({ url: server.url, event: '*' }, headers),
    ];
    expect(two.body).toEqual({
      ...one.body,
      secret: null,
      secret_notice: expect.stringContaining('first response'),
    });
  });

  it('are limited for each tenant, even with concurrent requests, until one is deleted (HOOK-28)', async () => {
    const few = await WebhooksStage.start({ WEBHOOK_ENDPOINT_LIMIT: '2' });
    const ask = () => few.send({ url: PATH, body: { url: server.url, events: ['*'] } });
    const made = await Promise.all([ask(), ask(), ask(), ask(), ask()]);
    expect(made.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422, 422]);
    expect(made.find(({ status }) => status === 422)?.body['error']).toMatchObject({
      status: 422,
      code: 'ENDPOINT_LIMIT_EXCEEDED',
      message: expect.stringContaining('limit of 2 webhook endpoints'),
    });
    await few.endpoint(server.url, ['*'], 'other');
    const [first] = made.filter(({ status }) => status === 200);
    await few.send({ method: 'DELETE', url: `${PATH}/${String(first?.body['id'])}` });
    expect((await ask()).status).toBe(200);
    await few.end();
  });

  it('are not visible to another tenant', async () => {
    const { id } = await stage.endpoint(server.url);
    const event = await stage.publish();
    const routes: Sent[] = [
      { url: `${PATH}/${id}` },
      { method: 'PUT', url: `${PATH}/${id}`, body: { status: 'disabled' } },
      { method: 'DELETE', url: `${PATH}/${id}` },
      { method: 'POST', url: `${PATH}/${id}/test` },
      { method: 'POST', url: `${PATH}/${id}/rotate_secret` },
      { url: `${PATH}/${id}/deliveries` },
      { url: `/v2/events/${event.id}` },
    ];
    const answers = await Promise.all(routes.map((sent) => stage.send({ ...sent, tenant: 'other' })));
    expect(answers.map(({ status }) => status)).toEqual(routes.map(() => 404));
    for (const url of [PATH, '/v2/events'])
      expect((await stage.send({ url, tenant: 'other' })).body['data']).toEqual([]);
  });

  const good = { url: 'https://8.8.8.8/hooks', events: ['*'] };
  const bad: [string, object][] = [
    ['url', { ...good, url: undefined }],
    ['url', { ...good, url: 'http://8.8.8.8/hooks' }],
    ['url', { ...good, url: 'https://10.0.0.1/hooks' }],
    ['url', { ...good, url: 'https://[::ffff:192.168.0.1]/' }],
    ['url', { ...good, url: 'https://user:pass@8.8.8.8/' }],
    ['url', { ...good, url: 'https://does-not-resolve.invalid/' }],
    ['url', { ...good, url: 'hooks' }],
    ['url', { ...good, url: `https://8.8.8.8/${'x'.repeat(2048)}` }],
    ['events', { url: good.url }],
    ['events', { ...good, events: [] }],
    ['events', { ...good, event: '*' }],
    ['events.0', { ...good, events: ['payment.exploded'] }],
    ['events.1', { ...good, events: ['*', 'mf_purchase.consent_recorded'] }],
    ['event', { url: good.url, event: 'nothing.*' }],
    ['status', { ...good, status: 'paused' }],
    ['secret', { ...good, secret: 'mine' }],
  ];
  it.each(bad)('are refused with a bad %s (HOOK-2, HOOK-7, HOOK-8, HOOK-9)', async (field, body) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.body['error']).toMatchObject({ code: 'BAD_REQUEST_ERROR', errors: [{ field }] });
  });

  it('are changed with an unchanged URL although its host no longer resolves', async () => {
    const { id } = await stage.endpoint(server.url);
    const url = 'https://does-not-resolve.invalid/';
    await stage.service.database.manager.query('UPDATE notification_webhooks SET url = $2 WHERE id = $1', [
      id,
      url,
    ]);
    const all = { url, status: 'disabled', events: ['*'] };
    const answer = await stage.send({ method: 'PUT', url: `${PATH}/${id}`, body: all });
    expect([answer.status, answer.body['status']]).toEqual([200, 'disabled']);
    const unknown = await stage.send({ method: 'PUT', url: `${PATH}/nwh_${UNKNOWN}`, body: all });
    expect(unknown.status).toBe(404);
  });

  it('keep their URL when a PUT names a refused one', async () => {
    const { id } = await stage.endpoint(server.url);
    const answer = await stage.send({
      method: 'PUT',
      url: `${PATH}/${id}`,
      body: { url: 'https://127.0.0.2/' },
    });
    expect([answer.status, answer.body['error']]).toEqual([
      400,
      expect.objectContaining({ errors: [expect.objectContaining({ field: 'url' })] }),
    ]);
    expect((await stage.send({ url: `${PATH}/${id}` })).body['url']).toBe(server.url);
  });

  it.each([
    ['GET', `${PATH}/nwh_${UNKNOWN}`],
    ['GET', `${PATH}/%00`],
    ['GET', `${PATH}/%00/deliveries`],
    ['POST', `/v2/webhook_deliveries/whd_${UNKNOWN}/retry`],
    ['GET', `/v2/events/evt_${UNKNOWN}`],
    ['GET', '/v2/events/constructor'],
  ] as const)('return 404 for %s %s', async (method, url) => {
    expect((await stage.send({ method, url })).status).toBe(404);
  });

  it.each([
    `${PATH}?events=*`,
    `${PATH}?event=x`,
    '/v2/events?type=x',
    '/v2/events?from=yesterday',
    '/v2/events?limit=101',
    '/v2/events?object_id=%00',
  ])('refuse the query %s', async (url) => {
    expect((await stage.send({ url })).status).toBe(400);
  });

  it('respond to no generated body with a 5xx', async () => {
    const field = fc.oneof(fc.constantFrom('url', 'event', 'events', 'status'), fc.string());
    await fc.assert(
      fc.asyncProperty(fc.dictionary(field, fc.jsonValue()), async (body) => {
        expect((await create(body)).status).toBe(400);
      }),
      { numRuns: 100 },
    );
  });
});
