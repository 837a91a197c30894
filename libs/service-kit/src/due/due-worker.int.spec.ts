import { waitFor } from '@fundrail/testing';
import { DueStage } from '../testing/due-stage.ts';
import { cancelDue, scheduleDue, type DueResult, type DueWork } from './due-work.ts';

describe('DueWorker', () => {
  let stage: DueStage;
  beforeAll(async () => {
    stage = await DueStage.start();
  });
  beforeEach(() => stage.begin());
  afterEach(() => stage.finish());
  afterAll(() => stage.end());

  it('handles each row once, with two workers on one table', async () => {
    const handled: string[] = [];
    const handle = (work: DueWork) => Promise.resolve<DueResult>((handled.push(work.key), 'done'));
    const keys = Array.from({ length: 200 }, (_, at) => `k${at}`);
    await Promise.all(keys.map((key) => stage.schedule(key)));
    stage.worker(handle).start();
    stage.worker(handle).start();
    await stage.empty();
    expect(handled.sort()).toEqual(keys.sort());
  });

  it('is woken by the commit, long before it would look', async () => {
    const handled: string[] = [];
    stage
      .worker((work) => Promise.resolve<DueResult>((handled.push(work.key), 'done')), {
        pollMs: 3_600_000,
      })
      .start();
    await stage.schedule('woken');
    await waitFor(() => handled.includes('woken'), { limitMs: 5_000 });
    expect(handled).toEqual(['woken']);
  });

  it('runs the work of a worker that died again, once its lease has ended', async () => {
    const never = Promise.withResolvers<DueResult>();
    const begun = Promise.withResolvers<undefined>();
    const dead = stage.worker(() => (begun.resolve(undefined), never.promise), { leaseMs: 200 });
    await stage.schedule('dead');
    dead.start();
    await begun.promise;
    const handled: string[] = [];
    const other = stage.worker((work) => Promise.resolve<DueResult>((handled.push(work.key), 'done')));
    other.start();
    await stage.empty();
    expect(handled).toEqual(['dead']);
    // The late end of the first one changes nothing.
    never.resolve('later');
    await dead.stop();
    expect(await stage.rows()).toEqual([]);
  });

  it('finishes what runs when it is stopped, and takes nothing more', async () => {
    const gate = Promise.withResolvers<undefined>();
    const begun = Promise.withResolvers<undefined>();
    const made = stage.worker(async () => {
      begun.resolve(undefined);
      await gate.promise;
      return 'done';
    });
    await stage.schedule('running');
    made.start();
    await begun.promise;
    expect(made.inFlight).toBe(1);
    const stopped = made.stop();
    await stage.schedule('after');
    gate.resolve(undefined);
    await stopped;
    expect((await stage.rows()).map((row) => row.key)).toEqual(['after']);
    expect(made.inFlight).toBe(0);
  });

  it('runs no more than its places at once, and all in the end', async () => {
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

  it('lets no kind wait behind the backlog of another', async () => {
    const begun: string[] = [];
    const made = stage.worker(async ({ key }) => (begun.push(key), await stage.database.now(), 'done'), {
      concurrency: 2,
    });
    made.addHandler({ kind: 'other', handle: ({ key }) => Promise.resolve((begun.push(key), 'done')) });
    await Promise.all(Array.from({ length: 20 }, (_, at) => stage.schedule(`old${at}`)));
    stage.clock.advance(60_000);
    const due_at = stage.clock.now();
    await stage.database.transaction((tx) =>
      scheduleDue(tx, { kind: 'other', key: 'young', tenant: 'demo', due_at }),
    );
    made.start();
    await stage.empty();
    // Two of the backlog at the most: those that got the first places.
    expect(begun.indexOf('young')).toBeLessThanOrEqual(2);
  });

  it('forgets what was cancelled', async () => {
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
