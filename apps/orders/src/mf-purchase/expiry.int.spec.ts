import { istInstant } from '@fundrail/contracts';
import { waitFor } from '@fundrail/testing';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';

describe('expiry', () => {
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

  it('order_expiry strikes at 00:00 IST of the eighth business day, not a millisecond before', async () => {
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

  it('order_expiry counts by the holiday list that an operator has put in place', async () => {
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

  it('order_expiry waits while a payment holds the order, and strikes when it lets go', async () => {
    const { id, old_id } = await orders.createPayable();
    orders.neighbours.payments.add(5);
    await orders.claim(5, [old_id]);
    orders.clock.set(istInstant('2027-01-02'));
    await orders.settled();
    expect(await stateOf(id)).toBe('pending');
    await release(5);
    expect(await orders.inState(id, 'failed')).toMatchObject({ failure_code: 'order_expiry' });
  });

  it('order_expiry is not lost on a release that began before the deadline and waited for the row until after it', async () => {
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

  it('payment_url_unused strikes at 23:00 IST, not a millisecond before, when nobody pays', async () => {
    const { id } = await orders.createSubmitted(5);
    await release(5);
    orders.clock.set(new Date(istInstant('2026-12-21', '23:00').getTime() - 1));
    await orders.settled();
    expect(await stateOf(id)).toBe('submitted');
    orders.clock.advance(1);
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

  it('payment_url_unused waits for the next day while a payment holds the order', async () => {
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
