import { jest } from '@jest/globals';
import type { CommitSignal, Statement, Transactions } from '@fundrail/persistence';
import { EventEmitter } from 'node:events';
import { Log } from '../logging/log.ts';
import type { LeasedDue } from './due-batch.ts';
import { DueLane } from './due-work.ts';
import { DueWorkRepository } from './due-work.repository.ts';
import { DueWorker } from './due-worker.ts';

const POLL_MS = 250;
const ROW: LeasedDue = {
  ...{ kind: 'note', key: 'k', tenant: 'demo', due_at: new Date(0), attempts: 0 },
  ...{ lease_token: 'lease', traceparent: null },
};

/** Counts the polls, and gives each row once. */
class CountingDatabase extends EventEmitter implements Transactions {
  polls = 0;
  clockReads = 0;
  rows: LeasedDue[] = [];

  query<Row>({ name }: Statement): Promise<Row[]> {
    if (name !== 'due_work.lease') return Promise.resolve([]);
    this.polls += 1;
    return Promise.resolve(this.rows.splice(0) as Row[]);
  }

  transaction(): Promise<never> {
    return Promise.reject(new Error('this database has no transactions'));
  }

  now(): Promise<Date> {
    this.clockReads += 1;
    return Promise.resolve(this.lastNow());
  }

  lastNow(): Date {
    return new Date();
  }

  onSignal(signal: CommitSignal, listener: () => void): () => void {
    this.on(signal, listener);
    return () => this.off(signal, listener);
  }

  signal(signal: CommitSignal): void {
    this.emit(signal);
  }
}

class OneFind extends DueLane {
  readonly name = 'one find';
  override readonly signal = 'due:find';
  left = 0;

  earliestDue() {
    return Promise.resolve(null);
  }

  run() {
    return Promise.resolve(this.left > 0 ? this.left-- : 0);
  }
}

describe('how often a DueWorker polls', () => {
  let database: CountingDatabase;
  let lane: OneFind;
  let worker: DueWorker;
  beforeEach(async () => {
    jest.useFakeTimers();
    database = new CountingDatabase();
    lane = new OneFind();
    const rows = new DueWorkRepository(database, { now: () => new Date() });
    const options = { pollMs: POLL_MS, leaseMs: 10_000, concurrency: 8 };
    worker = new DueWorker(database, rows, Log.to('test', 'silent'), options);
    worker.addHandler({ kind: 'note', handle: () => Promise.resolve('done') });
    worker.addLane(lane);
    worker.start();
    await jest.advanceTimersByTimeAsync(0);
  });
  afterEach(async () => {
    await worker.stop();
    jest.useRealTimers();
  });

  const pollsIn = async (ticks: number) => {
    const before = database.polls;
    await jest.advanceTimersByTimeAsync(ticks * POLL_MS);
    return database.polls - before;
  };

  it('reads the clock for the lanes once for each poll, and not for a commit that has just read it', async () => {
    const readsIn = async (work: () => Promise<unknown>) => {
      const before = database.clockReads;
      await work();
      return database.clockReads - before;
    };
    expect(await readsIn(() => pollsIn(4))).toBe(1);
    lane.left = 3;
    const signalled = async () => {
      database.signal('due:find');
      await jest.advanceTimersByTimeAsync(0);
    };
    expect(await readsIn(signalled)).toBe(0);
    expect(lane.left).toBe(0);
    expect(await readsIn(() => pollsIn(4))).toBe(4);
  });

  it.each([
    ['a commit has signalled', () => database.signal('due')],
    ['a poll has found a row', () => void database.rows.push(ROW)],
    ['a lane has found work', () => void (lane.left = 1)],
  ])('is four times as often for ten seconds after %s', async (_, make) => {
    expect(await pollsIn(40)).toBe(10);
    make();
    // Within them, the row is found by the next poll that happens anyway.
    await pollsIn(4);
    expect(await pollsIn(34)).toBe(34);
    await pollsIn(42);
    expect(await pollsIn(40)).toBe(10);
  });
});
