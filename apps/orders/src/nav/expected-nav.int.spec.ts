import type { MfPurchaseDto } from '@fundrail/contracts';
import { paymentOfEvent } from '@fundrail/testing';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';
import { LearnMoney } from './learn-money.ts';

const HOUR_MS = 3_600_000;
/** A time of Monday, 21 December 2026. */
const at = (time: string) => `2026-12-21T${time}:00.000+05:30`;
const [MONDAY, TUESDAY] = ['2026-12-21', '2026-12-22'];
const estimate = (date: string) => ({ expected_nav_date: date, expected_nav_basis: 'estimate' });
const realised = (date: string) => ({ expected_nav_date: date, expected_nav_basis: 'funds_realised' });

describe('the expected NAV of orders (ORD-36)', () => {
  let orders: OrdersUnderTest;
  const lines: string[] = [];
  let payment = 8000;
  beforeAll(async () => {
    orders = await OrdersUnderTest.start({ lines });
  });
  afterAll(() => orders.stop());
  beforeEach(() => {
    payment += 1;
    orders.clock.set(at('10:00'));
  });

  /** A purchase of the category `other`, submitted on Monday at 10:00 and held by the test's payment. */
  const submitted = async (): Promise<MfPurchaseDto> => {
    const { id, old_id } = await orders.create();
    await orders.callback(id, 'reviewed_other');
    await orders.inState(id, 'pending');
    const consent = { email: 'asha@example.com' };
    await orders.ask('PATCH', '/v2/mf_purchases', { body: { id, consent } });
    // The sweep of claims finds it: an unknown payment would be released once the clock moves.
    orders.neighbours.payments.add(payment);
    await orders.claim(payment, [old_id]);
    await orders.ask('PATCH', '/v2/mf_purchases', { body: { id, state: 'confirmed' } });
    return orders.inState(id, 'submitted');
  };
  const money = (
    type: 'payment.success' | 'payment.approved' | 'payment.failed',
    { old_id }: MfPurchaseDto,
    times: { received: string; settled?: string },
    { of = payment, event }: { of?: number; event?: string } = {},
  ) => {
    const status = {
      'payment.success': 'SUCCESS',
      'payment.approved': 'APPROVED',
      'payment.failed': 'FAILED',
    } as const;
    const about = {
      amc_order_ids: [old_id],
      debit_confirmed_at: at(times.received),
      settled_at: times.settled === undefined ? null : at(times.settled),
    };
    return orders.deliver(type, of, paymentOfEvent({ id: of, status: status[type], ...about }), event);
  };
  const warningsAbout = (id: string) =>
    lines.filter((line) => line.includes('NAV of another day') && line.includes(id));

  it('is printed from the review on, by the time of printing, and is never a change in an event', async () => {
    const { id } = await orders.create();
    expect(await orders.get(id)).toMatchObject({ scheme_category: null, expected_nav_date: null });
    await orders.callback(id, 'reviewed_other');
    expect(await orders.inState(id, 'pending')).toMatchObject({
      scheme_category: 'other',
      ...estimate(MONDAY),
    });
    orders.clock.advance(5 * HOUR_MS);
    expect(await orders.get(id)).toMatchObject(estimate(TUESDAY));
    const { body } = await orders.ask<{ data: MfPurchaseDto[] }>('GET', '/v2/mf_purchases?limit=1');
    expect(body.data).toMatchObject([{ id, ...estimate(TUESDAY) }]);
    const [created, reviewed] = (await orders.eventRows(id)).map(
      ({ data }) => JSON.parse(data) as { object: object; previous_attributes: object | null },
    );
    expect(created?.object).toMatchObject({ scheme_category: null, expected_nav_date: null });
    expect(reviewed?.object).toMatchObject({ scheme_category: 'other', ...estimate(MONDAY) });
    expect(Object.keys(reviewed?.previous_attributes ?? {})).toEqual([
      'state',
      'scheme_category',
      'review_completed_at',
    ]);
  });

  it('is null for an order whose gateway does not report the category', async () => {
    const { id } = await orders.createPending();
    expect(await orders.get(id)).toMatchObject({
      ...{ scheme_category: null, expected_nav_date: null, expected_nav_basis: null },
    });
  });

  it('follows the money of the payment that holds the order, once, whatever comes twice or late', async () => {
    const order = await submitted();
    orders.clock.set(at('23:00'));
    expect(await orders.get(order.id)).toMatchObject(estimate(TUESDAY));
    await money('payment.success', order, { received: '14:45' }, { of: payment + 500 });
    expect(await orders.get(order.id)).toMatchObject(estimate(TUESDAY));
    const event = `evt_${'7'.repeat(32)}`;
    await money('payment.success', order, { received: '14:45' }, { event });
    await money('payment.success', order, { received: '14:45' }, { event });
    expect(await orders.get(order.id)).toMatchObject(estimate(MONDAY));
    await money('payment.approved', order, { received: '14:45', settled: '15:01' });
    expect(await orders.get(order.id)).toMatchObject(realised(TUESDAY));
    await money('payment.success', order, { received: '14:45' });
    expect(await orders.get(order.id)).toMatchObject(realised(TUESDAY));
  });

  it('counts money as now again once its payment has let the order go', async () => {
    const order = await submitted();
    await money('payment.success', order, { received: '10:00' });
    orders.clock.set(at('20:00'));
    expect(await orders.get(order.id)).toMatchObject(estimate(MONDAY));
    await money('payment.failed', order, { received: '10:00' });
    expect(await orders.get(order.id)).toMatchObject(estimate(TUESDAY));
  });

  it('counts only the money of the payment that has taken the order', async () => {
    const { id, old_id } = await orders.create();
    await orders.callback(id, 'reviewed_other');
    await orders.inState(id, 'pending');
    const body = { id, consent: { email: 'asha@example.com' } };
    await orders.ask('PATCH', '/v2/mf_purchases', { body });
    const order = await orders.get(id);
    await orders.claim(payment, [old_id]);
    await orders.internal('/internal/claims/release', { tenant: 'demo', payment_id: payment });
    // The event of a payment that the order was released from comes late.
    await money('payment.success', order, { received: '10:00' });
    payment += 1;
    orders.neighbours.payments.add(payment);
    await orders.claim(payment, [old_id]);
    orders.clock.set(at('20:00'));
    expect(await orders.get(id)).toMatchObject(estimate(TUESDAY));
  });

  it('is not looked for at a payment without orders, such as the authorisation of a mandate', async () => {
    const queried: unknown[] = [];
    const tx = { query: (...asked: unknown[]) => Promise.resolve(queried.push(asked) > 0 ? [] : []) };
    const learn = orders.running.app.get(LearnMoney);
    const paid = { id: payment, debit_confirmed_at: null, settled_at: null };
    await learn.executeIn(Object.assign(Object.create(null), tx), 'demo', { ...paid, amc_order_ids: [] });
    expect(queried).toEqual([]);
  });

  it.each(['before', 'after'])(
    'is compared with traded_on, and a difference is logged once, the money known %s it',
    async (when) => {
      const order = await submitted();
      const learn = async () => {
        await money('payment.success', order, { received: '10:00' });
        await money('payment.approved', order, { received: '10:00', settled: '11:00' });
      };
      if (when === 'before') await learn();
      await orders.callback(order.id, 'successful');
      await orders.inState(order.id, 'successful');
      if (when === 'after') await learn();
      await money('payment.approved', order, { received: '10:00', settled: '11:00' });
      await orders.callback(order.id, 'successful');
      expect(await orders.get(order.id)).toMatchObject({ traded_on: TUESDAY, ...realised(MONDAY) });
      expect(warningsAbout(order.id).map((line) => JSON.parse(line) as object)).toMatchObject([
        { level: 'warn', traded_on: TUESDAY, expected: MONDAY },
      ]);
    },
  );

  it('is not logged where it agrees with traded_on', async () => {
    const order = await submitted();
    await money('payment.approved', order, { received: '14:50', settled: '15:01' });
    await orders.callback(order.id, 'successful');
    expect(await orders.inState(order.id, 'successful')).toMatchObject({
      traded_on: TUESDAY,
      ...realised(TUESDAY),
    });
    expect(warningsAbout(order.id)).toEqual([]);
  });
});
