import { istInstant, PAYMENT_STATUSES, PAYMENT_TYPES } from '@fundrail/contracts';
import type { Queryable } from '@fundrail/persistence';
import { createTestDatabase, type TestDatabase } from '@fundrail/testing';
import fc from 'fast-check';
import pg from 'pg';
import { paymentsService } from '../index.ts';
import { INSERT_LISTED, listedAsJson, plainCounts, type Listed } from '../testing/listed-payments.ts';
import { MAX_FOLDED, foldPaymentCounts } from './payment-counts.repository.ts';

const DAY = '2026-12-21';

const ALL = `
  SELECT tenant, day, payment_type, status, sum(n)::int AS n FROM
    (SELECT * FROM payment_counts UNION ALL SELECT * FROM payment_count_deltas) AS counters
  GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0`;
/** The difference of both sides in one snapshot. */
const DIFFERENCES = `
  WITH counted AS (${ALL}), real AS (
    SELECT tenant, payment_day(created_at) AS day, payment_type, status, count(*)::int AS n FROM payments GROUP BY 1, 2, 3, 4
  )
  (SELECT * FROM counted EXCEPT SELECT * FROM real) UNION ALL (SELECT * FROM real EXCEPT SELECT * FROM counted)`;

const BECOME = `
  UPDATE payments SET status = $2, failure_code = CASE $2 WHEN 'FAILED' THEN 'payment_expired' END,
    transfer_reference = CASE WHEN $2 IN ('INITIATED', 'APPROVED') THEN 'trf_' || id END WHERE id = $1`;

const aPayment = (id: number, changes: Partial<Listed> = {}): Listed => ({
  id,
  tenant: 'demo',
  payment_type: 'NETBANKING',
  status: 'PENDING',
  created_at: istInstant(DAY, '10:00'),
  source_ref_id: null,
  amc_order_ids: [],
  ...changes,
});

