import { jest } from '@jest/globals';
import { sql } from '@fundrail/persistence';
import { waitFor } from '@fundrail/testing';
import { ClockPatience } from './move-clock.ts';
import { SimulatorStage } from '../testing/simulator-stage.ts';

const HOUR_MS = 3_600_000;
describe("a move of the sandbox's clock", () => {
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
  const follow = async (job: unknown) => (await stage.get(`/sandbox/clock?job=${String(job)}`)).body;
  const untilReached = (job: unknown) =>
    waitFor(async () => (await follow(job))['reached'] === true, { what: 'the target to be reached' });
  const keyed = (body: object, key: string) =>
    stage.post('/sandbox/clock', body, 'demo', { 'idempotency-key': key });
  const hoursAhead = () => Math.round((offsets()[0] ?? 0) / HOUR_MS);
  const offsets = () => [...stage.neighbours.services.values()].map(({ offsetMs }) => offsetMs);

  describe('that takes longer than a request may wait', () => {
    /** The payments service does not respond until the test changes that. */
    const silence = () => void (neighbour('payments').unanswered = Infinity);
    const speak = () => void (neighbour('payments').unanswered = 0);
    beforeEach(() => {
      impatient();
      silence();
    });

    it('given such a move, when it is requested, then a job shows its target and what it waits for, until the target is reached (CLOCK-3, CONV-18)', async () => {
      const before = Date.now();
      const taken = await stage.post('/sandbox/clock', { advance: 'P1D' });
      expect(taken).toMatchObject({
        status: 202,
        body: { state: 'under_way', reached: false, failure: null, job: expect.stringMatching(/^clk_/) },
      });
      expect(Date.parse(String(taken.body['target'])) - before).toBeGreaterThanOrEqual(24 * HOUR_MS);
      const waiting = await stage.get(String(taken.body['follow']));
      expect(waiting.body).toMatchObject({
        ...{ job: taken.body['job'], target: taken.body['target'], reached: false },
        waits_for: [{ service: 'payments', answers: false, due_work: 0, events: 0, calls: 0, objects: [] }],
      });
      expect((await stage.get('/sandbox/clock')).body['job']).toBe(taken.body['job']);
      speak();
      await untilReached(taken.body['job']);
      expect((await stage.get('/sandbox/clock')).body).toMatchObject({ state: 'reached', waits_for: [] });
      expect(hoursAhead()).toBe(24);
    });

    it('given a move in progress, when its target is requested again, then it is the same job, and 200 once it is reached', async () => {
      const target = { now: inHours(5).toISOString() };
      const first = await stage.post('/sandbox/clock', target);
      const second = await stage.post('/sandbox/clock', target, 'other');
      expect(second).toMatchObject({ status: 202, body: { job: first.body['job'] } });
      speak();
      await untilReached(first.body['job']);
      const third = await stage.post('/sandbox/clock', target);
      expect(third).toMatchObject({ status: 200, body: { job: first.body['job'], reached: true } });
    });

    it('given a move in progress, when another is requested, then it waits for its turn, and an earlier target is refused (CLOCK-2, CLOCK-4)', async () => {
      const first = await stage.post('/sandbox/clock', { advance: 'PT3H' });
      const second = await stage.post('/sandbox/clock', { advance: 'PT1H' });
      const behind = await stage.post('/sandbox/clock', { now: inHours(2).toISOString() });
      expect([first.status, second.status, behind.status]).toEqual([202, 202, 400]);
      expect(Date.parse(String(second.body['target'])) - Date.parse(String(first.body['target']))).toBe(
        HOUR_MS,
      );
      speak();
      await untilReached(second.body['job']);
      expect((await follow(first.body['job']))['state']).toBe('reached');
      expect(hoursAhead()).toBe(4);
    });

    it('given a move under a key, when it is sent again after a restart and its stored response was deleted, then it is one jump', async () => {
      const first = await keyed({ advance: 'P1D' }, 'one jump');
      await stage.close();
      await stage.open();
      const deleted = sql('test.forget', 'DELETE FROM idempotency_keys RETURNING key');
      expect(await stage.service.database.query(deleted)).toHaveLength(1);
      impatient();
      const second = await keyed({ advance: 'P1D' }, 'one jump');
      speak();
      await untilReached(first.body['job']);
      const third = await keyed({ advance: 'P1D' }, 'one jump');
      expect([second, third].map(({ body }) => body['job'])).toEqual([first.body['job'], first.body['job']]);
      expect(hoursAhead()).toBe(24);
    });

    it('given a process that stops in the middle, when another starts, then the move continues', async () => {
      const { body } = await stage.post('/sandbox/clock', { advance: 'PT7H' });
      await stage.close();
      speak();
      await stage.open();
      await untilReached(body['job']);
      expect(hoursAhead()).toBe(7);
    });
  });

  it('given a jump under a key that failed, when it is sent again, then it continues to the same target', async () => {
    const move = stage.neighbours.request.bind(stage.neighbours);
    const refusing = jest.spyOn(stage.neighbours, 'request').mockImplementation((service, request) => {
      const isRefused = service === 'payments' && request.path === '/internal/sandbox/clock';
      return isRefused ? Promise.reject(new Error('silent')) : move(service, request);
    });
    expect((await keyed({ advance: 'P1D' }, 'failing')).status).toBe(503);
    expect((await stage.get('/sandbox/clock')).body).toMatchObject({ state: 'failed', reached: false });
    refusing.mockRestore();
    expect((await keyed({ advance: 'P1D' }, 'failing')).status).toBe(200);
    expect(hoursAhead()).toBe(24);
  });

  it('given a jump of a day under a key, when it is sent again, then the clock stays', async () => {
    const first = await keyed({ advance: 'P2D' }, 'again');
    const second = await keyed({ advance: 'P2D' }, 'again');
    expect(second).toEqual(first);
    expect(hoursAhead()).toBe(48);
  });

  it('given a key of a move, when another request uses it a day later, then that is a new move', async () => {
    await keyed({ advance: 'PT1H' }, 'reused');
    await stage.service.database.query(
      sql('test.age', `UPDATE clock_moves SET created_at = created_at - interval '24 hours' RETURNING id`),
    );
    await stage.service.database.query(sql('test.forget_all', 'DELETE FROM idempotency_keys RETURNING key'));
    await keyed({ advance: 'PT1H' }, 'reused');
    expect(hoursAhead()).toBe(2);
  });

  it('given an unknown job, when it is requested, then it is a 404, and an invalid id is a 400', async () => {
    expect((await stage.get(`/sandbox/clock?job=clk_${'0'.repeat(32)}`)).status).toBe(404);
    expect((await stage.get('/sandbox/clock?job=7')).status).toBe(400);
  });

  it('given a clock that was never moved, when it is read, then there is no job', async () => {
    expect((await stage.get('/sandbox/clock')).body).toMatchObject({
      job: null,
      target: null,
      reached: true,
    });
  });
});
