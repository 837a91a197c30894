import { jest } from '@jest/globals';
import { newOrder } from '@fundrail/providers/testing';
import { Log } from '@fundrail/service-kit';
import { Clock, sql } from '@fundrail/service-kit/db';
import { ServiceClient } from '@fundrail/service-kit/http';
import { waitFor } from '@fundrail/testing';
import pg from 'pg';
import { BusinessClock } from './business-clock.ts';
import { SimulatorStage } from '../testing/simulator-stage.ts';

const HOUR_MS = 3_600_000;
/** How many hold the lock of a move. */
const MOVES = `SELECT count(*)::int AS n FROM pg_locks
  WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

describe("the sandbox's clock", () => {
  let stage: SimulatorStage;
  beforeEach(async () => {
    stage = await SimulatorStage.start();
  });
  afterEach(() => stage.end());

  const played = (name: 'orders' | 'payments' | 'webhooks' | 'identity') => {
    const service = stage.neighbours.services.get(name);
    if (!service) throw new Error(name);
    return service;
  };
  const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);
  const offsets = () => [...stage.neighbours.services.values()].map(({ offsetMs }) => offsetMs);

  it('given steps of several services, when the clock jumps over them, then they are worked in due order, each at its time', async () => {
    played('orders').due = [inHours(5), inHours(1)];
    played('payments').due = [inHours(3), inHours(30)];
    const answer = await stage.post('/sandbox/clock', { advance: 'P1D' });
    expect(answer.status).toBe(200);
    expect(stage.neighbours.worked.map(({ service }) => service)).toEqual(['orders', 'payments', 'orders']);
    expect(played('payments').due).toHaveLength(1);
  });

  it('given a jump, when it has ended, then every service and the answer have the same time', async () => {
    const target = new Date(Date.now() + 48 * HOUR_MS);
    const answer = await stage.post('/sandbox/clock', { now: target.toISOString() });
    expect(new Set(offsets()).size).toBe(1);
    expect(new Date(String(answer.body['now'])).getTime()).toBeGreaterThanOrEqual(target.getTime());
    expect(answer.body['now']).toMatch(/\+05:30$/);
  });

  it('given a time in the past, when it is asked for, then it is a 400 that names the field, and nothing moves', async () => {
    const answer = await stage.post('/sandbox/clock', { now: '2020-01-01T00:00:00+05:30' });
    expect(answer).toMatchObject({ status: 400, body: { error: { errors: [{ field: 'now' }] } } });
    expect(new Set(offsets())).toEqual(new Set([0]));
  });

  it('given calls at the same time, when they are worked, then one after the other', async () => {
    const begin = Date.now();
    const advance = { advance: 'PT1H' };
    const answers = await Promise.all([
      stage.post('/sandbox/clock', advance),
      stage.post('/sandbox/clock', advance),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const latest = Math.max(...answers.map(({ body }) => new Date(String(body['now'])).getTime()));
    expect(latest).toBeGreaterThanOrEqual(begin + 2 * HOUR_MS);
  });

  it('given an endpoint that does not take its delivery, when the clock jumps, then it waits 2 s at most', async () => {
    played('webhooks').stuck = true;
    played('orders').due = [inHours(1), inHours(2), inHours(3)];
    const begin = performance.now();
    expect((await stage.post('/sandbox/clock', { advance: 'P1D' })).status).toBe(200);
    expect(performance.now() - begin).toBeLessThan(4_000);
    expect(stage.neighbours.worked).toHaveLength(3);
  });

  it('given a service that restarts during a jump, when it is asked, then the jump waits for it', async () => {
    played('orders').due = [inHours(1)];
    played('payments').unanswered = 5;
    expect((await stage.post('/sandbox/clock', { advance: 'P1D' })).status).toBe(200);
    expect(played('payments')).toMatchObject({ unanswered: 0, offsetMs: played('orders').offsetMs });
  });

  it('given a jump that failed between two services, when they answer again, then they are aligned', async () => {
    await stage.post('/sandbox/clock', { advance: 'PT1M' });
    const move = stage.neighbours.request.bind(stage.neighbours);
    const refusing = jest.spyOn(stage.neighbours, 'request').mockImplementation((service, request) => {
      const isRefused = service === 'payments' && request.path === '/internal/sandbox/clock';
      return isRefused ? Promise.reject(new Error('silent')) : move(service, request);
    });
    expect((await stage.post('/sandbox/clock', { advance: 'PT1H' })).status).toBe(503);
    refusing.mockRestore();
    await waitFor(() => new Set(offsets()).size === 1, { what: 'the clocks to be aligned' });
    expect(offsets()[0]).toBeGreaterThanOrEqual(HOUR_MS);
  });

  it('given a crash between two services, when the simulator starts again, then they are aligned', async () => {
    await stage.post('/sandbox/clock', { advance: 'PT1H' });
    const [offset] = offsets();
    played('payments').offsetMs = 0;
    await stage.close();
    await stage.open();
    await waitFor(() => played('payments').offsetMs === offset, { what: 'the clocks to be aligned' });
  });

  it('given a database that hangs as the clock is moved, when it goes on, then the next move is not locked out', async () => {
    // It takes the lock, and neither says so nor hears any more of that connection.
    const answered = pg.Client.prototype.query;
    const hung = new Set<unknown>();
    const silent = () => Promise.reject(new Error('Query read timeout'));
    const hanging = jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...asked: unknown[]
    ): unknown {
      if (hung.has(this)) return silent();
      const answer: unknown = Reflect.apply(answered, this, asked);
      if (!String(asked[0]).includes('pg_try_advisory_lock')) return answer;
      hung.add(this);
      return Promise.resolve(answer).then(silent);
    });
    const advance = { advance: 'PT1M' };
    expect((await stage.post('/sandbox/clock', advance)).status).toBeGreaterThanOrEqual(500);
    hanging.mockRestore();
    expect(hung.size).toBe(1);
    // Whoever has the lock may take it once more, so another one is asked for.
    const other = new pg.Client({ connectionString: stage.database.url });
    await other.connect();
    await waitFor(async () => (await other.query<{ n: number }>(MOVES)).rows[0]?.n === 0, {
      what: 'the lock to be free',
    });
    await other.end();
    expect((await stage.post('/sandbox/clock', advance)).status).toBe(200);
  });

  it('given a move whose connection dies, when another replica moves the clock, then it does not wait for it', async () => {
    const move = stage.neighbours.request.bind(stage.neighbours);
    const gate = Promise.withResolvers<undefined>();
    const asked = Promise.withResolvers<undefined>();
    jest.spyOn(stage.neighbours, 'request').mockImplementationOnce(async (...request) => {
      asked.resolve(undefined);
      await gate.promise;
      return move(...request);
    });
    const { app, database } = stage.service;
    const [wall, client, log] = [app.get(Clock), app.get(ServiceClient), Log.to('simulator', 'silent')];
    const [one, other] = [1, 2].map(() => new BusinessClock(database, wall, client, log));
    const later = (now: Date) => new Date(now.getTime() + HOUR_MS);
    const moving = one?.move(later);
    await asked.promise;
    await database.query(
      sql(
        'test.kill',
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fundrail-simulator-clock' AND datname = current_database()",
      ),
    );
    await other?.move(later);
    gate.resolve(undefined);
    await moving;
  });

  it('given no token, when the clock is read, then it is a 401', async () => {
    const answer = await stage.service.fastify.inject({ method: 'GET', url: '/sandbox/clock' });
    expect(answer.statusCode).toBe(401);
  });

  it('given work of the simulator itself, when the clock jumps, then it is worked on the way', async () => {
    const order = newOrder();
    await stage.orders.requestReview(order);
    await stage.post('/sandbox/clock', { advance: 'PT1M' });
    expect(stage.callbacks.about(order.reference)).toHaveLength(1);
  });
});
