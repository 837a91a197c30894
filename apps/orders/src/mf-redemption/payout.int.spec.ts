import { SEEDED_HOLIDAYS, type MfRedemptionDto } from '@fundrail/contracts';
import type { ReconciliationCheck } from '@fundrail/service-kit/reconciliation';
import { gatewayBookCheck } from '../reconciliation/gateway-book.check.ts';
import { payoutsCheck } from '../reconciliation/payouts.check.ts';
import { STORIES } from '../testing/fake-order-gateway.ts';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';
import { CONTACTS, MONDAY } from '../testing/purchase.builder.ts';

/** The fake registrar trades on Tuesday, 22 December 2026. Friday is Christmas Day. */
const [THIRD_DAY, FIFTH_DAY] = ['2026-12-28', '2026-12-30'];
const at = (text: string) => new Date(`${text}+05:30`);
const PAID = { paid_out_at: '2026-12-29T10:00:00.000+05:30', payout_reference: 'N1' };
const UNPAID = { paid_out_at: null, payout_reference: null };

describe('the payout of redemptions (ORD-37)', () => {
  let orders: OrdersUnderTest;
  let check: ReconciliationCheck;
  beforeAll(async () => {
    orders = await OrdersUnderTest.start();
    check = orders.running.app.get(payoutsCheck.provide);
  });
  afterAll(() => orders.stop());
  beforeEach(() => {
    orders.clock.set(MONDAY);
    orders.gateway.payouts = true;
  });

  const get = (id: string) => orders.get<MfRedemptionDto>(id);
  const successful = async (story = 'successful') => {
    const { id } = await orders.createPendingRedemption();
    const body = { id, consent: CONTACTS, state: 'confirmed' };
    await orders.ask('PATCH', '/v2/mf_redemptions', { body });
    await orders.inState<MfRedemptionDto>(id, 'submitted');
    await orders.callback(id, story);
    return orders.inState<MfRedemptionDto>(id, 'successful');
  };
  const eventsAfterSuccess = async (id: string) => {
    const all = await orders.eventsOf(id);
    return all.slice(all.indexOf('successful') + 1);
  };
  /** The findings about the order. */
  const overdue = async ({ old_id }: MfRedemptionDto) => {
    const to = orders.clock.now();
    const { found } = await check.page(null, { from: to, to, wallFrom: to, wallTo: to });
    expect(await check.again(found)).toEqual(found);
    return found.filter(({ object }) => object === String(old_id));
  };

  it('is due on the third working day after traded_on, over a holiday; overseas on the fifth', async () => {
    expect(await successful()).toMatchObject({
      ...{ traded_on: '2026-12-22', payout_due_date: THIRD_DAY },
      ...UNPAID,
    });
    expect(await successful('successful_overseas')).toMatchObject({ payout_due_date: FIFTH_DAY });
    expect(await orders.createPendingRedemption()).toMatchObject({ payout_due_date: null, ...UNPAID });
  });

  it('is reported once, whatever comes twice or late', async () => {
    const { id } = await successful();
    for (const story of ['paid_out', 'paid_out', 'paid_out_again', 'successful', 'accepted'])
      await orders.callback(id, story);
    expect(await get(id)).toMatchObject({ state: 'successful', ...PAID });
    expect(await eventsAfterSuccess(id)).toEqual(['paid_out']);
    const last = (await orders.eventRows(id)).at(-1);
    expect(JSON.parse(last?.data ?? '')).toMatchObject({
      object: { id, ...PAID },
      previous_attributes: UNPAID,
    });
    expect((await orders.historyOf((await get(id)).old_id)).at(-1)).toBe('pay_out');
  });

  it('of another reference changes nothing, and is a finding in the book of the gateway', async () => {
    const { id } = await successful('paid_out');
    const book = orders.running.app.get<ReconciliationCheck>(gatewayBookCheck.provide);
    const foundWith = async (story: string) => {
      const status = STORIES[story];
      if (!status) throw new Error(`${story} is no story`);
      orders.gateway.known.set(id, status);
      const entries = [{ reference: id, amount: null, status }];
      orders.gateway.listOrders = () => Promise.resolve({ kind: 'yes', value: { entries, next: null } });
      const to = orders.clock.now();
      const { found } = await book.page(null, { from: to, to, wallFrom: to, wallTo: to });
      expect(await book.again(found)).toEqual(found);
      return found;
    };
    expect(await foundWith('paid_out')).toEqual([]);
    expect(await foundWith('paid_out_again')).toMatchObject([
      {
        ...{ kind: 'order_differs_at_gateway', object: id },
        facts: { contradiction: 'payout_reference_changed', missing_here: '' },
      },
    ]);
    delete orders.gateway.listOrders;
    expect(await get(id)).toMatchObject(PAID);
  });

  it('comes with the success where that is learnt late, and no more after a reversal', async () => {
    const late = await successful('paid_out');
    expect(late).toMatchObject(PAID);
    expect(await eventsAfterSuccess(late.id)).toEqual(['paid_out']);
    const { id } = await successful();
    await orders.callback(id, 'reversed');
    await orders.inState<MfRedemptionDto>(id, 'reversed');
    await orders.callback(id, 'paid_out');
    expect(await get(id)).toMatchObject({ state: 'reversed', ...UNPAID });
  });

  it('is overdue from 00:00 after the last day, twice in two runs, until the gateway reports it', async () => {
    const order = await successful();
    orders.clock.set(at(`${THIRD_DAY}T23:59:59.999`));
    expect(await overdue(order)).toEqual([]);
    orders.clock.set(at('2026-12-29T00:00:00'));
    const finding = { kind: 'payout_overdue', facts: { order: order.id, payout_due_date: THIRD_DAY } };
    const [found] = await overdue(order);
    expect(found).toMatchObject(finding);
    expect(await overdue(order)).toMatchObject([finding]);
    // The callback was lost: the gateway is asked, as it is when reconciliation repairs.
    const paid = STORIES['paid_out'];
    if (!found || !paid) throw new Error('nothing was found');
    orders.gateway.known.set(order.id, paid);
    expect(await check.repair(found, { acceptLostMoney: false })).toBe(true);
    await orders.settled();
    expect(await get(order.id)).toMatchObject(PAID);
    expect(await overdue(order)).toEqual([]);
  });

  it('follows the holidays that an operator replaces, until it is paid out or reversed (CONV-35)', async () => {
    const seeded = [...(SEEDED_HOLIDAYS.get(2026) ?? [])];
    const replaced_at = '2026-12-22T10:00:00.000+05:30';
    const year = { object: 'holiday_year', year: 2026, source: 'a test', plans_moved: 0, replaced_at };
    const replace = (dates: readonly string[]) =>
      orders.deliver('holiday_year.replaced', 'holiday_year_2026', { ...year, dates });
    const [order, overseas] = [await successful(), await successful('successful_overseas')];
    const [paid, reversed] = [await successful(), await successful()];
    const dueDays = async () =>
      Promise.all([order, overseas, paid, reversed].map(async ({ id }) => (await get(id)).payout_due_date));
    await replace([...seeded, '2026-12-23']);
    const [later, laterOverseas] = ['2026-12-29', '2026-12-31'];
    expect(await dueDays()).toEqual([later, laterOverseas, later, later]);
    orders.clock.set(at(`${later}T23:59:59.999`));
    expect(await overdue(order)).toEqual([]);
    orders.clock.set(at('2026-12-30T00:00:00'));
    const finding = { kind: 'payout_overdue', facts: { order: order.id, payout_due_date: later } };
    expect(await overdue(order)).toMatchObject([finding]);
    await orders.callback(paid.id, 'paid_out');
    await orders.callback(reversed.id, 'reversed');
    await orders.inState<MfRedemptionDto>(reversed.id, 'reversed');
    await replace(seeded);
    expect(await dueDays()).toEqual([THIRD_DAY, FIFTH_DAY, later, later]);
  });

  it('is not looked for where the gateway reports no payouts', async () => {
    const order = await successful();
    orders.clock.set(at('2027-01-31T00:00:00'));
    expect(await overdue(order)).toHaveLength(1);
    orders.gateway.payouts = false;
    expect(await overdue(order)).toEqual([]);
  });
});
