import { sql } from '@fundrail/persistence';
import { createTestDatabase, FakeClock, waitFor, type TestDatabase } from '@fundrail/testing';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import type { DueResult, DueWork } from '../due/due-work.ts';
import { scheduleDue } from '../due/schedule-due.ts';
import { DueWorkRepository } from '../due/due-work.repository.ts';
import { DueWorker } from '../due/due-worker.ts';
import { Log } from '../logging/log.ts';
import { notesService } from './notes.service.ts';

export const DUE_START = new Date('2026-12-21T10:00:00+05:30');
const clear = sql('test.clear', 'DELETE FROM due_work');
const all = sql(
  'test.all',
  'SELECT kind, key, due_at, attempts, unchanged, lease_token FROM due_work ORDER BY key',
);

/** A stored row of due work. */
interface DueRow {
  readonly key: string;
  readonly due_at: Date;
  readonly attempts: number;
  readonly unchanged: boolean;
  readonly lease_token: string | null;
}

/** Workers of one kind, `note`, on a separate database. */
export class DueStage {
  clock!: FakeClock;
  database!: Database;
  private readonly workers: DueWorker[] = [];

  private constructor(private readonly test: TestDatabase) {}

  static async start(): Promise<DueStage> {
    const test = await createTestDatabase(notesService);
    return new DueStage(test);
  }

  /** Deletes all due work, and sets the clock to `DUE_START`. */
  async begin(): Promise<void> {
    this.clock = new FakeClock(DUE_START);
    const terms = { url: this.test.url, poolSize: 10, sandbox: true };
    this.database = await openDatabase(notesService, this.clock, terms);
    await this.database.query(clear);
  }

  async finish(): Promise<void> {
    await Promise.all(this.workers.splice(0).map((worker) => worker.stop()));
    await this.database.dataSource.destroy();
  }

  end(): Promise<void> {
    return this.test.drop();
  }

  /** A worker that is not started yet; it is stopped after the test. */
  worker(
    handle: (work: DueWork) => Promise<DueResult>,
    options: { pollMs?: number; leaseMs?: number; concurrency?: number } = {},
  ): DueWorker {
    const { database, clock } = this;
    const terms = { pollMs: 20, leaseMs: 10_000, concurrency: 8, ...options };
    const made = new DueWorker(
      database,
      new DueWorkRepository(database, clock),
      Log.to('test', 'silent'),
      terms,
    );
    made.addHandler({ kind: 'note', handle });
    this.workers.push(made);
    return made;
  }

  schedule(key: string, due_at = DUE_START): Promise<void> {
    return this.database.transaction((tx) => scheduleDue(tx, { kind: 'note', key, tenant: 'demo', due_at }));
  }

  rows(): Promise<DueRow[]> {
    return this.database.query<DueRow>(all);
  }

  /** Waits until no work is left. */
  async empty(): Promise<void> {
    await waitFor(async () => (await this.rows()).length === 0, { what: 'no due work' });
  }
}
