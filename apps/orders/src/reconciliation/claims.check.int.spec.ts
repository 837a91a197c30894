import type { MfRedemptionDto } from '@fundrail/contracts';
import type { Finding, ReconciliationCheck } from '@fundrail/service-kit/reconciliation';
import { paymentOfEvent, waitFor } from '@fundrail/testing';
import { NOT_FOUND, SILENCE } from '../testing/fake-order-gateway.ts';
import { aCollectedInstallment } from '../testing/installment.builder.ts';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';
import { claimsCheck } from './claims.check.ts';

const DAY_MS = 86_400_000;
const PAYMENT = 7100;

/** Payments changed by hand or restored from a backup, so that orders never received their event. */
describe('collected installments against their payments', () => {
  let orders: OrdersUnderTest;
  let check: ReconciliationCheck;
  beforeEach(async () => {
    orders = await OrdersUnderTest.start();
    check = orders.running.app.get(claimsCheck.provide);
  });
  afterEach(() => orders.stop());

  const find = async () => {
    const to = new Date(orders.clock.now().getTime() + DAY_MS);
    const from = new Date(to.getTime() - 3 * DAY_MS);
    const { found } = await check.page(null, { from, to, wallFrom: from, wallTo: to });
    expect(await check.again(found)).toEqual(found);
    return found;
  };
  const kinds = (found: readonly Finding[]) => found.map(({ kind, facts }) => [kind, facts['state'] ?? null]);
  const collected = async () => {
    orders.neighbours.onDebit = () => ({ outcome: 'raised', payment_id: PAYMENT, status: 'PENDING' });
    const { redemption, ...rest } = aCollectedInstallment();
    await orders.deliver('mf_redemption_plan.installment_generated', rest.plan, { ...rest, redemption });
    await orders.callback(redemption, 'reviewed');
    const order = await orders.inState<MfRedemptionDto>(redemption, 'confirmed');
    await orders.settled();
    await orders.claim(PAYMENT, [order.old_id], { mandate_id: 7001 });
    orders.neighbours.standings.set(PAYMENT, 'SUCCESS');
    const paid = { payment_type: 'NACH', amc_order_ids: [order.old_id] };
    await orders.deliver(
      'payment.success',
      PAYMENT,
      paymentOfEvent({ id: PAYMENT, status: 'SUCCESS', ...paid }),
    );
    return order;
  };
  const release = () => orders.internal('/internal/claims/release', { tenant: 'demo', payment_id: PAYMENT });
  const repaired = (finding: Finding | undefined) =>
    finding ? check.repair(finding, { acceptLostMoney: false }) : Promise.resolve(null);

  it('given a confirmed installment whose money went back, then it is found, and fails', async () => {
    orders.gateway.onSubmit = () => SILENCE;
    orders.gateway.onStatus = () => NOT_FOUND;
    const order = await collected();
    await waitFor(() => orders.gateway.countOf('submit', order.id) === 1);
    await orders.settled();
    await release();
    expect(await find()).toEqual([]);

    orders.neighbours.standings.set(PAYMENT, 'REJECTED');
    const found = await find();
    expect(kinds(found)).toEqual([['collection_without_money', 'confirmed']]);
    expect(await repaired(found[0])).toBe(true);
    orders.clock.advance(120_000);
    await orders.inState<MfRedemptionDto>(order.id, 'failed');
    expect(await find()).toEqual([]);
  });

  it('given a submitted one, then it is reported to clients, and the finding stays for an operator', async () => {
    const order = await collected();
    await orders.inState<MfRedemptionDto>(order.id, 'submitted');
    await release();
    orders.neighbours.standings.set(PAYMENT, 'REJECTED');
    const [finding] = await find();
    expect(await repaired(finding)).toBe(true);
    expect((await orders.eventsOf(order.id)).at(-1)).toBe('collection_returned');
    const left = await find();
    expect(kinds(left)).toEqual([['collection_without_money', 'submitted']]);
    expect(await repaired(left[0])).toBe(false);
  });

  it('given a successful one whose payment is not APPROVED, then it ended without money', async () => {
    const order = await collected();
    await orders.inState<MfRedemptionDto>(order.id, 'submitted');
    await orders.callback(order.id, 'successful');
    await orders.inState<MfRedemptionDto>(order.id, 'successful');
    orders.neighbours.standings.set(PAYMENT, 'APPROVED');
    await release();
    expect(await find()).toEqual([]);
    orders.neighbours.standings.set(PAYMENT, 'REJECTED');
    expect(await find()).toMatchObject([
      { kind: 'order_ended_without_money', facts: { payment_id: PAYMENT, payment_status: 'REJECTED' } },
    ]);
  });

  it('given an unknown payment, then it is found, and nothing is repaired', async () => {
    orders.gateway.onSubmit = () => SILENCE;
    await collected();
    await release();
    orders.neighbours.standings.clear();
    const found = await find();
    expect(kinds(found)).toEqual([['collection_without_money', 'confirmed']]);
    expect(await repaired(found[0])).toBe(false);
  });
});
