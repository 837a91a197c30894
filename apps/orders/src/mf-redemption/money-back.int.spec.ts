import type { GiveBackAnswer, MfRedemptionDto } from '@fundrail/contracts';
import { sql } from '@fundrail/persistence';
import { paymentOfEvent, setFaultHandler, waitFor } from '@fundrail/testing';
import { ACCEPTED, facts, NOT_FOUND, PASSED, SILENCE } from '../testing/fake-order-gateway.ts';
import { aCollectedInstallment } from '../testing/installment.builder.ts';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';

const CONFIRMED = ['created', 'review_completed', 'confirmed'];
const MINUTE_MS = 60_000;
const CLOCKS_APART_MS = MINUTE_MS;
/** The state that a replica of the previous release leaves: it writes no mark. */
const withoutMark = sql(
  'test.without_mark',
  'UPDATE mf_orders SET submission_called_at = NULL, submission_over_at = NULL WHERE id = $1',
);
const rowOf = sql(
  'test.collected_row',
  'SELECT state, collected_at, submission_stopped_at AS stopped FROM mf_orders WHERE id = $1',
);

/** An installment whose debit took the money, which is then refunded. */
describe('collected money that goes back', () => {
  let orders: OrdersUnderTest;
  let payment_id = 6000;
  beforeAll(async () => {
    orders = await OrdersUnderTest.start();
  });
  afterAll(() => orders.stop());
  beforeEach(() => {
    payment_id += 1;
    orders.gateway.onSubmit = () => ({ kind: 'yes', value: { order_reference: 'REF1' } });
    orders.gateway.onStatus = () => NOT_FOUND;
  });

  /** A confirmed installment that its debit has claimed. */
  const claimed = async () => {
    const id = payment_id;
    orders.neighbours.onDebit = () => ({ outcome: 'raised', payment_id: id, status: 'PENDING' });
    const { redemption, ...rest } = aCollectedInstallment();
    await orders.deliver('mf_redemption_plan.installment_generated', rest.plan, { ...rest, redemption });
    await orders.callback(redemption, 'reviewed');
    const order = await orders.inState<MfRedemptionDto>(redemption, 'confirmed');
    await orders.settled();
    expect(await orders.claim(id, [order.old_id], { mandate_id: 7001 })).toMatchObject({
      outcome: 'claimed',
    });
    return order;
  };
  const report = ({ old_id }: MfRedemptionDto, type: 'payment.success' | 'payment.rejected') => {
    const status = type === 'payment.success' ? 'SUCCESS' : 'REJECTED';
    const about = { payment_type: 'NACH', amc_order_ids: [old_id] };
    return orders.deliver(type, payment_id, paymentOfEvent({ id: payment_id, status, ...about }));
  };
  const giveBack = async ({ old_id }: MfRedemptionDto, at = orders, payment = payment_id) => {
    const body = { tenant: 'demo', payment_id: payment, amc_order_ids: [old_id] };
    return (await at.internal<GiveBackAnswer>('/internal/collections/give-back', body)).body;
  };
  /** Collected while the gateway does not answer. */
  const unanswered = async () => {
    orders.gateway.onSubmit = () => SILENCE;
    orders.gateway.onStatus = () => SILENCE;
    const order = await claimed();
    await report(order, 'payment.success');
    await waitFor(() => orders.gateway.countOf('submit', order.id) === 1);
    await orders.settled();
    return order;
  };
  const submitted = async () => {
    const order = await claimed();
    await report(order, 'payment.success');
    return orders.inState<MfRedemptionDto>(order.id, 'submitted');
  };
  const rowNow = async (id: string) => {
    const [row] = await orders.running.database.query<{ collected_at: Date | null; stopped: Date | null }>(
      rowOf,
      [id],
    );
    return row;
  };

  describe('before the submission (ORD-29)', () => {
    it('fails the installment that was never sent, although orders has not received the success', async () => {
      const order = await claimed();
      expect(await giveBack(order)).toEqual({ outcome: 'free' });
      await report(order, 'payment.success');
      await report(order, 'payment.rejected');
      await orders.settled();
      expect(await orders.inState<MfRedemptionDto>(order.id, 'failed')).toMatchObject({
        failure_code: 'mandate_payment_failed',
      });
      expect(await orders.eventsOf(order.id)).toEqual([...CONFIRMED, 'failed']);
      expect(orders.gateway.countOf('submit', order.id)).toBe(0);
    });

    it('fails it when the gateway, once it answers, does not have it, and never sends it again', async () => {
      const order = await unanswered();
      expect(await giveBack(order)).toEqual({ outcome: 'free' });
      await report(order, 'payment.rejected');
      orders.gateway.onStatus = () => ({ kind: 'yes', value: facts(PASSED) });
      orders.clock.advance(MINUTE_MS + CLOCKS_APART_MS);
      expect(await orders.inState<MfRedemptionDto>(order.id, 'failed')).toMatchObject({
        failure_code: 'mandate_payment_failed',
      });
      expect(orders.gateway.countOf('submit', order.id)).toBe(1);
      expect(await orders.eventsOf(order.id)).toEqual([...CONFIRMED, 'failed']);
    });

    it('fails it by the event alone, when the money went back without the question of payments', async () => {
      const order = await unanswered();
      await report(order, 'payment.rejected');
      await report(order, 'payment.rejected');
      orders.gateway.onStatus = () => NOT_FOUND;
      // Each report causes a question to the gateway, and each unclear answer postpones the next question.
      await waitFor(
        async () => {
          orders.clock.advance(MINUTE_MS);
          return (await orders.get<MfRedemptionDto>(order.id)).state === 'failed';
        },
        { what: `${order.id} to be failed` },
      );
      expect(orders.gateway.countOf('submit', order.id)).toBe(1);
    });

    it('does not conclude that a call never arrived while it may still arrive', async () => {
      const order = await unanswered();
      await giveBack(order);
      orders.gateway.onStatus = () => NOT_FOUND;
      orders.clock.advance(5_000);
      await orders.settled();
      orders.clock.advance(9_999 + CLOCKS_APART_MS);
      await orders.settled();
      expect((await orders.get<MfRedemptionDto>(order.id)).state).toBe('confirmed');
      orders.clock.advance(1);
      await orders.inState<MfRedemptionDto>(order.id, 'failed');
    });

    it('follows the gateway when it accepted the order after all, and reports that once', async () => {
      const order = await unanswered();
      await giveBack(order);
      await report(order, 'payment.rejected');
      orders.gateway.onStatus = () => ({ kind: 'yes', value: facts(ACCEPTED) });
      orders.clock.advance(MINUTE_MS);
      await orders.inState<MfRedemptionDto>(order.id, 'submitted');
      await report(order, 'payment.rejected');
      expect(await orders.eventsOf(order.id)).toEqual([...CONFIRMED, 'submitted', 'collection_returned']);
    });

    it.each([
      ['the question of payments', giveBack],
      ['the event alone', (order: MfRedemptionDto) => report(order, 'payment.rejected')],
    ])(
      'follows the gateway when a replica of the previous release made the call without a mark, after %s',
      async (_how, back) => {
        const order = await unanswered();
        await orders.running.database.query(withoutMark, [order.id]);
        await back(order);
        await orders.settled();
        expect((await orders.get<MfRedemptionDto>(order.id)).state).toBe('confirmed');
        orders.gateway.onStatus = () => ({ kind: 'yes', value: facts(ACCEPTED) });
        orders.clock.advance(MINUTE_MS);
        await orders.inState<MfRedemptionDto>(order.id, 'submitted');
        expect(orders.gateway.countOf('submit', order.id)).toBe(1);
      },
    );

    it('continues when payments did not refund the money in the end', async () => {
      const order = await unanswered();
      await giveBack(order);
      orders.gateway.onStatus = () => ({ kind: 'yes', value: facts(ACCEPTED) });
      orders.clock.advance(MINUTE_MS);
      await orders.inState<MfRedemptionDto>(order.id, 'submitted');
      expect(await orders.eventsOf(order.id)).toEqual([...CONFIRMED, 'submitted']);
    });
  });

  describe('while the call that submits it is in progress', () => {
    it('stays when the submission came first, and a second question returns submitted', async () => {
      const order = await claimed();
      const fault = setFaultHandler('orders.submit.answered');
      await report(order, 'payment.success');
      await fault.reached;
      expect(await giveBack(order)).toMatchObject({ outcome: 'kept', reason: 'submission_under_way' });
      fault.resume();
      await orders.inState<MfRedemptionDto>(order.id, 'submitted');
      expect(await giveBack(order)).toMatchObject({ outcome: 'kept', reason: 'submitted' });
    });

    it('comes first when payments asked before the call, at another replica', async () => {
      const other = await orders.replica();
      const order = await claimed();
      const lock = await orders.connect();
      await lock.query('BEGIN');
      await lock.query('SELECT FROM mf_orders WHERE id = $1 FOR UPDATE', [order.id]);
      const asked = giveBack(order, other);
      const reported = report(order, 'payment.success');
      await waitFor(async () => {
        const { rows } = await lock.query(`SELECT FROM pg_locks WHERE NOT granted`);
        return rows.length > 0;
      });
      await lock.query('COMMIT');
      await lock.end();
      const [answer] = await Promise.all([asked, reported]);
      await orders.settled();
      await other.stop();
      const sent = orders.gateway.countOf('submit', order.id);
      expect(sent).toBe(answer.outcome === 'free' ? 0 : 1);
      const { state } = await orders.get<MfRedemptionDto>(order.id);
      expect(state).toBe(answer.outcome === 'free' ? 'failed' : 'submitted');
    });

    it('stays while a replica of the previous release makes the call without a mark', async () => {
      const order = await claimed();
      const fault = setFaultHandler('orders.submit.answered');
      await report(order, 'payment.success');
      await fault.reached;
      await orders.running.database.query(withoutMark, [order.id]);
      expect(await giveBack(order)).toMatchObject({ outcome: 'kept', reason: 'submission_under_way' });
      fault.resume();
      await orders.inState<MfRedemptionDto>(order.id, 'submitted');
    });

    it('can go back a minute after the calling process has died, even with clocks a minute apart', async () => {
      const order = await claimed();
      const fault = setFaultHandler('orders.submit.answered');
      await report(order, 'payment.success');
      await fault.reached;
      orders.clock.advance(MINUTE_MS + CLOCKS_APART_MS - 1);
      expect(await giveBack(order)).toMatchObject({ outcome: 'kept', reason: 'submission_under_way' });
      orders.clock.advance(1);
      expect(await giveBack(order)).toEqual({ outcome: 'free' });
      fault.resume();
      expect((await rowNow(order.id))?.stopped).not.toBeNull();
    });
  });

  describe('after the submission', () => {
    it.each(['submitted', 'successful'] as const)(
      'is reported once for an installment that is %s, and its state stays (ORD-30)',
      async (state) => {
        const order = await submitted();
        if (state === 'successful') {
          await orders.callback(order.id, 'successful');
          await orders.inState<MfRedemptionDto>(order.id, 'successful');
        }
        await report(order, 'payment.rejected');
        await report(order, 'payment.rejected');
        await orders.settled();
        expect((await orders.get<MfRedemptionDto>(order.id)).state).toBe(state);
        const events = await orders.eventsOf(order.id);
        expect(events.filter((type) => type === 'collection_returned')).toHaveLength(1);
      },
    );
  });

  it("changes nothing on another payment's order", async () => {
    const order = await claimed();
    expect(await giveBack(order, orders, payment_id + 1_000_000)).toEqual({ outcome: 'free' });
    await report(order, 'payment.success');
    await orders.inState<MfRedemptionDto>(order.id, 'submitted');
  });
});
