import { jest } from '@jest/globals';
import { newOrder } from '@fundrail/providers/testing';
import { Log } from '@fundrail/service-kit';
import { sql } from '@fundrail/persistence';
import { Clock } from '@fundrail/service-kit/db';
import { ServiceClient } from '@fundrail/service-kit/http';
import { waitFor } from '@fundrail/testing';
import pg from 'pg';
import { BusinessClock } from './business-clock.ts';
import { ClockMoves } from './clock-moves.ts';
import { ClockPatience } from './move-clock.ts';
import { RecordMove } from './record-move.ts';
import { SimulatorStage } from '../testing/simulator-stage.ts';

const HOUR_MS = 3_600_000;
/** Counts the holders of the move lock. */
const MOVES = `SELECT count(*)::int AS n FROM pg_locks
  WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

describe("the sandbox's clock", () => {
  let stage: SimulatorStage;
  beforeEach(async () => {
    stage = await SimulatorStage.start();
  });
  afterEach(() => stage.end());

  const neighbour = (name: 'orders' | 'payments' | 'webhooks' | 'identity') => {
    const service = stage.neighbours.services.get(name);
    if (!service) throw new Error(name);
    return service;
  };
  const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);
  /** From now on, a move is returned as a job almost immediately. */
  const impatient = () => void (stage.service.app.get(ClockPatience).answerWithinMs = 50);
  const patient = () => void (stage.service.app.get(ClockPatience).answerWithinMs = 10_000);
  const follow = async (job: unknown) => (await stage.get(`/sandbox/clock?job=${String(job)}`)).body;
  const untilReached = (job: unknown) =>
    waitFor(async () => (await follow(job))['reached'] === true, { what: 'the target to be reached' });
  const offsets = () => [...stage.neighbours.services.values()].map(({ offsetMs }) => offsetMs);

  it('given steps of several services, when the clock jumps over them, then they are done in due order, each at its time (CLOCK-5, CLOCK-8)', async () => {
    neighbour('orders').due = [inHours(5), inHours(1)];
    neighbour('payments').due = [inHours(3), inHours(30)];
    const answer = await stage.post('/sandbox/clock', { advance: 'P1D' });
    expect(answer.status).toBe(200);
    expect(stage.neighbours.worked.map(({ service }) => service)).toEqual(['orders', 'payments', 'orders']);
    expect(neighbour('payments').due).toHaveLength(1);
  });

  it('given work that is retried hourly, when the clock jumps for a week, then it is retried after pauses that double, from each planned step on, and at the end (CLOCK-12)', async () => {
    const begin = Date.now();
    neighbour('payments').hourly = inHours(0.5);
    neighbour('orders').due = [inHours(50)];
    await stage.post('/sandbox/clock', { advance: 'P7D' });
    const hours = (at: Date) => Math.round((at.getTime() - begin) / (HOUR_MS / 2)) / 2;
    const worked = stage.neighbours.worked.map(({ service, at }) => [service, hours(at)]);
    const retries = (...at: readonly number[]) => at.map((hour) => ['payments', hour]);
    expect(worked).toEqual([
      ...retries(0.5, 1.5, 3, 6, 12, 24, 48),
      ['orders', 50],
      ...retries(50, 51, 52, 54, 58, 66, 82, 114, 168),
    ]);
  });

  it('given a question that is answered hourly, when the clock jumps for a week, then it is asked in the hour after each planned step, and at the end (CLOCK-12)', async () => {
    const begin = Date.now();
    Object.assign(neighbour('payments'), { hourly: inHours(0.5), isAnswered: true });
    neighbour('orders').due = [inHours(50)];
    await stage.post('/sandbox/clock', { advance: 'P7D' });
    const hours = (at: Date) => Math.round((at.getTime() - begin) / (HOUR_MS / 2)) / 2;
    expect(stage.neighbours.worked.map(({ service, at }) => [service, hours(at)])).toEqual([
      ['payments', 0.5],
      ['orders', 50],
      ...[50, 51, 168].map((hour) => ['payments', hour]),
    ]);
  });

  it('given a jump, when it has ended, then every service and the response have the same time (CLOCK-1)', async () => {
    const target = new Date(Date.now() + 48 * HOUR_MS);
    const answer = await stage.post('/sandbox/clock', { now: target.toISOString() });
    expect(new Set(offsets()).size).toBe(1);
    expect(new Date(String(answer.body['now'])).getTime()).toBeGreaterThanOrEqual(target.getTime());
    expect(answer.body['now']).toMatch(/\+05:30$/);
  });

  it('given a time in the past, when it is requested, then it is a 400 that names the field, and nothing moves (CLOCK-2)', async () => {
    const answer = await stage.post('/sandbox/clock', { now: '2020-01-01T00:00:00+05:30' });
    expect(answer).toMatchObject({ status: 400, body: { error: { errors: [{ field: 'now' }] } } });
    expect(new Set(offsets())).toEqual(new Set([0]));
  });

  it('given concurrent calls, when they run, then they run one after the other (CLOCK-4)', async () => {
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

  it('given an endpoint that does not accept its delivery, when the clock jumps, then it waits 2 s at most (CLOCK-6)', async () => {
    const jumpOver = async (...hours: number[]) => {
      neighbour('orders').due = hours.map(inHours);
      const begin = performance.now();
      expect((await stage.post('/sandbox/clock', { advance: 'P1D' })).status).toBe(200);
      return performance.now() - begin;
    };
    const free = await jumpOver(1, 2, 3);
    neighbour('webhooks').stuck = true;
    // Two seconds at each of the three steps would be six more.
    expect((await jumpOver(25, 26, 27)) - free).toBeLessThan(5_500);
    expect(stage.neighbours.worked).toHaveLength(6);
  });

  it('given a service that restarts during a jump, when it does not respond, then the jump waits for it', async () => {
    neighbour('orders').due = [inHours(1)];
    neighbour('payments').unanswered = 5;
    expect((await stage.post('/sandbox/clock', { advance: 'P1D' })).status).toBe(200);
    expect(neighbour('payments')).toMatchObject({ unanswered: 0, offsetMs: neighbour('orders').offsetMs });
  });

  it('given a jump that failed between two services, when they respond again, then they are aligned', async () => {
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

  it('given a crash between two services, when the simulator starts again, then they are aligned (CLOCK-7)', async () => {
    await stage.post('/sandbox/clock', { advance: 'PT1H' });
    const [offset] = offsets();
    neighbour('payments').offsetMs = 0;
    await stage.close();
    await stage.open();
    await waitFor(() => neighbour('payments').offsetMs === offset, { what: 'the clocks to be aligned' });
  });

  it('given a database that hangs as the clock is moved, when it continues, then the next move is not locked out', async () => {
    // The server grants the lock, but the client never receives the response.
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
    impatient();
    const first = await stage.post('/sandbox/clock', advance);
    expect(first.status).toBe(202);
    await waitFor(() => hung.size > 0);
    hanging.mockRestore();
    await untilReached(first.body['job']);
    // The session that holds the lock could acquire it a second time, so another session checks it.
    const other = new pg.Client({ connectionString: stage.database.url });
    await other.connect();
    await waitFor(async () => (await other.query<{ n: number }>(MOVES)).rows[0]?.n === 0, {
      what: 'the lock to be free',
    });
    await other.end();
    patient();
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
    const other = new ClockMoves(database, wall, new BusinessClock(database, wall, client, log), log);
    const moving = stage.post('/sandbox/clock', { advance: 'PT1H' });
    await asked.promise;
    await database.query(
      sql(
        'test.kill',
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fundrail-simulator-clock' AND datname = current_database()",
      ),
    );
    const later = await app.get(RecordMove).execute('demo', null, { advance: 'PT1H' });
    other.wake();
    expect(await other.ended(later, 5_000)).toMatchObject({ failure: null, ended_at: expect.any(Date) });
    gate.resolve(undefined);
    expect((await moving).status).toBe(200);
    await other.onApplicationShutdown();
  });

  it('given no token, when the clock is read, then it is a 401', async () => {
    const answer = await stage.service.fastify.inject({ method: 'GET', url: '/sandbox/clock' });
    expect(answer.statusCode).toBe(401);
  });

  it('given work of the simulator itself, when the clock jumps, then it is done on the way', async () => {
    const order = newOrder();
    await stage.orders.requestReview(order);
    await stage.post('/sandbox/clock', { advance: 'PT1M' });
    expect(stage.callbacks.about(order.reference)).toHaveLength(1);
  });
});
