import { sql } from '@fundrail/persistence';
import { waitFor } from '@fundrail/testing';
import pg from 'pg';
import { MortalTransport } from '../testing/mortal-transport.ts';
import { SimulatorStage } from '../testing/simulator-stage.ts';

const HOUR_MS = 3_600_000;
const CLOCK = '/internal/sandbox/clock';
const QUIET = '/internal/sandbox/quiet';

describe("a move of the sandbox's clock", () => {
  let stage: SimulatorStage;
  const ending: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    stage = await SimulatorStage.start();
  });
  afterEach(async () => {
    for (const end of ending.splice(0)) await end();
    await stage.end();
  });

  const offsetOf = (name: 'orders' | 'payments') => stage.neighbours.services.get(name)?.offsetMs ?? 0;
  const offsetsInHours = () =>
    [...stage.neighbours.services.values()].map(({ offsetMs }) => Math.round(offsetMs / HOUR_MS));
  const read = async (job?: string) =>
    (await stage.get(job === undefined ? '/sandbox/clock' : `/sandbox/clock?job=${job}`)).body;
  const untilReached = (job: unknown) =>
    waitFor(async () => (await read(String(job)))['reached'] === true, { what: 'the target to be reached' });

  /** Replaces the process with one that dies at that call: its calls and its database sessions end, and it records nothing more. */
  const killedAt = async (diesAt: ConstructorParameters<typeof MortalTransport>[1]) => {
    await stage.close();
    const mortal = new MortalTransport(stage.neighbours, diesAt);
    await stage.open(mortal);
    const { service } = stage;
    ending.push(() => {
      mortal.bury();
      return service.stop();
    });
    const asked = stage.post('/sandbox/clock', { advance: 'P1D' }, 'demo', { 'idempotency-key': 'the move' });
    ending.push(() => asked);
    await mortal.died;
    const killer = new pg.Client({ connectionString: stage.database.url });
    await killer.connect();
    await killer.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await killer.end();
  };

  it.each([
    ['before any clock was set', ({ path }: { path: string }) => path.startsWith(QUIET), [0, 0]],
    [
      'when its own clock was set and no other',
      ({ path }: { path: string }, service: string) => path === CLOCK && service !== 'simulator',
      [0, 0],
    ],
    [
      'when all clocks were set, and the work on the way was not yet checked',
      ({ path }: { path: string }) => path.startsWith(QUIET) && offsetOf('payments') > 0,
      [24, 24],
    ],
  ])(
    'given a process that is killed %s, then the next one reports the move and completes it',
    async (_, dies, before) => {
      await killedAt((service, request) => dies(request, service));
      expect([offsetOf('orders'), offsetOf('payments')].map((ms) => Math.round(ms / HOUR_MS))).toEqual(
        before,
      );
      for (const neighbour of stage.neighbours.services.values()) neighbour.unanswered = Infinity;

      await stage.open();
      const { job, state, reached } = await read();
      expect({ job, state, reached }).toEqual({
        job: expect.stringMatching(/^clk_/),
        state: 'under_way',
        reached: false,
      });
      for (const neighbour of stage.neighbours.services.values()) neighbour.unanswered = 0;
      await untilReached(job);

      expect(new Set(offsetsInHours())).toEqual(new Set([24]));
      // A minute later the dead process no longer holds the key. The same request returns the same move.
      await stage.service.database.query(sql('test.free', 'UPDATE idempotency_keys SET held_until = now()'));
      const again = await stage.post('/sandbox/clock', { advance: 'P1D' }, 'demo', {
        'idempotency-key': 'the move',
      });
      expect(again).toMatchObject({ status: 200, body: { job, reached: true } });
      expect(new Set(offsetsInHours())).toEqual(new Set([24]));
    },
  );

  it('given a client that disconnects during its move, then the move continues to its target, once', async () => {
    const payments = stage.neighbours.services.get('payments');
    if (!payments) throw new Error('the payments service is missing');
    payments.unanswered = Infinity;
    const leaving = new AbortController();
    const sent = fetch(`${stage.url}/sandbox/clock`, {
      method: 'POST',
      headers: { authorization: stage.neighbours.token('demo'), 'content-type': 'application/json' },
      body: JSON.stringify({ advance: 'PT7H' }),
      signal: leaving.signal,
    });
    const job = await waitFor(async () => {
      const known = await read();
      return known['state'] === 'under_way' ? known['job'] : null;
    });
    leaving.abort();
    await expect(sent).rejects.toThrow('aborted');
    payments.unanswered = 0;

    await untilReached(job);
    expect(new Set(offsetsInHours())).toEqual(new Set([7]));
    expect(await read()).toMatchObject({ job, state: 'reached', waits_for: [] });
  });
});