describe('the counters of payments', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let db: Queryable;
  beforeEach(async () => {
    database = await createTestDatabase(paymentsService);
    pool = new pg.Pool({ connectionString: database.url, options: '-c lock_timeout=5s' });
    pool.on('error', () => undefined);
    db = {
      query: async <Row>({ name, text }: { name: string; text: string }, values: readonly unknown[] = []) =>
        (await pool.query<Row & pg.QueryResultRow>({ name, text, values: [...values] })).rows,
    };
  });
  afterEach(async () => {
    await pool.end();
    await database.drop();
  });

  const put = (...payments: readonly Listed[]) => pool.query(INSERT_LISTED, [listedAsJson(payments)]);
  const become = (id: number, status: string) => pool.query(BECOME, [id, status]);
  const rows = async (table: string) =>
    (await pool.query<{ n: number }>(`SELECT n FROM ${table} ORDER BY n`)).rows.map(({ n }) => n);
  const differences = async () => (await pool.query<object>(DIFFERENCES)).rows;
  const counters = async () => {
    const { rows: all } = await pool.query<{ key: string; n: number }>(
      `SELECT concat_ws(' ', tenant, day, payment_type, status) AS key, n FROM (${ALL}) AS all_counters`,
    );
    return Object.fromEntries(all.map(({ key, n }) => [key, n]));
  };

  it('count a payment on its day in India', async () => {
    const midnight = istInstant(DAY).getTime();
    const at = (ms: number) => new Date(midnight + ms);
    const payments = [-1, 0, 86_399_999, 86_400_000].map((ms, index) =>
      aPayment(index + 1, { created_at: at(ms) }),
    );
    await put(...payments);
    expect(await counters()).toEqual({
      'demo 2026-12-20 NETBANKING PENDING': 1,
      'demo 2026-12-21 NETBANKING PENDING': 2,
      'demo 2026-12-22 NETBANKING PENDING': 1,
    });
    expect(await counters()).toEqual(plainCounts(payments));
  });

  it('follow a status, and keep no row with 0 payments', async () => {
    await put(aPayment(1), aPayment(2));
    await foldPaymentCounts(db);
    expect(await rows('payment_counts')).toEqual([2]);
    await become(1, 'FAILED');
    await become(2, 'SUBMITTED');
    await foldPaymentCounts(db);
    expect(await counters()).toEqual({
      'demo 2026-12-21 NETBANKING FAILED': 1,
      'demo 2026-12-21 NETBANKING SUBMITTED': 1,
    });
    expect(await rows('payment_counts')).toEqual([1, 1]);
    expect(await rows('payment_count_deltas')).toEqual([]);
  });

  it('are folded in parts after a long pause', async () => {
    await pool.query(
      `INSERT INTO payment_count_deltas (tenant, day, payment_type, status, n)
       SELECT 'demo', date '2026-12-21' + n % 400, 'NETBANKING', 'PENDING', 1 FROM generate_series(1, $1::int) AS n`,
      [2 * MAX_FOLDED + 1],
    );
    const left = async () => (await rows('payment_count_deltas')).length;
    expect([await foldPaymentCounts(db), await left()]).toEqual([true, MAX_FOLDED + 1]);
    expect([await foldPaymentCounts(db), await left()]).toEqual([true, 1]);
    expect([await foldPaymentCounts(db), await left()]).toEqual([false, 0]);
    const counted = await rows('payment_counts');
    expect(counted.reduce((sum, n) => sum + n, 0)).toBe(2 * MAX_FOLDED + 1);
  });

  it('get one delta per statement and key for any number of payments', async () => {
    await put(
      ...Array.from({ length: 50 }, (_, index) =>
        aPayment(index + 1, { status: index < 20 ? 'FAILED' : 'PENDING' }),
      ),
    );
    expect(await rows('payment_count_deltas')).toEqual([20, 30]);
  });

  it('do not count unchanged payments or rolled back changes', async () => {
    await put(aPayment(1));
    await pool.query('UPDATE payments SET event_seq = event_seq + 1, status = status');
    expect(await rows('payment_count_deltas')).toEqual([1]);
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query(INSERT_LISTED, [listedAsJson([aPayment(2)])]);
    await client.query(BECOME, [1, 'SUBMITTED']);
    await client.query('ROLLBACK');
    client.release();
    expect(await rows('payment_count_deltas')).toEqual([1]);
  });

  it('do not make a change wait for another of the same day and status', async () => {
    await put(aPayment(1), aPayment(2));
    await foldPaymentCounts(db);
    const slow = await pool.connect();
    await slow.query('BEGIN');
    await slow.query(BECOME, [1, 'SUBMITTED']);
    // If the first one locked a counter, these would fail with a lock timeout.
    await become(2, 'SUBMITTED');
    await put(aPayment(3));
    await foldPaymentCounts(db);
    expect(await differences()).toEqual([]);
    await slow.query('COMMIT');
    slow.release();
    expect(await differences()).toEqual([]);
  });

  it('are exact at every moment during creations, changes, rollbacks and two concurrent folds', async () => {
    let busy = true;
    const wrong: unknown[] = [];
    const during = async (act: () => Promise<unknown>) => {
      while (busy) await act();
    };
    const watching = [
      during(() => foldPaymentCounts(db)),
      during(() => foldPaymentCounts(db)),
      during(async () => wrong.push(...(await differences()))),
    ];
    const draw = fc.sample(
      fc.record({
        payment_type: fc.constantFrom(...PAYMENT_TYPES),
        statuses: fc.array(fc.constantFrom(...PAYMENT_STATUSES), { maxLength: 4 }),
        isRolledBack: fc.boolean(),
      }),
      240,
    );
    const play = async (part: number) => {
      for (const [index, { payment_type, statuses, isRolledBack }] of draw.entries()) {
        if (index % 6 !== part) continue;
        await put(aPayment(index + 1, { payment_type }));
        const client = await pool.connect();
        await client.query('BEGIN');
        for (const status of statuses) await client.query(BECOME, [index + 1, status]);
        await client.query(isRolledBack ? 'ROLLBACK' : 'COMMIT');
        client.release();
      }
    };
    await Promise.all(Array.from({ length: 6 }, (_, part) => play(part)));
    busy = false;
    await Promise.all(watching);
    expect(wrong).toEqual([]);
    await foldPaymentCounts(db);
    expect(await differences()).toEqual([]);
    expect(await rows('payment_count_deltas')).toEqual([]);
    expect(Math.min(...(await rows('payment_counts')))).toBeGreaterThan(0);
  });
});
