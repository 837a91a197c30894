import { waitFor } from '@fundrail/testing';
import { DueStage } from '../testing/due-stage.ts';
import type { DueResult, DueWork } from './due-work.ts';
import { cancelDue, scheduleDue } from './schedule-due.ts';

describe('DueWorker', () => {
  let stage: DueStage;
  beforeAll(async () => {
    stage = await DueStage.start();
  });
  beforeEach(() => stage.begin());
  afterEach(() => stage.finish());
  afterAll(() => stage.end());

  it('handles each row once, with two workers on one table (DUE-4)', async () => {
    const handled: string[] = [];
    const handle = (work: DueWork) => Promise.resolve<DueResult>((handled.push(work.key), 'done'));
    const keys = Array.from({ length: 200 }, (_, at) => `k${at}`);
    await Promise.all(keys.map((key) => stage.schedule(key)));
    stage.worker(handle).start();
    stage.worker(handle).start();
    await stage.empty();
    expect(handled.sort()).toEqual(keys.sort());
  });

  it('is woken by the commit, long before its next poll', async () => {
    const handled: string[] = [];
    stage
      .worker((work) => Promise.resolve<DueResult>((handled.push(work.key), 'done')), {
        pollMs: 3_600_000,
      })
      .start();
    await stage.schedule('woken');
    await waitFor(() => handled.includes('woken'));
    expect(handled).toEqual(['woken']);
  });

  it('runs the work of a dead worker again, once its lease has ended (DUE-2, DUE-4)', async () => {
    const never = Promise.withResolvers<DueResult>();
    const started = Promise.withResolvers<undefined>();
    const dead = stage.worker(() => (started.resolve(undefined), never.promise), { leaseMs: 200 });
    await stage.schedule('dead');
    dead.start();
    await started.promise;
    const handled: string[] = [];
    const other = stage.worker((work) => Promise.resolve<DueResult>((handled.push(work.key), 'done')));
    other.start();
    await stage.empty();
    expect(handled).toEqual(['dead']);
    // The late end of the first worker changes nothing.
    never.resolve('later');
    await dead.stop();
    expect(await stage.rows()).toEqual([]);
  });

  it('finishes running work when it is stopped, and takes no more', async () => {
    const gate = Promise.withResolvers<undefined>();
    const started = Promise.withResolvers<undefined>();
    const made = stage.worker(async () => {
      started.resolve(undefined);
      await gate.promise;
      return 'done';
    });
    await stage.schedule('running');
    made.start();
    await started.promise;
    expect(made.inFlight).toBe(1);
    const stopped = made.stop();
    await stage.schedule('after');
    gate.resolve(undefined);
    await stopped;
    expect((await stage.rows()).map((row) => row.key)).toEqual(['after']);
    expect(made.inFlight).toBe(0);
  });

  it('never runs more work at the same time than it has places, and finishes all of it', async () => {
    let most = 0;
    let now = 0;
    const made = stage.worker(async () => {
      most = Math.max(most, ++now);
      await stage.database.now();
      now -= 1;
      return 'done';
    });
    await Promise.all(Array.from({ length: 60 }, (_, at) => stage.schedule(`p${at}`)));
    made.start();
    await stage.empty();
    expect(most).toBeLessThanOrEqual(8);
  });

  it('takes the next work as soon as it has a place, long before its next poll', async () => {
    const places = 8;
    let gate = Promise.withResolvers<undefined>();
    let started = 0;
    // As many as there are places end at the same moment.
    const made = stage.worker(
      async () => {
        const mine = gate;
        if (++started % places === 0) {
          gate = Promise.withResolvers<undefined>();
          mine.resolve(undefined);
        }
        await mine.promise;
        return 'done';
      },
      { pollMs: 3_600_000, concurrency: places },
    );
    await Promise.all(Array.from({ length: 5 * places }, (_, at) => stage.schedule(`n${at}`)));
    made.start();
    await stage.empty();
    expect(started).toBe(5 * places);
  });

  it('does not let a kind wait behind the backlog of another', async () => {
    const started: string[] = [];
    const made = stage.worker(async ({ key }) => (started.push(key), await stage.database.now(), 'done'), {
      concurrency: 2,
    });
    made.addHandler({ kind: 'other', handle: ({ key }) => Promise.resolve((started.push(key), 'done')) });
    await Promise.all(Array.from({ length: 20 }, (_, at) => stage.schedule(`old${at}`)));
    stage.clock.advance(60_000);
    const due_at = stage.clock.now();
    await stage.database.transaction((tx) =>
      scheduleDue(tx, { kind: 'other', key: 'young', tenant: 'demo', due_at }),
    );
    made.start();
    await stage.empty();
    // At most two rows of the backlog, which took the first places.
    expect(started.indexOf('young')).toBeLessThanOrEqual(2);
  });

  it('deletes cancelled work', async () => {
    await stage.schedule('gone');
    await stage.database.transaction((tx) => cancelDue(tx, 'note', 'gone'));
    expect(await stage.rows()).toEqual([]);
  });

  it('refuses two handlers of one kind', () => {
    const made = stage.worker(() => Promise.resolve('done'));
    expect(() => made.addHandler({ kind: 'note', handle: () => Promise.resolve('done') })).toThrow(
      'two handlers',
    );
  });
});
