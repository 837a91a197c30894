import { paymentReference } from '@fundrail/providers';
import { waitFor, yes } from '@fundrail/testing';
import { NOT_FOUND, SILENCE } from '../testing/fake-provider.ts';
import { capturedAs } from '../testing/payments.builder.ts';
import { inStatus, PaymentsStage } from '../testing/start-payments.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

describe('the money of a payment', () => {
  let stage: PaymentsStage;
  let captures = 0;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
  });
  afterEach(() => stage.stop());

  const money = (amount = '5000') => capturedAs(`c${(captures += 1)}-${Date.now()}`, amount);
  const paid = (id: number, payment = money()) =>
    stage.report({ reference: paymentReference(id), fact: { about: 'payment', payment } });
  const dueAt = async (kind: string, key: string | number) =>
    (
      await stage.rows<{ due_at: Date }>(
        'SELECT due_at FROM due_work WHERE kind = $1 AND key = $2',
        kind,
        String(key),
      )
    )[0]?.due_at;

  describe('money that may not stay', () => {
    it('after FAILED is late and refunded once, although callback and status call both report it (REF-4, REF-8)', async () => {
      const id = await stage.payable();
      await stage.send('POST', `/api/pg/payments/${id}/cancel`);
      const payment = money();
      stage.provider.onStatus.set(yes(payment));
      stage.provider.onRefund.set(SILENCE, yes({ status: 'successful' }));
      await paid(id, payment);
      const late = await stage.get(id);
      expect(late).toMatchObject({
        status: 'FAILED',
        late_auth: true,
        refund_reason: 'late_authorization',
        refund_status: 'CREATED',
      });
      await stage.until(id, () => stage.provider.refunds.length === 1);
      await stage.pass(5_000);
      const done = await stage.until(id, ({ refund_status }) => refund_status === 'SUCCESSFUL');
      expect(done.refunds).toHaveLength(1);
      expect(new Set(stage.provider.refunds.map((refund) => refund.reference)).size).toBe(1);
      expect((await stage.events(id)).filter((type) => type === 'payment.failed')).toHaveLength(1);
    });

    it('is found by status calls for a FAILED payment, for three days and no longer (PAY-30)', async () => {
      const id = await stage.payable();
      await stage.send('POST', `/api/pg/payments/${id}/cancel`);
      await stage.pass(2 * DAY);
      const asked = stage.provider.onStatus.calls;
      await stage.until(id, () => stage.provider.onStatus.calls > asked);
      await stage.pass(DAY);
      // Every hour: the pause before the last status call may have started on either side of the jump.
      await stage.until(id, async () => {
        stage.clock.advance(60 * MINUTE);
        return (await dueAt('payment.status', id)) === undefined;
      });
    });

    it('is refunded with a new key after a refused refund (REF-4, REF-1)', async () => {
      const id = await stage.payable();
      stage.provider.onRefund.set(
        { kind: 'no', failure_code: 'refund_failed', message: '' },
        yes({ status: 'successful' }),
      );
      await paid(id, money('4999.99'));
      expect(await stage.get(id)).toMatchObject({ status: 'FAILED', refund_reason: 'amount_mismatch' });
      await stage.until(id, ({ refunds }) => refunds.length === 2);
      await stage.pass(5_000);
      const payment = await stage.until(id, ({ refund_status }) => refund_status === 'SUCCESSFUL');
      expect(payment.refunds.map((refund) => refund.status)).toEqual(['FAILED', 'SUCCESSFUL']);
      expect(new Set(payment.refunds.map((refund) => refund.reference)).size).toBe(2);
    });

    it('from a second capture goes back and changes no state', async () => {
      const id = await stage.payable();
      await paid(id);
      await paid(id);
      const payment = await stage.until(id, inStatus('INITIATED'));
      expect(payment.refunds).toMatchObject([{ reason: 'duplicate_payment', amc_order_ids: [] }]);
    });

    it('reported for a second payment under the same reference pays only the first', async () => {
      const [first, second] = [await stage.payable(), await stage.payable()];
      const capture = money();
      await paid(first, capture);
      await stage.until(first, inStatus('INITIATED'));
      await paid(second, capture);
      expect(await stage.get(second)).toMatchObject({ status: 'PENDING', refunds: [] });
      expect(await stage.events(second)).not.toContain('payment.success');
    });

    it('goes back whole when the transfer is rejected (REF-12)', async () => {
      const id = await stage.payable();
      stage.provider.onTransfer.set(yes({ status: 'rejected', failure_code: 'closed' }));
      stage.provider.onRefund.set(yes({ status: 'successful' }));
      await paid(id);
      const payment = await stage.until(id, ({ refund_status }) => refund_status === 'SUCCESSFUL');
      expect(payment).toMatchObject({ status: 'REJECTED', refund_reason: 'transfer_rejected' });
    });

    it('goes back for an order that failed before the transfer, and the rest is transferred (PAY-33, REF-7, REF-10)', async () => {
      const orders = [
        stage.neighbours.anOrder({ amount: '1001' }),
        stage.neighbours.anOrder({ amount: '3999' }),
      ];
      const id = await stage.payable(...orders);
      await stage.orderBecomes(orders[0]!, 'failed', 'mf_purchase.failed');
      await paid(id);
      const payment = await stage.until(id, inStatus('INITIATED'));
      expect(payment.refunds).toMatchObject([{ reason: 'order_failed', amc_order_ids: [orders[0]!.old_id] }]);
      expect(stage.provider.transfers[0]?.shares.map((share) => share.old_id)).toEqual([orders[1]!.old_id]);
    });

    it('that the registrar gives back after the transfer is published, and the payment stays APPROVED (REF-6)', async () => {
      const order = stage.neighbours.anOrder();
      const id = await stage.payable(order);
      stage.provider.onTransfer.set(yes({ status: 'settled' }));
      await paid(id);
      await stage.until(id, inStatus('APPROVED'));
      await stage.orderBecomes(order, 'failed', 'mf_purchase.failed');
      expect(await stage.get(id)).toMatchObject({
        status: 'APPROVED',
        refunds: [{ returned_by: 'registrar' }],
        refund_reference: null,
      });
    });

    it('can be refunded by an operator only, and only before the transfer (REF-5)', async () => {
      const id = await stage.payable();
      const ask = (scope: string) =>
        stage.send(
          'POST',
          `/api/pg/payments/${id}/refunds`,
          {},
          { authorization: stage.neighbours.tokens.header('demo', scope) },
        );
      expect((await ask('api')).status).toBe(403);
      const early = await ask('admin');
      expect([early.status, early.body]).toEqual([
        409,
        expect.stringContaining('a PENDING payment cannot be refunded; only a SUCCESS payment can'),
      ]);
      // The refusal for the missing scope is recorded too, besides the call.
      const path = `/api/pg/payments/${id}/refunds`;
      const { audit } = stage.neighbours;
      await waitFor(() => audit.length >= 4, { what: 'the rows of the refusal and of the call' });
      expect(audit.toSorted()).toEqual([path, path, '403', '409'].toSorted());
    });

    it('cannot be refunded by an operator while identity cannot write the audit row (ADMIN-9)', async () => {
      const id = await stage.payable();
      await paid(id);
      await stage.until(id, ({ status }) => status === 'SUCCESS' || status === 'INITIATED');
      const authorization = stage.neighbours.tokens.header('demo', 'admin');
      stage.neighbours.silent.add('identity');
      const answer = await stage.send('POST', `/api/pg/payments/${id}/refunds`, {}, { authorization });
      stage.neighbours.silent.clear();
      expect(answer.status).toBe(503);
      expect((await stage.get(id)).refunds).toEqual([]);
    });
  });

  it('a transfer without an answer is resent under the same reference', async () => {
    const id = await stage.payable();
    stage.provider.onTransfer.set(SILENCE, yes({ status: 'settled' }));
    await paid(id);
    await stage.until(id, () => stage.provider.transfers.length === 1);
    await stage.pass(5_000);
    await stage.until(id, inStatus('APPROVED'));
    expect(new Set(stage.provider.transfers.map((transfer) => transfer.reference)).size).toBe(1);
  });

  it('a transfer and a refund that the other side has lost are resent under the same reference', async () => {
    const id = await stage.payable();
    stage.provider.onTransferStatus.set(NOT_FOUND);
    stage.provider.onRefundStatus.set(NOT_FOUND);
    await paid(id);
    await paid(id);
    await stage.until(id, () => stage.provider.transfers.length === 1 && stage.provider.refunds.length === 1);
    await stage.pass(5_000);
    await stage.until(id, () => stage.provider.transfers.length === 2 && stage.provider.refunds.length === 2);
    expect(new Set(stage.provider.transfers.map((transfer) => transfer.reference)).size).toBe(1);
    expect(new Set(stage.provider.refunds.map((refund) => refund.reference)).size).toBe(1);
  });

  it('the database refuses refunds of more than came in (REF-3)', async () => {
    const id = await stage.payable();
    await paid(id);
    const more = stage.rows('UPDATE payments SET refunded_amount = received_amount + 0.01 WHERE id = $1', id);
    await expect(more).rejects.toThrow('payments_refunds_within_received');
  });
});
