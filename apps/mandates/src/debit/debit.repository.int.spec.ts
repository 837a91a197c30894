import { sql } from '@fundrail/persistence';
import type { Database } from '@fundrail/service-kit/db';
import { waitFor } from '@fundrail/testing';
import { MandatesUnderTest } from '../testing/mandates-under-test.ts';
import { lockDebits, mayBeCalled } from './debit.repository.ts';

const stopMeanwhile = sql(
  'test.stop_meanwhile',
  `WITH stopped AS (UPDATE mandate_debits SET stop_code = 'debit_opted_out' WHERE payment_id = 9103)
   INSERT INTO debit_attempts (tenant, payment_id, number, reference, state, started_at, called_at)
   VALUES ('demo', 9103, 1, 'ours_9103', 'begun', now(), now())`,
);
const LOCK_WAITS = `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock') AS waits`;

describe('the debits of a group', () => {
  let mandates: MandatesUnderTest;
  let database: Database;
  beforeAll(async () => {
    mandates = await MandatesUnderTest.start();
    ({ database } = mandates.service);
    await mandates.service.dueWorker.stop();
  });
  afterAll(() => mandates.stop());

  /** A debit of a mandate of its own. */
  const attempting = async (payment_id: number) => {
    await mandates.due(await mandates.createApproved(), payment_id, 3_600_000);
    await mandates.rows(`UPDATE mandate_debits SET state = 'attempting' WHERE payment_id = $1`, payment_id);
  };

  it('are those of the tenants that their keys name', async () => {
    await attempting(9_101);
    await attempting(9_102);
    const keys = [
      { tenant: 'other', payment_id: 9_101 },
      { tenant: 'demo', payment_id: 9_102 },
      { tenant: 'demo', payment_id: 9_999 },
    ];
    expect(await mayBeCalled(database, keys)).toEqual([false, true, false]);
    const locked = await database.transaction((tx) => lockDebits(tx, keys));
    expect([...locked.keys()]).toEqual([9_102]);
  });

  it('have what was committed while their mandate was locked by another', async () => {
    await attempting(9_103);
    const held = Promise.withResolvers<void>();
    const locks = Promise.withResolvers<void>();
    const other = database.transaction(async (tx) => {
      await lockDebits(tx, [{ tenant: 'demo', payment_id: 9_103 }]);
      locks.resolve();
      await held.promise;
      await tx.query(stopMeanwhile, []);
    });
    await locks.promise;
    const waits = database.transaction((tx) => lockDebits(tx, [{ tenant: 'demo', payment_id: 9_103 }]));
    await waitFor(async () => {
      const [row] = await mandates.rows<{ waits: boolean }>(LOCK_WAITS);
      return row?.waits;
    });
    held.resolve();
    await other;
    const debit = (await waits).get(9_103)?.debit;
    expect([debit?.stop_code, debit?.attempts.map(({ number }) => number)]).toEqual(['debit_opted_out', [1]]);
  });
});
