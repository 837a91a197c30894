import { appendEvents } from '@fundrail/messaging';
import { metricReader, waitFor } from '@fundrail/testing';
import { scheduleDue } from '../due.ts';
import type { RunningService } from '../index.ts';
import { PlayedBus } from '../testing/played-bus.ts';
import { startNotes, type NotesStage } from '../testing/start-notes.ts';

const MINUTE_MS = 60_000;

describe('the metrics of a service', () => {
  let bus: PlayedBus;
  let stage: NotesStage;
  let service: RunningService;
  beforeEach(async () => {
    bus = new PlayedBus();
    stage = await startNotes({ bus, listen: true, env: { OPS_PORT: '0' } });
    service = stage.service;
  });
  afterEach(() => stage.end());

  const answer = () => fetch(`${service.opsUrl}/metrics`);
  /** The value of one time series; null when it is not exported. The labels as in the export, without the service's. */
  const valueOf = async (name: string, labels = ''): Promise<number | null> => {
    const text = await (await answer()).text();
    const series = `${name}{${[labels, `service="orders"`].filter(Boolean).join(',')}} `;
    const line = text.split('\n').find((one) => one.startsWith(series));
    return line === undefined ? null : Number(line.slice(series.length));
  };
  const appended = (id: string) =>
    service.database.transaction((tx) =>
      appendEvents(tx, [
        {
          ...{ id, type: 'payment.pending', version: 1, tenant: 'demo', aggregate_id: '1', sequence: 1 },
          ...{ data: '{}', traceparent: null, occurred_at: tx.now },
        },
      ]),
    );

  it('are exported in the format of Prometheus, for the service and its process', async () => {
    const response = await answer();
    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    const text = await response.text();
    expect(text).toContain('# TYPE http_server_request_duration_seconds histogram');
    expect(text).toMatch(/^process_cpu_seconds_total \d/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
  });

  it('count requests by route, without the ids in their paths', async () => {
    const { fastify } = service;
    const headers = { authorization: await stage.issuer.header() };
    for (const id of ['4711', '4712']) await fastify.inject({ url: `/v2/notes/${id}`, headers });
    await fastify.inject({ url: '/nowhere/4713' });
    const count = 'http_server_request_duration_seconds_count';
    const of = (route: string, status: number) =>
      valueOf(count, `http_request_method="GET",http_route="${route}",http_response_status_code="${status}"`);
    expect([await of('/v2/notes/:id', 200), await of('unknown', 404)]).toEqual([2, 1]);
    expect(await (await answer()).text()).not.toMatch(/="[^"]*471/);
  });

  it('show how late due work is, and how it ended', async () => {
    const ends = ['done', 'later', 'failed'] as const;
    service.dueWorker.addHandler({
      kind: 'tried',
      handle: ({ key }) => {
        if (key === 'failed') throw new Error('broken');
        return Promise.resolve(key === 'done' ? 'done' : 'later');
      },
    });
    const held = Promise.withResolvers<'done'>();
    service.dueWorker.addHandler({ kind: 'held', handle: () => held.promise });
    await service.database.transaction(async (tx) => {
      for (const key of ends) await scheduleDue(tx, { kind: 'tried', key, tenant: 'demo', due_at: tx.now });
      const due_at = new Date(tx.now.getTime() - MINUTE_MS);
      await scheduleDue(tx, { kind: 'held', key: 'k', tenant: 'demo', due_at });
    });
    const ended = (result: string) =>
      valueOf('fundrail_due_work_ended_total', `kind="tried",result="${result}"`);
    for (const end of ends) await waitFor(async () => ((await ended(end)) ?? 0) >= 1, { what: end });
    expect(await valueOf('fundrail_due_work_lag_seconds', 'kind="held"')).toBeGreaterThanOrEqual(60);
    // Work of a lane in batches has no handler.
    await service.database.transaction((tx) =>
      scheduleDue(tx, {
        kind: 'batched',
        key: 'k',
        tenant: 'demo',
        due_at: new Date(tx.now.getTime() - 2 * MINUTE_MS),
      }),
    );
    expect(await valueOf('fundrail_due_work_lag_seconds', 'kind="batched"')).toBeGreaterThanOrEqual(120);
    held.resolve('done');
    await waitFor(async () => (await valueOf('fundrail_due_work_lag_seconds', 'kind="held"')) === 0);
  });

  it('show the events in outbox and bus, and the parked ones', async () => {
    await appended('evt_1');
    await waitFor(async () => (await valueOf('fundrail_outbox_published_events_total')) === 1);
    bus.waiting = 7;
    expect(await valueOf('fundrail_events_unconsumed')).toBe(7);
    expect(await valueOf('fundrail_outbox_unpublished_events')).toBe(0);
    expect(await valueOf('fundrail_events_parked')).toBe(0);
    await service.database.query({
      name: 'test.park',
      text: `INSERT INTO parked_events (consumer_group, event_id, topic, aggregate_id, sequence, envelope, status, tries)
             VALUES ('orders', 'evt_2', 'payment', '2', 1, '{}', 'failed', 5)`,
    });
    expect(await valueOf('fundrail_events_parked')).toBe(1);
  });

  it('are complete for two scrapes at the same time', async () => {
    const texts = await Promise.all([answer(), answer()].map(async (response) => (await response).text()));
    const counted = texts.map((text) => text.match(/^fundrail_database_connections{/gm)?.length);
    expect(counted).toEqual([3, 3]);
  });

  it('show the pool, and how many callers wait for a connection', async () => {
    const connections = (state: string) => valueOf('fundrail_database_connections', `state="${state}"`);
    await waitFor(async () => ((await connections('idle')) ?? 0) > 0, { what: 'an idle connection' });
    expect(await connections('waiting')).toBe(0);
  });

  it('show how long callers have waited that found no idle connection', async () => {
    const single = await stage.replica({ bus: null, env: { OPS_PORT: '0', DATABASE_POOL_SIZE: '1' } });
    const waits = () =>
      metricReader(single.opsUrl)('fundrail_database_connection_wait_seconds_count', { service: 'orders' });
    const held = Promise.withResolvers<void>();
    const first = single.database.transaction(() => held.promise);
    const second = single.database.now();
    await waitFor(() => single.database.connections().waiting > 0, { what: 'a caller that waits' });
    held.resolve();
    await Promise.all([first, second]);
    expect(await waits()).toBeGreaterThanOrEqual(1);
    await single.stop();
  });

  it('show how long the event loop was blocked', async () => {
    const longest = () => metricReader(service.opsUrl)('nodejs_eventloop_lag_max_seconds');
    await longest();
    const until = performance.now() + 200;
    while (performance.now() < until);
    expect(await longest()).toBeGreaterThan(0.1);
  });

  it('leave out what does not answer in time, and show the rest', async () => {
    const late = Promise.withResolvers<number>();
    let lookups = 0;
    bus.unconsumed = () => {
      lookups += 1;
      return late.promise;
    };
    expect(await valueOf('fundrail_events_unconsumed')).toBeNull();
    // The first look-up has not ended, so no second one is started.
    expect(await valueOf('fundrail_events_unconsumed')).toBeNull();
    expect(lookups).toBe(1);
    late.resolve(7);
    expect(await valueOf('fundrail_events_unconsumed')).toBe(7);
    bus.unconsumed = () => Promise.reject(new Error('the broker does not answer'));
    expect(await valueOf('fundrail_events_unconsumed')).toBeNull();
    expect(await valueOf('fundrail_lookups_failed_total')).toBe(4);
    expect(await valueOf('fundrail_outbox_unpublished_events')).toBe(0);
  });
});
