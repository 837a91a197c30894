import { sql } from '@fundrail/persistence';
import { usePolicies } from '@fundrail/policies';
import { createTestDatabase, FakeClock, type TestDatabase } from '@fundrail/testing';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { notesService } from '../testing/notes.service.ts';
import { ForgetOldRows } from './forget-old-rows.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-12-21T10:00:00+05:30');
const add = sql(
  'test.add',
  `INSERT INTO parked_events (consumer_group, event_id, topic, aggregate_id, sequence, envelope, status, tries, replayed_at)
   SELECT 'notes', $1 || n, 'note', 'a', 1, '{}', 'failed', 5, $2 FROM generate_series(1, $3::int) AS n`,
);
const left = sql('test.left', `SELECT event_id AS id FROM parked_events ORDER BY event_id`);

describe('ForgetOldRows', () => {
  let test: TestDatabase;
  let database: Database;
  const clock = new FakeClock(NOW);
  let lane: ForgetOldRows;
  beforeAll(async () => {
    test = await createTestDatabase(notesService);
    database = await openDatabase(notesService, clock, { url: test.url, poolSize: 2, sandbox: false });
    lane = new ForgetOldRows(clock, database, {
      table: 'parked_events',
      column: 'replayed_at',
      days: 30,
      clock: 'wall',
    });
    const ago = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
    await database.query(add, ['old', ago(31), 2_500]);
    await database.query(add, ['young', ago(29), 1]);
    await database.query(add, ['waiting', null, 1]);
  });
  afterAll(async () => {
    await database.dataSource.destroy();
    await test.drop();
    usePolicies([]);
  });

  const run = async () => {
    let looks = 0;
    do looks += 1;
    while ((await lane.run(clock.now())) > 0);
    return looks;
  };
  const ids = async () => (await database.query<{ id: string }>(left)).map(({ id }) => id);

  it('deletes old rows in small steps, and keeps rows that wait or are younger', async () => {
    expect(await run()).toBe(3);
    expect(await ids()).toEqual(['waiting1', 'young1']);
  });

  it('runs again after ten minutes and not before', async () => {
    clock.set(new Date(NOW.getTime() + 599_999));
    await database.query(add, ['late', new Date(NOW.getTime() - 40 * DAY_MS), 1]);
    await run();
    expect(await ids()).toContain('late1');
    clock.advance(1);
    await run();
    expect(await ids()).toEqual(['waiting1', 'young1']);
  });

  it('deletes rows as the days pass', async () => {
    clock.advance(2 * DAY_MS);
    await run();
    expect(await ids()).toEqual(['waiting1']);
  });

  describe('by `log_days` of personal_data_retention', () => {
    const kept = async (now: Date) => {
      await lane.run(now);
      return ids();
    };

    it.each([
      ['before its first day', '2026-12-21T10:00:00+05:30'],
      ['on the last millisecond before it', '2027-05-12T23:59:59.999+05:30'],
      ['from its first millisecond on', '2027-05-13T00:00:00+05:30'],
    ])('keeps a row for 366 days of the business clock, also %s', async (_, received) => {
      const at = new Date(received);
      lane = new ForgetOldRows(clock, database, {
        ...{ table: 'parked_events', column: 'replayed_at', days: 'log_days', clock: 'business' },
      });
      await database.query(add, ['fact', at, 1]);
      expect(await kept(new Date(at.getTime() + 366 * DAY_MS - 1))).toContain('fact1');
      clock.advance(600_000);
      expect(await kept(new Date(at.getTime() + 366 * DAY_MS))).not.toContain('fact1');
      clock.advance(600_000);
    });

    it('keeps it as long as an override of the policy says', async () => {
      usePolicies([
        {
          ...{ policy: 'personal_data_retention', version: '2027-05-13', parameters: { log_days: 400 } },
          ...{ reason: 'our auditor has asked for it', by: 'A Person', at: '2026-11-01T10:00:00.000+05:30' },
        },
      ]);
      await database.query(add, ['fact', NOW, 1]);
      expect(await kept(new Date(NOW.getTime() + 400 * DAY_MS - 1))).toContain('fact1');
      clock.advance(600_000);
      expect(await kept(new Date(NOW.getTime() + 400 * DAY_MS))).not.toContain('fact1');
    });
  });
});
