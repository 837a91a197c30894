import type { PaymentDto } from '@fundrail/contracts';
import type { FakeOrder } from '../testing/fake-neighbours.ts';
import { PaymentsStage } from '../testing/start-payments.ts';

describe('the debit of an installment when its order changes', () => {
  let stage: PaymentsStage;
  let order: FakeOrder;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
    order = stage.neighbours.anInstallment();
  });
  afterEach(() => stage.stop());

  const until = (id: number, wanted: PaymentDto['status']) =>
    stage.until(id, ({ status }) => status === wanted);
  /** A debit that took the money while its order is confirmed. */
  const paid = async (): Promise<number> => {
    const answer = await stage.debit(stage.neighbours.mandates.anApproved().id, order);
    const { id } = answer.json<{ id: number }>();
    await stage.debitSucceeds(id);
    await until(id, 'SUCCESS');
    return id;
  };

  it('keeps the money until the order is submitted, and transfers it then (XFER-6)', async () => {
    const id = await paid();
    stage.provider.onTransfer.set({ kind: 'yes', value: { status: 'settled' } });
    expect((await stage.get(id)).transfer_initiated_at).toBeNull();
    await stage.orderBecomes(order, 'submitted', 'mf_redemption.submitted');
    await until(id, 'APPROVED');
  });

  it('refunds the money when the order fails before the transfer', async () => {
    const id = await paid();
    await stage.orderBecomes(order, 'failed', 'mf_redemption.failed');
    await until(id, 'REJECTED');
    expect(await stage.get(id)).toMatchObject({ refund_reason: 'order_failed' });
  });

  const refund = (id: number) => {
    const authorization = stage.neighbours.tokens.header('demo', 'admin');
    return stage.send('POST', `/api/pg/payments/${id}/refunds`, {}, { authorization });
  };

  it('is refunded by an operator only after orders has released it', async () => {
    const id = await paid();
    stage.neighbours.silent.add('orders');
    expect((await refund(id)).status).toBe(503);
    stage.neighbours.silent.clear();
    stage.neighbours.onGiveBack = () =>
      Promise.resolve({ outcome: 'kept', old_id: order.old_id, reason: 'submission_under_way' });
    expect((await refund(id)).status).toBe(503);
    stage.neighbours.onGiveBack = () =>
      Promise.resolve({ outcome: 'kept', old_id: order.old_id, reason: 'submitted' });
    expect((await refund(id)).status).toBe(409);
    expect(await stage.get(id)).toMatchObject({ status: 'SUCCESS', refunds: [] });
    stage.neighbours.onGiveBack = () => Promise.resolve({ outcome: 'free' });
    expect((await refund(id)).json()).toMatchObject({ status: 'REJECTED', refund_reason: 'operator' });
    expect(stage.neighbours.givenBack).toEqual([order.old_id, order.old_id, order.old_id]);
  });

  it('is returned as refunded when its order fails before the refund is stored', async () => {
    const id = await paid();
    stage.neighbours.onGiveBack = async () => {
      await stage.orderBecomes(order, 'failed', 'mf_redemption.failed');
      await until(id, 'REJECTED');
      return { outcome: 'free' };
    };
    const answer = await refund(id);
    expect(answer.json()).toMatchObject({ status: 'REJECTED', refund_reason: 'order_failed' });
    expect(answer.json().refunds).toHaveLength(1);
    expect((await refund(id)).status).toBe(409);
  });

  it('stores nothing of a redemption without a debit', async () => {
    await stage.orderBecomes(stage.neighbours.anInstallment(), 'submitted', 'mf_redemption.submitted');
    expect(await stage.rows('SELECT 1 FROM order_states')).toEqual([]);
  });
});
