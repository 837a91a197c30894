import { newId } from '@fundrail/contracts';
import { waitFor } from '@fundrail/testing';
import type { ServerResponse } from 'node:http';
import { DELIVERIES_DUE } from './delivery/delivery.repository.ts';
import { findMovingReplay, REPLAYS_DUE } from './replay/webhook-replay.repository.ts';
import { ROOM_BELOW } from './replay/webhook-replay.ts';
import { EndpointServer } from './testing/endpoint-server.ts';
import { WebhooksStage } from './testing/webhooks-stage.ts';

const PATH = '/v2/notification_webhooks';
const AT_ONCE = 2;
/** A failing endpoint gets at most five attempts per second, and its lane runs only every five seconds when idle. */
const LONG = { limitMs: 50_000 };
const DAY = { from: '2026-11-21', to: '2026-11-21' };

describe('a replay', () => {
  let stage: WebhooksStage;
  let server: EndpointServer;
  beforeEach(async () => {
    stage = await WebhooksStage.start({
      WEBHOOK_REPLAY_CONCURRENCY: String(AT_ONCE),
      // An endpoint that is silent stays so until the test ends: none of its deliveries fails meanwhile.
      WEBHOOK_TIMEOUT_MS: '60000',
    });
    server = await EndpointServer.start();
  });
  afterEach(async () => {
    // First: webhooks ends only some seconds after its last call to a silent endpoint.
    await server.stop();
    await stage.end();
  });

  const start = (id: string, body: object, tenant = 'demo') =>
    stage.send({ url: `${PATH}/${id}/replay`, body, tenant });
  const read = async (id: string, replay: unknown) =>
    (await stage.send({ url: `${PATH}/${id}/replays/${String(replay)}` })).body;
  const ended = (id: string, replay: unknown, status = 'completed') =>
    waitFor(async () => {
      stage.service.database.signal(REPLAYS_DUE);
      const body = await read(id, replay);
      return body['status'] === status ? body : null;
    }, LONG);
  const publish = (count: number, over = {}) =>
    Promise.all(Array.from({ length: count }, () => stage.publish(over)));
  const count = async (where: string) => {
    const [row] = await stage.service.database.manager.query<{ n: number }[]>(
      `SELECT count(*)::int AS n FROM webhook_deliveries WHERE ${where}`,
    );
    return row?.n ?? 0;
  };
  /** What is pending has one attempt left, which is due. */
  const lastTryNow = async () => {
    const { database } = stage.service;
    await database.manager.query(
      `UPDATE webhook_deliveries SET tries = 9, due_at = now() WHERE status = 'pending'`,
    );
    database.signal(DELIVERIES_DUE);
  };
  /** Makes the endpoint refuse these events and accept the others. */
  const refuse = (events: readonly ({ readonly id: string } | undefined)[]) => {
    const refused = new Set(events.map((event) => event?.id));
    server.answer = ({ headers }, response) =>
      void response.writeHead(refused.has(String(headers['webhook-id'])) ? 500 : 204).end();
  };
  const ids = () => server.hits.map((hit) => hit.headers['webhook-id']);

  it('sends what an endpoint missed while it was disabled, with the same ids and bytes (HOOK-26, CONV-18)', async () => {
    // given
    const { id } = await stage.endpoint(server.url);
    await stage.send({ method: 'PUT', url: `${PATH}/${id}`, body: { status: 'disabled' } });
    const missed = await publish(3);
    expect((await start(id, DAY)).status).toBe(409);
    await stage.send({ method: 'PUT', url: `${PATH}/${id}`, body: { status: 'enabled' } });
    // when
    const answer = await start(id, DAY);
    // then
    expect([answer.status, answer.body]).toEqual([
      202,
      {
        object: 'webhook_replay',
        id: expect.stringMatching(/^whr_[0-9a-f]{32}$/),
        webhook: id,
        status: 'running',
        from: '2026-11-21T00:00:00.000+05:30',
        to: '2026-11-21T23:59:59.999+05:30',
        events: ['*'],
        matched: 3,
        sent: 0,
        failed: 0,
        created_at: expect.any(String),
        completed_at: null,
      },
    ]);
    expect(await ended(id, answer.body['id'])).toMatchObject({ matched: 3, sent: 3, failed: 0 });
    expect(new Set(ids())).toEqual(new Set(missed.map((event) => event.id)));
    for (const hit of server.hits)
      expect(JSON.parse(hit.raw)).toMatchObject({ id: hit.headers['webhook-id'], object: 'event' });
    expect((await stage.send({ url: `${PATH}/${id}/replays` })).body['data']).toHaveLength(1);
  });

  it('includes only the events of its time and filter, and no test events (HOOK-26)', async () => {
    // given
    const { id } = await stage.endpoint(server.url, ['notification_webhook.*']);
    await stage.send({ method: 'POST', url: `${PATH}/${id}/test` });
    await publish(2);
    await stage.publish({ occurred_at: '2026-11-22T00:00:00.000+05:30' });
    await stage.publish({ tenant: 'other' });
    const matched = async (asked: object) => {
      const { body } = await start(id, asked);
      await ended(id, body['id']);
      return body['matched'];
    };
    // then
    expect(await matched({ ...DAY, events: ['*'] })).toBe(2);
    expect(await matched({ from: DAY.from, to: '2030-01-01' })).toBe(3);
    expect(await matched({ ...DAY, events: ['payment.*'] })).toBe(0);
  });

  it('of more events than a window ends, with given-up events counted separately', async () => {
    const { id } = await stage.endpoint(server.url, ['notification_webhook.*']);
    const events = await publish(130);
    await waitFor(() => server.hits.length === 130);
    refuse([events[60]]);
    const { body } = await start(id, DAY);
    await waitFor(async () => (await read(id, body['id']))['sent'] === 129, LONG);
    expect(await read(id, body['id'])).toMatchObject({ status: 'running', matched: 130, failed: 0 });
    await waitFor(async () => (await count(`status = 'pending' AND lease_token IS NULL`)) === 1);
    await lastTryNow();
    expect(await ended(id, body['id'])).toMatchObject({ matched: 130, sent: 129, failed: 1 });
  });

  it('continues although more than half a window of it is refused', async () => {
    const { id } = await stage.endpoint(server.url);
    await publish(130);
    await waitFor(() => server.hits.length === 130);
    server.answer = () => undefined;
    const { body } = await start(id, DAY);
    const ofReplay = `replay = '${String(body['id'])}'`;
    await waitFor(async () => (await count(ofReplay)) === 100);
    // While none was attempted, there is no room for more.
    expect(await findMovingReplay(stage.service.database, ROOM_BELOW)).toBeNull();
    // As if sixty had been refused and the others accepted: more are pending than the replay may have untried.
    await stage.service.database.manager.query(
      `UPDATE webhook_deliveries d
          SET tries = 1, status = CASE WHEN nth <= 60 THEN 'pending' ELSE 'delivered' END,
              due_at = CASE WHEN nth <= 60 THEN d.due_at END
         FROM (SELECT id, row_number() OVER (ORDER BY id) AS nth FROM webhook_deliveries WHERE ${ofReplay}) of_replay
        WHERE d.id = of_replay.id`,
    );
    await waitFor(async () => {
      stage.service.database.signal(REPLAYS_DUE);
      return (await count(ofReplay)) === 130;
    });
  });

  it('creates no more deliveries while a thousand of it are refused', async () => {
    const { id } = await stage.endpoint(server.url);
    await publish(130);
    await waitFor(() => server.hits.length === 130);
    server.answer = () => undefined;
    const { body } = await start(id, DAY);
    const ofReplay = `replay = '${String(body['id'])}'`;
    await waitFor(async () => (await count(ofReplay)) === 100);
    const { manager } = stage.service.database;
    // As if 901 had been refused: all created ones, and copies of one.
    await manager.query(
      `INSERT INTO webhook_deliveries
       SELECT (jsonb_populate_record(NULL::webhook_deliveries,
                 to_jsonb(d) || jsonb_build_object('id', 'whd_' || lpad(n::text, 32, '0')))).*
         FROM (SELECT * FROM webhook_deliveries WHERE ${ofReplay} LIMIT 1) d, generate_series(1, 801) n`,
    );
    await manager.query(`UPDATE webhook_deliveries SET tries = 1 WHERE ${ofReplay}`);
    expect(await findMovingReplay(stage.service.database, ROOM_BELOW)).toBeNull();
    expect(await count(ofReplay)).toBe(901);
    // One of them is accepted; a copy has the id of an old one, and would be deleted.
    await manager.query(
      `UPDATE webhook_deliveries SET status = 'delivered', due_at = NULL
        WHERE id = (SELECT max(id) FROM webhook_deliveries WHERE ${ofReplay})`,
    );
    await waitFor(async () => {
      stage.service.database.signal(REPLAYS_DUE);
      return (await count(ofReplay)) === 931;
    });
  });

  it('is cancelled by its client: undelivered events are given up, and those in progress may arrive', async () => {
    const { id } = await stage.endpoint(server.url);
    await publish(130);
    await waitFor(() => server.hits.length === 130);
    const open: ServerResponse[] = [];
    server.answer = (_hit, response) => void open.push(response);
    const { body } = await start(id, DAY);
    await waitFor(() => open.length === AT_ONCE);
    const url = `${PATH}/${id}/replays/${String(body['id'])}/cancel`;
    const answer = await stage.send({ method: 'POST', url });
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ status: 'cancelled', sent: 0, completed_at: expect.any(String) }),
    ]);
    expect((await stage.send({ method: 'POST', url })).status).toBe(409);
    expect(await count(`replay IS NOT NULL AND failure_code = 'replay_cancelled'`)).toBe(100);
    open.pop()?.writeHead(204).end();
    open.pop()?.writeHead(500).end();
    await waitFor(async () => (await read(id, body['id']))['sent'] === 1, LONG);
    expect(await read(id, body['id'])).toMatchObject({ status: 'cancelled', failed: 99 });
    expect((await start(id, DAY)).status).toBe(202);
  });

  it('counts a manually retried delivery by the result of the retry', async () => {
    const { id } = await stage.endpoint(server.url);
    const [event] = await publish(3);
    await waitFor(() => server.hits.length === 3);
    refuse([event]);
    const { body } = await start(id, DAY);
    await waitFor(async () => (await read(id, body['id']))['sent'] === 2, LONG);
    await waitFor(async () => (await count(`status = 'pending' AND lease_token IS NULL`)) === 1);
    await lastTryNow();
    expect(await ended(id, body['id'])).toMatchObject({ sent: 2, failed: 1 });
    refuse([]);
    const failed = await stage.send({ url: `${PATH}/${id}/deliveries?status=failed` });
    const [delivery] = failed.body['data'] as { id: string }[];
    const url = `/v2/webhook_deliveries/${delivery?.id}/retry`;
    expect((await stage.send({ method: 'POST', url })).status).toBe(200);
    await waitFor(async () => (await read(id, body['id']))['sent'] === 3, LONG);
    expect(await read(id, body['id'])).toMatchObject({ matched: 3, failed: 0 });
  });

  it('is never ahead of a new event, and never sends more than a few at a time', async () => {
    // given: an endpoint that responds when the test allows it
    const { id } = await stage.endpoint(server.url);
    await publish(20);
    await waitFor(() => server.hits.length === 20);
    const open: ServerResponse[] = [];
    server.answer = (_hit, response) => void open.push(response);
    const answerAll = () => {
      for (const response of open.splice(0)) response.writeHead(204).end();
    };
    const { body } = await start(id, DAY);
    await waitFor(() => open.length === AT_ONCE);
    // when
    const fresh = newId('event');
    await stage.publish({ id: fresh });
    // then: it gets its own slots, while the replay is at its limit
    await waitFor(() => ids().includes(fresh));
    expect(ids().indexOf(fresh)).toBe(20 + AT_ONCE);
    expect(open).toHaveLength(AT_ONCE + 1);
    await waitFor(async () => {
      expect(open.length).toBeLessThanOrEqual(AT_ONCE + 1);
      answerAll();
      return (await read(id, body['id']))['status'] === 'completed';
    });
  });

  it('is the only one to its endpoint until it ends', async () => {
    const { id } = await stage.endpoint(server.url);
    const other = await stage.endpoint(server.url);
    await publish(1);
    await waitFor(() => server.hits.length === 2);
    server.answer = () => undefined;
    const { body } = await start(id, DAY);
    expect([(await start(id, DAY)).status, (await start(other.id, DAY)).status]).toEqual([409, 202]);
    await stage.send({ method: 'PUT', url: `${PATH}/${id}`, body: { status: 'disabled' } });
    await ended(id, body['id'], 'cancelled');
    await stage.send({ method: 'PUT', url: `${PATH}/${id}`, body: { status: 'enabled' } });
    expect((await start(id, DAY)).status).toBe(202);
  });

  it('is cancelled with its endpoint', async () => {
    const { id } = await stage.endpoint(server.url);
    await publish(3);
    await waitFor(() => server.hits.length === 3);
    server.answer = () => undefined;
    const { body } = await start(id, DAY);
    await stage.send({ method: 'PUT', url: `${PATH}/${id}`, body: { status: 'disabled' } });
    expect(await ended(id, body['id'], 'cancelled')).toMatchObject({ matched: 3, sent: 0 });
  });

  it.each([
    ['to', { from: '2026-11-22', to: '2026-11-21' }],
    ['to', { from: '2026-11-22' }],
    ['from', { ...DAY, from: 'yesterday' }],
    ['events.0', { ...DAY, events: ['payment.exploded'] }],
    ['until', { ...DAY, until: '2026-11-21' }],
  ])('is refused with a bad %s', async (field, body) => {
    const { id } = await stage.endpoint(server.url);
    const answer = await start(id, body);
    expect([answer.status, answer.body['error']]).toEqual([
      400,
      expect.objectContaining({ errors: [expect.objectContaining({ field })] }),
    ]);
  });

  it('is not visible to another tenant', async () => {
    const { id } = await stage.endpoint(server.url);
    const { body } = await start(id, DAY);
    const replay = String(body['id']);
    const answers = await Promise.all([
      start(id, DAY, 'other'),
      ...[`${PATH}/${id}/replays`, `${PATH}/${id}/replays/${replay}`].map((url) =>
        stage.send({ url, tenant: 'other' }),
      ),
      stage.send({ method: 'POST', url: `${PATH}/${id}/replays/${replay}/cancel`, tenant: 'other' }),
      stage.send({ url: `${PATH}/${newId('notificationWebhook')}/replays/${replay}` }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });
});
