import { istInstant } from '@fundrail/contracts';
import { sql } from '@fundrail/persistence';
import { scheduleDue } from '@fundrail/service-kit/due';
import { waitFor } from '@fundrail/testing';
import { RecountedExpiries1900000000051 } from '../migrations/recounted-expiries.migration.ts';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';

describe('expiry (ORD-22)', () => {
  let orders: OrdersUnderTest;
  const release = (payment_id: number) =>
    orders.internal('/internal/claims/release', { tenant: 'demo', payment_id });
  const stateOf = async (id: string) => (await orders.get(id)).state;

  beforeEach(async () => {
    orders = await OrdersUnderTest.start();
    orders.gateway.onStatus = () => ({
      kind: 'yes',
      value: {
        review: { result: 'passed' },
        submission: { result: 'accepted', order_reference: 'REF1' },
        outcome: { result: 'waiting' },
      },
    });
  });
  afterEach(() => orders.stop());

  it('order_expiry runs at 00:00 IST of the eighth business day, not a millisecond before', async () => {
    const { id } = await orders.createPending();
    orders.clock.set(new Date(istInstant('2027-01-01').getTime() - 1));
    await orders.settled();
    expect(await stateOf(id)).toBe('pending');
    orders.clock.advance(1);
    const failed = await orders.inState(id, 'failed');
    expect(failed).toMatchObject({
      failure_code: 'order_expiry',
      failed_at: '2027-01-01T00:00:00.000+05:30',
    });
  });

  it('order_expiry counts by the holiday list that an operator has set (ADMIN-11)', async () => {
    const dates = ['2026-12-22', '2026-12-23'];
    const year = { object: 'holiday_year', year: 2026, dates, source: 'a test', plans_moved: 0 };
    const replaced_at = '2026-12-21T10:00:00.000+05:30';
    await orders.deliver('holiday_year.replaced', 'holiday_year_2026', { ...year, replaced_at });
    const { id } = await orders.createPending();
    orders.clock.set(new Date(istInstant('2027-01-04').getTime() - 1));
    await orders.settled();
    expect(await stateOf(id)).toBe('pending');
    orders.clock.advance(1);
    expect(await orders.inState(id, 'failed')).toMatchObject({ failure_code: 'order_expiry' });
  });

  const replace = (dates: readonly string[], at = orders) => {
    const year = { object: 'holiday_year', year: 2026, dates, source: 'a test', plans_moved: 0 };
    const replaced_at = '2026-12-21T10:00:00.000+05:30';
    return at.deliver('holiday_year.replaced', 'holiday_year_2026', { ...year, replaced_at });
  };
  /** The current deadline of each order. */
  const deadlines = () =>
    orders.running.database.query<{ due_at: Date; orders: number }>(
      sql(
        'test.deadlines',
        `SELECT due_at, count(*) AS orders FROM due_work WHERE kind = 'order.expire' GROUP BY due_at`,
      ),
    );
  const until = (date: string, count = 1) =>
    waitFor(async () => {
      const [only, other] = await deadlines();
      return !other && only?.orders === count && only.due_at.getTime() === istInstant(date).getTime();
    });

  it('order_expiry follows a list that changes later: two more holidays add two days, one less removes one', async () => {
    await replace(['2026-12-25']);
    await orders.createPending();
    await until('2027-01-01');
    await replace(['2026-12-22', '2026-12-23', '2026-12-25']);
    await until('2027-01-05');
    await replace(['2026-12-23', '2026-12-25']);
    await until('2027-01-04');
  });

  it('order_expiry is due at once when the new list has passed it', async () => {
    await replace(['2026-12-22', '2026-12-23', '2026-12-25']);
    const { id } = await orders.createPending();
    orders.clock.set(istInstant('2027-01-02'));
    await orders.settled();
    expect(await stateOf(id)).toBe('pending');
    await replace([]);
    expect(await orders.inState(id, 'failed')).toMatchObject({ failure_code: 'order_expiry' });
  });

  it('order_expiry of many orders follows in pages, at two replicas that receive different lists', async () => {
    const MANY = 1_203;
    const { id } = await orders.createPending();
    await orders.running.database.query(
      sql(
        'test.many_orders',
        `WITH made AS (
           INSERT INTO mf_orders SELECT (jsonb_populate_record(o, jsonb_build_object(
               'id', 'mfp_' || lpad(n::text, 32, '0'), 'old_id', 500000 + n))).*
             FROM mf_orders o, generate_series(1, $2::int) n WHERE o.id = $1 RETURNING id
         ) INSERT INTO due_work (kind, key, tenant, due_at) SELECT 'order.expire', id, 'demo', $3 FROM made`,
      ),
      [id, MANY, istInstant('2027-01-01')],
    );
    const other = await orders.replica();
    await Promise.all([
      replace(['2026-12-25', '2026-12-22']),
      replace(['2026-12-25', '2026-12-22', '2026-12-23'], other),
    ]);
    await orders.settled();
    const [only, more] = await deadlines();
    await other.stop();
    expect(more).toBeUndefined();
    expect(only?.orders).toBe(MANY + 1);
    const last = await orders.running.database.query<{ days: string[] }>(
      sql('test.list', 'SELECT days FROM holiday_copies WHERE year = 2026'),
    );
    expect(only?.due_at).toEqual(istInstant(last[0]?.days.length === 3 ? '2027-01-05' : '2027-01-04'));
  });

  it('order_expiry continues the recount at the page where it crashed', async () => {
    const { id } = await orders.createPending();
    await until('2027-01-01');
    await orders.running.database.query(
      sql('test.list_of', `UPDATE holiday_copies SET days = '{2026-12-22,2026-12-25}' WHERE year = 2026`),
    );
    // The previous page has committed and scheduled this one.
    const before = `mfp_${'0'.repeat(32)}`;
    await orders.running.database.transaction((tx) =>
      scheduleDue(tx, {
        ...{ kind: 'deadlines.recount', key: `order.expire ${before}` },
        ...{ tenant: 'demo', due_at: tx.now },
      }),
    );
    await until('2027-01-04');
    expect(await stateOf(id)).toBe('pending');
  });

  it('order_expiry of already waiting orders follows the rule of a new release', async () => {
    const runner = orders.running.database.dataSource.createQueryRunner();
    const migration = new RecountedExpiries1900000000051();
    const recounts = () =>
      runner.query(`SELECT key FROM due_work WHERE kind = 'deadlines.recount'`) as Promise<object[]>;
    await migration.up(runner);
    expect(await recounts()).toEqual([]);
    await orders.createPending();
    await until('2027-01-01');
    await runner.query(`UPDATE due_work SET due_at = '2026-12-30T00:00+05:30' WHERE kind = 'order.expire'`);
    await migration.up(runner);
    await until('2027-01-01');
    await runner.release();
  });

  it('order_expiry waits while a payment holds the order, and runs after the release', async () => {
    const { id, old_id } = await orders.createPayable();
    orders.neighbours.payments.add(5);
    await orders.claim(5, [old_id]);
    orders.clock.set(istInstant('2027-01-02'));
    await orders.settled();
    expect(await stateOf(id)).toBe('pending');
    await release(5);
    expect(await orders.inState(id, 'failed')).toMatchObject({ failure_code: 'order_expiry' });
  });

  it('order_expiry is not lost when a release starts before the deadline and waits for the row until after it', async () => {
    const { id, old_id } = await orders.createPayable();
    orders.neighbours.payments.add(5);
    await orders.claim(5, [old_id]);
    const [holder, witness] = [await orders.connect(), await orders.connect()];
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const queued = (count: number) =>
      waitFor(async () => (await witness.query(waiting)).rowCount === count, { what: `${count} waiting` });
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM mf_orders WHERE old_id = $1 FOR UPDATE', [old_id]);
    orders.clock.set(istInstant('2027-01-01'));
    await queued(1);
    orders.clock.advance(-1);
    const released = release(5);
    await queued(2);
    await holder.query('COMMIT');
    await released;
    await Promise.all([holder.end(), witness.end()]);
    orders.clock.advance(1);
    expect(await orders.inState(id, 'failed')).toMatchObject({ failure_code: 'order_expiry' });
  });

  it('payment_url_unused runs at 23:00 IST, not a millisecond before, on an unpaid order (ORD-25)', async () => {
    const { id } = await orders.createSubmitted(5);
    await release(5);
    orders.clock.set(new Date(istInstant('2026-12-21', '23:00').getTime() - 1));
    await orders.settled();
    expect(await stateOf(id)).toBe('submitted');
    orders.clock.advance(1);
    expect(await orders.inState(id, 'failed')).toMatchObject({ failure_code: 'payment_url_unused' });
  });

  it('payment_url_unused ends an order that a client of the upstream confirmed and did not pay (COMP-7)', async () => {
    const { id } = await orders.createPayable();
    const body = { id, state: 'confirmed' };
    await orders.ask('PATCH', '/v2/mf_purchases', { body, compatibility: 'upstream' });
    await orders.inState(id, 'submitted');
    orders.clock.set(new Date('2026-12-21T23:00:00.000+05:30'));
    expect(await orders.inState(id, 'failed')).toMatchObject({ failure_code: 'payment_url_unused' });
  });

  it('payment_url_unused spares an order that was submitted less than 30 minutes before', async () => {
    orders.clock.set(istInstant('2026-12-21', '22:31'));
    const { id } = await orders.createSubmitted(5);
    await release(5);
    orders.clock.set(istInstant('2026-12-21', '23:00'));
    await orders.settled();
    expect(await stateOf(id)).toBe('submitted');
    orders.clock.set(istInstant('2026-12-22', '23:00'));
    await orders.inState(id, 'failed');
  });

  it('payment_url_unused waits for the next day while a payment holds the order (ORD-25)', async () => {
    const { id } = await orders.createSubmitted(5);
    orders.neighbours.payments.add(5);
    orders.clock.set(istInstant('2026-12-21', '23:00'));
    await orders.settled();
    await release(5);
    await orders.settled();
    expect(await stateOf(id)).toBe('submitted');
    orders.clock.set(istInstant('2026-12-22', '23:00'));
    expect(await orders.inState(id, 'failed')).toMatchObject({ failure_code: 'payment_url_unused' });
  });
});
