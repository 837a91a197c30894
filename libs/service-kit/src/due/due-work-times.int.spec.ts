import { waitFor } from '@fundrail/testing';
import { DUE_START, DueStage } from '../testing/due-stage.ts';
import type { DueResult } from './due-work.ts';

describe('when due work runs, and when it is retried', () => {
  let stage: DueStage;
  beforeAll(async () => {
    stage = await DueStage.start();
  });
  beforeEach(() => stage.begin());
  afterEach(() => stage.finish());
  afterAll(() => stage.end());

  it('runs later work only when business time has reached it (CONV-31, DUE-2)', async () => {
    const handled: string[] = [];
    const made = stage.worker((work) => Promise.resolve<DueResult>((handled.push(work.key), 'done')));
    await stage.schedule('early', new Date(DUE_START.getTime() + 1000));
    await stage.schedule('now');
    made.start();
    // The row of handled work is deleted after its handler returns.
    await waitFor(async () => (await stage.rows()).length === 1);
    expect((await stage.rows()).map((row) => row.key)).toEqual(['early']);
    expect(handled).toEqual(['now']);
    stage.clock.advance(1000);
    await stage.empty();
    expect(handled).toEqual(['now', 'early']);
  });

  it('is retried after 5 s, 30 s, 5 min, 1 h, and then hourly (DUE-5)', async () => {
    const attempts: number[] = [];
    const made = stage.worker((work) => Promise.resolve<DueResult>((attempts.push(work.attempts), 'later')));
    await stage.schedule('later');
    made.start();
    const pauses: number[] = [];
    const hourly: boolean[] = [];
    for (let tries = 1; tries <= 6; tries += 1) {
      const [row] = await waitFor(async () => {
        const found = await stage.rows();
        return found[0]?.attempts === tries ? found : null;
      });
      pauses.push(row!.due_at.getTime() - stage.clock.now().getTime());
      const earliest = await made.earliestDue(row!.due_at);
      expect(earliest.due).toEqual(row!.due_at);
      hourly.push(earliest.planned === null);
      stage.clock.set(row!.due_at);
    }
    expect(pauses).toEqual([5_000, 30_000, 300_000, 3_600_000, 3_600_000, 3_600_000]);
    expect(attempts.slice(0, 6)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(hourly).toEqual([false, false, false, true, true, true]);
  });

  it('is retried at the same times after an answer that nothing has changed, and has it noted until there is none (DUE-5)', async () => {
    const results: DueResult[] = ['later', 'unchanged', 'unchanged', 'later'];
    const made = stage.worker((work) => Promise.resolve(results[work.attempts] ?? 'done'));
    await stage.schedule('asked');
    made.start();
    const rows: unknown[] = [];
    for (let tries = 1; tries <= results.length; tries += 1) {
      const [row] = await waitFor(async () => {
        const found = await stage.rows();
        return found[0]?.attempts === tries ? found : null;
      });
      rows.push([row!.due_at.getTime() - stage.clock.now().getTime(), row!.unchanged]);
      stage.clock.set(row!.due_at);
    }
    expect(rows).toEqual([
      [5_000, false],
      [30_000, true],
      [300_000, true],
      [3_600_000, false],
    ]);
  });

  it('treats an error as later, and counts attempts with `again` from 0, or from the given number (DUE-5)', async () => {
    const again = new Date(DUE_START.getTime() + 60_000);
    const made = stage.worker((work) =>
      work.key === 'throws'
        ? Promise.reject(new Error('no'))
        : Promise.resolve(work.key === 'fourth' ? { again, attempts: 4 } : { again }),
    );
    await stage.schedule('throws');
    await stage.schedule('again');
    await stage.schedule('fourth');
    made.start();
    const ended = await waitFor(async () => {
      const found = await stage.rows();
      return found.every((row) => row.due_at > DUE_START && row.lease_token === null) ? found : null;
    });
    expect(
      ended.map(({ key, attempts, due_at }) => [key, attempts, due_at.getTime() - DUE_START.getTime()]),
    ).toEqual([
      ['again', 0, 60_000],
      ['fourth', 4, 60_000],
      ['throws', 1, 5_000],
    ]);
  });

  it.each(['done', 'later'] as const)(
    'keeps work that the handler itself rescheduled, when it ends with %s (DUE-3)',
    async (result) => {
      const next = new Date(DUE_START.getTime() + 7_000);
      const ended = Promise.withResolvers<undefined>();
      const made = stage.worker(async (work) => {
        await stage.schedule(work.key, next);
        ended.resolve(undefined);
        return result;
      });
      await stage.schedule('own');
      made.start();
      await ended.promise;
      await made.stop();
      expect(await stage.rows()).toMatchObject([
        { key: 'own', due_at: next, attempts: 0, lease_token: null },
      ]);
    },
  );
});
