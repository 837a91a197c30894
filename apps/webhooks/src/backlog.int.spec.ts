import { waitFor } from '@fundrail/testing';
import pg from 'pg';
import { BACKLOG_BATCH } from './delivery/backlog.repository.ts';
import { insertAndDeliverEvents } from './event/event.repository.ts';
import { newEventRow } from './event/event.ts';
import { EndpointServer } from './testing/endpoint-server.ts';
import { queryableOf } from './testing/queryable-of.ts';
import { testEvent, WebhooksStage } from './testing/webhooks-stage.ts';

const MINUTE = 60_000;
/** Two statements and a half. */
const MANY = 2.5 * BACKLOG_BATCH;

describe('pending deliveries of an endpoint', () => {
  let stage: WebhooksStage;
  let server: EndpointServer;
  let other: pg.Client;
  let endpoint: { id: string };
  beforeEach(async () => {
    [stage, server] = await Promise.all([WebhooksStage.start(), EndpointServer.start()]);
    other = new pg.Client({ connectionString: stage.databaseUrl });
    await other.connect();
    server.answers(500);
    endpoint = await stage.endpoint(server.url);
    await stage.publish();
    await stage.delivery(endpoint, ({ attempts }) => attempts.length === 1);
  });
  afterEach(async () => {
    await other.end();
    await stage.end();
    await server.stop();
  });

  /** Adds copies of the failed delivery, each of a different object, due tomorrow. An id starts with its time, which retention reads. */
  const pileUp = (count: number) =>
    other.query(
      `INSERT INTO webhook_deliveries
       SELECT (jsonb_populate_record(d, jsonb_build_object('id', left(d.id, 16) || lpad(n::text, 20, '0'), 'subject', n::text, 'due_at', d.due_at + interval '1 day'))).*
         FROM webhook_deliveries d, generate_series(1, ${count}) n WHERE d.webhook = $1`,
      [endpoint.id],
    );
  const count = async (condition: string) => {
    const text = `SELECT count(*)::int AS n FROM webhook_deliveries WHERE webhook = $1 AND ${condition}`;
    return (await other.query<{ n: number }>(text, [endpoint.id])).rows[0]?.n;
  };
  const put = (body: object) =>
    stage.send({ method: 'PUT', url: `/v2/notification_webhooks/${endpoint.id}`, body });
  const untilGivenUp = (code: string, all: number) =>
    waitFor(async () => (await count(`status = 'failed' AND failure_code = '${code}'`)) === all, {
      what: 'all to be given up',
    });

  it('given more than one batch, then all are given up, and none is sent when the endpoint is enabled', async () => {
    await pileUp(MANY);
    await put({ status: 'disabled' });
    await untilGivenUp('endpoint_disabled', MANY + 1);
    server.answers(204);
    const sent = server.hits.length;
    expect((await put({ status: 'enabled' })).status).toBe(200);
    await stage.publish();
    await stage.delivery(endpoint, ({ status }) => status === 'delivered');
    expect(server.hits).toHaveLength(sent + 1);
  });

  it('given the endpoint is deleted, then all are given up', async () => {
    await pileUp(MANY);
    await stage.send({ method: 'DELETE', url: `/v2/notification_webhooks/${endpoint.id}` });
    await untilGivenUp('endpoint_deleted', MANY + 1);
  });

  it('given another transaction holds one, then disabling does not wait, and enabling is refused until it is given up', async () => {
    await other.query('BEGIN');
    await other.query('SELECT FROM webhook_deliveries WHERE webhook = $1 FOR UPDATE', [endpoint.id]);
    expect((await put({ status: 'disabled' })).status).toBe(200);
    expect((await put({ status: 'enabled' })).body['error']).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await other.query('COMMIT');
    expect((await put({ status: 'enabled' })).status).toBe(200);
    expect(await count("status = 'pending'")).toBe(0);
  });

  it('given an event that was being stored while it was disabled, then its delivery is given up a minute later', async () => {
    const now = await stage.service.database.now();
    const event = { ...testEvent(), data_text: '{}', traceparent: null };
    await other.query('BEGIN');
    const row = newEventRow(event, now);
    expect(await insertAndDeliverEvents(queryableOf(other), [row], now)).toBe(1);
    await put({ status: 'disabled' });
    // The first check has found nothing; the next one is a minute later.
    const planned =
      "SELECT FROM due_work WHERE kind = 'webhook.give_up' AND leased_until IS NULL AND due_at > $1";
    await waitFor(
      async () => (await other.query(planned, [await stage.service.database.now()])).rowCount === 1,
      { what: 'the first check' },
    );
    await other.query('COMMIT');
    expect(await count("status = 'pending'")).toBe(1);
    await stage.advance(MINUTE);
    await untilGivenUp('endpoint_disabled', 2);
    const left = "SELECT FROM due_work WHERE kind = 'webhook.give_up'";
    await waitFor(async () => (await other.query(left)).rowCount === 0, { what: 'no check to be left' });
  });

  it('given more than one batch, then a success makes all due', async () => {
    await pileUp(MANY);
    server.answers(204);
    // Past the second pause too (5 min): on a busy machine the first retry has failed already.
    await stage.advance(10 * MINUTE);
    await waitFor(async () => (await count('planned_at IS NULL')) === 1, { what: 'all to be hastened' });
  });

  it('given more than one batch, then a new URL makes all due, whether hastened before or not', async () => {
    await pileUp(MANY);
    await other.query('UPDATE webhook_deliveries SET planned_at = due_at WHERE webhook = $1', [endpoint.id]);
    const moved = await EndpointServer.start();
    await put({ url: moved.url });
    const tomorrow = "due_at > created_at + interval '23 hours'";
    await waitFor(async () => (await count(tomorrow)) === 0, { what: 'all to be hastened' });
    await moved.stop();
  });
});
