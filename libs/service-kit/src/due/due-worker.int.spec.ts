import { sql } from '@fundrail/messaging';
import { createTestDatabase, FakeClock, waitFor, type TestDatabase } from '@fundrail/testing';
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { Log } from '../logging/log.ts';
import { notesService } from '../testing/notes.service.ts';
import { cancelDue, DueLane, scheduleDue, type DueResult, type DueWork } from './due-work.ts';
import { DueWorkRepository } from './due-work.repository.ts';
import { DueWorker } from './due-worker.ts';

const START = new Date('2026-12-21T10:00:00+05:30');
const clear = sql('test.clear', 'DELETE FROM due_work');
const all = sql('test.all', 'SELECT kind, key, due_at, attempts, lease_token FROM due_work ORDER BY key');
type Row = { key: string; due_at: Date; attempts: number; lease_token: string | null };

describe('DueWorker', () => {
  let test: TestDatabase;
  let database: Database;
  let clock: FakeClock;
  const workers: DueWorker[] = [];
  beforeAll(async () => {
    test = await createTestDatabase();
    await migrate(notesService, test.url);
  });
  beforeEach(async () => {
    clock = new FakeClock(START);
    database = await openDatabase(notesService, clock, { url: test.url, poolSize: 10, sandbox: true });
    await database.query(clear);
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    await database.dataSource.destroy();
  });
  afterAll(() => test.drop());

  const worker = (
    handle: (work: DueWork) => Promise<DueResult>,
    options: { pollMs?: number; leaseMs?: number; concurrency?: number } = {},
  ) => {
    const made = new DueWorker(database, new DueWorkRepository(database, clock), Log.to('test', 'silent'), {
      pollMs: 20,
      leaseMs: 10_000,
      concurrency: 8,
      ...options,
    });
    made.addHandler({ kind: 'note', handle });
    workers.push(made);
    return made;
  };
  const schedule = (key: string, due_at = START) =>
    database.transaction((tx) => scheduleDue(tx, { kind: 'note', key, tenant: 'demo', due_at }));
  const rows = () => database.query<Row>(all);
  const empty = () => waitFor(async () => (await rows()).length === 0, { what: 'no due work' });

  it('handles each row once, with two workers on one table', async () => {
    const handled: string[] = [];
    const handle = (work: DueWork) => Promise.resolve<DueResult>((handled.push(work.key), 'done'));
    const keys = Array.from({ length: 200 }, (_, at) => `k${at}`);
    await Promise.all(keys.map((key) => schedule(key)));
    worker(handle).start();
    worker(handle).start();
    await empty();
    expect(handled.sort()).toEqual(keys.sort());
  });

  it('is woken by the commit, long before it would look', async () => {
    const handled: string[] = [];
    worker((work) => Promise.resolve<DueResult>((handled.push(work.key), 'done')), {
      pollMs: 3_600_000,
    }).start();
    await schedule('woken');
    await waitFor(() => handled.includes('woken'), { limitMs: 5_000 });
    expect(handled).toEqual(['woken']);
  });

  it('leaves what is due later, until business time is there', async () => {
    const handled: string[] = [];
    const made = worker((work) => Promise.resolve<DueResult>((handled.push(work.key), 'done')));
    await schedule('early', new Date(START.getTime() + 1000));
    await schedule('now');
    made.start();
    await waitFor(() => handled.length === 1);
    expect((await rows()).map((row) => row.key)).toEqual(['early']);
    clock.advance(1000);
    await empty();
    expect(handled).toEqual(['now', 'early']);
  });

  it('comes again after 5 s, 30 s, 5 min, 1 h, and then hourly', async () => {
    const attempts: number[] = [];
    const made = worker((work) => Promise.resolve<DueResult>((attempts.push(work.attempts), 'later')));
    await schedule('later');
    made.start();
    const pauses: number[] = [];
    for (let tries = 1; tries <= 6; tries += 1) {
      const [row] = await waitFor(async () => {
        const found = await rows();
        return found[0]?.attempts === tries ? found : null;
      });
      pauses.push(row!.due_at.getTime() - clock.now().getTime());
      clock.set(row!.due_at);
    }
    expect(pauses).toEqual([5_000, 30_000, 300_000, 3_600_000, 3_600_000, 3_600_000]);
    expect(attempts.slice(0, 6)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('counts a throw as later, and starts over with `again`', async () => {
    const again = new Date(START.getTime() + 60_000);
    const made = worker((work) =>
      work.key === 'throws' ? Promise.reject(new Error('no')) : Promise.resolve({ again }),
    );
    await schedule('throws');
    await schedule('again');
    made.start();
    const ended = await waitFor(async () => {
      const found = await rows();
      return found.every((row) => row.due_at > START && row.lease_token === null) ? found : null;
    });
    expect(
      ended.map(({ key, attempts, due_at }) => [key, attempts, due_at.getTime() - START.getTime()]),
    ).toEqual([
      ['again', 0, 60_000],
      ['throws', 1, 5_000],
    ]);
  });

  it.each(['done', 'later'] as const)(
    'keeps what the handler itself rescheduled, when it ends with %s',
    async (result) => {
      const next = new Date(START.getTime() + 7_000);
      const ended = Promise.withResolvers<undefined>();
      const made = worker(async (work) => {
        await schedule(work.key, next);
        ended.resolve(undefined);
        return result;
      });
      await schedule('own');
      made.start();
      await ended.promise;
      await made.stop();
      expect(await rows()).toMatchObject([{ key: 'own', due_at: next, attempts: 0, lease_token: null }]);
    },
  );

  it('runs the work of a worker that died again, once its lease has ended', async () => {
    const never = Promise.withResolvers<DueResult>();
    const begun = Promise.withResolvers<undefined>();
    const dead = worker(() => (begun.resolve(undefined), never.promise), { leaseMs: 200 });
    await schedule('dead');
    dead.start();
    await begun.promise;
    const handled: string[] = [];
    const other = worker((work) => Promise.resolve<DueResult>((handled.push(work.key), 'done')));
    other.start();
    await empty();
    expect(handled).toEqual(['dead']);
    // The late end of the first one changes nothing.
    never.resolve('later');
    await dead.stop();
    expect(await rows()).toEqual([]);
  });

  it('finishes what runs when it is stopped, and takes nothing more', async () => {
    const gate = Promise.withResolvers<undefined>();
    const begun = Promise.withResolvers<undefined>();
    const made = worker(async () => {
      begun.resolve(undefined);
      await gate.promise;
      return 'done';
    });
    await schedule('running');
    made.start();
    await begun.promise;
    expect(made.inFlight).toBe(1);
    const stopped = made.stop();
    await schedule('after');
    gate.resolve(undefined);
    await stopped;
    expect((await rows()).map((row) => row.key)).toEqual(['after']);
    expect(made.inFlight).toBe(0);
  });

  it('runs no more than its places at once, and all in the end', async () => {
    let most = 0;
    let now = 0;
    const made = worker(async () => {
      most = Math.max(most, ++now);
      await database.now();
      now -= 1;
      return 'done';
    });
    await Promise.all(Array.from({ length: 60 }, (_, at) => schedule(`p${at}`)));
    made.start();
    await empty();
    expect(most).toBeLessThanOrEqual(8);
  });

  it('lets no kind wait behind the backlog of another', async () => {
    const begun: string[] = [];
    const made = worker(async ({ key }) => (begun.push(key), await database.now(), 'done'), {
      concurrency: 2,
    });
    made.addHandler({ kind: 'other', handle: ({ key }) => Promise.resolve((begun.push(key), 'done')) });
    await Promise.all(Array.from({ length: 20 }, (_, at) => schedule(`old${at}`)));
    clock.advance(60_000);
    const due_at = clock.now();
    await database.transaction((tx) =>
      scheduleDue(tx, { kind: 'other', key: 'young', tenant: 'demo', due_at }),
    );
    made.start();
    await empty();
    // Two of the backlog at the most: those that got the first places.
    expect(begun.indexOf('young')).toBeLessThanOrEqual(2);
  });

  it('forgets what was cancelled', async () => {
    await schedule('gone');
    await database.transaction((tx) => cancelDue(tx, 'note', 'gone'));
    expect(await rows()).toEqual([]);
  });

  it('tells the earliest step and how much is due, lanes included', async () => {
    class Lane extends DueLane {
      readonly name = 'lane';
      override readonly isStep: boolean;
      constructor(
        readonly at: Date,
        isStep: boolean,
      ) {
        super();
        this.isStep = isStep;
      }
      earliestDue(before: Date) {
        return Promise.resolve(this.at <= before ? this.at : null);
      }
      run() {
        return Promise.resolve(0);
      }
    }
    const plus = (ms: number) => new Date(START.getTime() + ms);
    const made = worker(() => Promise.resolve('done'));
    made.addLane(new Lane(plus(2_000), true));
    made.addLane(new Lane(plus(1_000), false));
    await schedule('later', plus(3_000));
    expect(await made.earliestDue(plus(500))).toBeNull();
    expect(await made.earliestDue(plus(5_000))).toEqual(plus(2_000));
    expect(await made.countDue(plus(1_500))).toEqual({ due: 0, background: 1 });
    expect(await made.countDue(plus(3_000))).toEqual({ due: 2, background: 1 });
  });

  it('runs a lane again while it finds work, and never twice at once', async () => {
    let left = 5;
    let running = 0;
    class Counting extends DueLane {
      readonly name = 'counting';
      earliestDue() {
        return Promise.resolve(null);
      }
      async run() {
        expect(++running).toBe(1);
        await database.now();
        running -= 1;
        return left > 0 ? left-- : 0;
      }
    }
    const made = worker(() => Promise.resolve('done'), { pollMs: 3_600_000 });
    made.addLane(new Counting());
    made.start();
    await waitFor(() => left === 0);
  });

  it('leaves out a lane that is not ready', async () => {
    const asked: string[] = [];
    class Unready extends DueLane {
      readonly name = 'unready';
      ready = false;
      earliestDue() {
        return Promise.resolve(null);
      }
      override isReady() {
        asked.push('ready?');
        return this.ready;
      }
      run() {
        asked.push('run');
        return Promise.resolve(0);
      }
    }
    const made = worker(() => Promise.resolve('done'));
    const lane = new Unready();
    made.addLane(lane);
    made.start();
    await waitFor(() => asked.length === 3);
    expect(asked).not.toContain('run');
    lane.ready = true;
    await waitFor(() => asked.includes('run'));
  });

  it('refuses two handlers of one kind', () => {
    const made = worker(() => Promise.resolve('done'));
    expect(() => made.addHandler({ kind: 'note', handle: () => Promise.resolve('done') })).toThrow(
      'two handlers',
    );
  });
});
