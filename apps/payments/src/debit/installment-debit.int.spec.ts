import { istInstant, type PaymentDto } from '@fundrail/contracts';
import { waitFor } from '@fundrail/testing';
import type { FakeOrder } from '../testing/fake-neighbours.ts';
import { capturedAs } from '../testing/payments.builder.ts';
import { PaymentsStage } from '../testing/start-payments.ts';

describe('the debit of an installment, once its order moves', () => {
  let stage: PaymentsStage;
  let order: FakeOrder;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
    order = stage.neighbours.anInstallment();
  });
  afterEach(() => stage.end());

  const until = (id: number, wanted: PaymentDto['status']) =>
    stage.until(id, ({ status }) => status === wanted);
  /** A debit that took the money while its order is confirmed. */
  const paid = async (): Promise<number> => {
    const answer = await stage.debit(stage.neighbours.mandates.anApproved().id, order);
    const { id } = answer.json<{ id: number }>();
    await stage.untilRows('SELECT 1 FROM debits WHERE notified_at IS NOT NULL');
    await stage.pass(istInstant('2026-12-22', '13:00').getTime() - stage.clock.now().getTime());
    await waitFor(() => stage.provider.mandates.executed.length === 1);
    const reference = `P${String(id).padStart(12, '0')}`;
    const payment = capturedAs('c1', '5000');
    const fact = { about: 'debit', attempt_reference: `${reference}A1`, payment } as const;
    await stage.report({ reference, fact });
    await until(id, 'SUCCESS');
    return id;
  };

  it('keeps the money until the order is submitted, and hands it over then', async () => {
    const id = await paid();
    stage.provider.onTransfer.set({ kind: 'yes', value: { status: 'settled' } });
    expect((await stage.get(id)).transfer_initiated_at).toBeNull();
    await stage.orderBecomes(order, 'submitted', 'mf_redemption.submitted');
    await until(id, 'APPROVED');
  });

  it('gives the money back when the order fails before it was handed over', async () => {
    const id = await paid();
    await stage.orderBecomes(order, 'failed', 'mf_redemption.failed');
    await until(id, 'REJECTED');
    expect(await stage.get(id)).toMatchObject({ refund_reason: 'order_failed' });
  });

  it('keeps nothing of a redemption that no debit was raised for', async () => {
    await stage.orderBecomes(stage.neighbours.anInstallment(), 'submitted', 'mf_redemption.submitted');
    expect(await stage.rows('SELECT 1 FROM order_states')).toEqual([]);
  });
});
