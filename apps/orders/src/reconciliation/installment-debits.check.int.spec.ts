import type { ReconciliationCheck } from '@fundrail/service-kit/reconciliation';
import { waitFor } from '@fundrail/testing';
import { aPurchaseInstallment } from '../testing/installment.builder.ts';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';
import { installmentDebitsCheck } from './installment-debits.check.ts';

const HOUR_MS = 3_600_000;

describe('the debits of installments that were never raised (SIP-25)', () => {
  let orders: OrdersUnderTest;
  let check: ReconciliationCheck;
  beforeAll(async () => {
    orders = await OrdersUnderTest.start();
    check = orders.running.app.get(installmentDebitsCheck.provide);
  });
  afterAll(() => orders.stop());

  const reviewed = async (payment_source: number | null) => {
    const installment = aPurchaseInstallment({ payment_source });
    await orders.deliver('mf_purchase_plan.installment_generated', installment.plan, installment);
    await orders.callback(installment.purchase, 'reviewed');
    return orders.inState(installment.purchase, 'pending');
  };
  const find = async () => {
    const to = orders.clock.now();
    return (await check.page(null, { from: to, to, wallFrom: to, wallTo: to })).found;
  };

  it('are found after an hour, and raised; those that were refused or need none are not found', async () => {
    orders.neighbours.onDebit = () => ({ outcome: 'refused', code: 'MANDATE_NOT_APPROVED', message: '' });
    await reviewed(null);
    await reviewed(7001);
    await orders.settled();
    orders.neighbours.onDebit = () => null;
    const { id, old_id } = await reviewed(7001);
    await waitFor(() => orders.neighbours.debits.some(({ order_id }) => order_id === id));
    await orders.settled();
    await orders.rows('DELETE FROM due_work WHERE key = $1', id);
    expect(await find()).toEqual([]);

    orders.clock.advance(HOUR_MS);
    const found = await find();
    expect(found).toEqual([
      { kind: 'installment_not_collected', object: String(old_id), tenant: 'demo', facts: { order: id } },
    ]);
    expect(await check.again(found)).toEqual(found);
    const raised = () => orders.neighbours.debits.filter(({ order_id }) => order_id === id).length;
    const before = raised();
    for (const finding of found) expect(await check.repair(finding)).toBe(true);
    orders.neighbours.onDebit = () => ({ outcome: 'refused', code: 'MANDATE_NOT_APPROVED', message: '' });
    await waitFor(() => raised() > before);
    await orders.settled();
    expect(await find()).toEqual([]);
  });

  it('are answered to plans with the amount of the order, by which it compares them', async () => {
    const { id } = await reviewed(null);
    const { body } = await orders.internal<unknown>('/internal/reconciliation/redemptions', { ids: [id] });
    expect(JSON.parse(JSON.stringify(body))).toEqual({
      redemptions: [{ id, state: 'pending', amount: 5000, failure_code: null, folio_number: null }],
    });
  });
});
