import { waitFor } from '@fundrail/testing';
import { DebitPlay, failed } from '../testing/debits/debit-play.ts';
import { SILENCE } from '@fundrail/payments/testing';
import { capturedAs } from '@fundrail/payments/testing';

describe('the end of a debit (DEB-6, DEB-14)', () => {
  let play: DebitPlay;
  beforeEach(async () => {
    play = await DebitPlay.start();
  });
  afterEach(() => play.stop());

  describe('and its order', () => {
    it('given the order ends before the execution, then FAILED, and the notice is withdrawn (TIME-6)', async () => {
      const id = await play.notified();
      await play.stage.orderBecomes(play.order, 'failed', 'mf_purchase.failed');
      expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'payment_failed' });
      await waitFor(() => play.bank.withdrawn.length === 1);
      expect(play.bank.withdrawn[0]?.notice_reference).toBe(`notice_P${String(id).padStart(12, '0')}_1`);
      await play.untilRows('SELECT 1 FROM mandate_debits WHERE notice_withdrawn_at IS NOT NULL');
      await play.passUntil('2026-12-22 13:00');
      await play.stage.pass(1);
      expect(play.bank.executed).toEqual([]);
    });

    it('given it ends while the notice is on its way, then FAILED, and the notice is withdrawn once it has a reference', async () => {
      const answered = Promise.withResolvers<void>();
      play.bank.beforeAnswer = () => answered.promise;
      const id = await play.raised();
      await play.stage.orderBecomes(play.order, 'submitted');
      await waitFor(() => play.bank.notices.length === 1);
      await play.stage.orderBecomes(play.order, 'failed', 'mf_purchase.failed');
      await play.status(id, 'FAILED');
      expect(play.bank.withdrawn).toEqual([]);
      answered.resolve();
      await waitFor(() => play.bank.withdrawn.length === 1);
      expect((await play.row(id)).notice_proof).toBe('{"notice":"sent"}');
    });

    it('given it ends while an attempt is open, then the result counts, and the money goes back', async () => {
      const id = await play.executed();
      await play.status(id, 'SUBMITTED');
      await play.stage.orderBecomes(play.order, 'failed', 'mf_purchase.failed');
      await play.reportAttempt(id, 1, capturedAs('c1', '5000'));
      const payment = await play.status(id, 'REJECTED');
      expect(payment.refunds).toMatchObject([{ reason: 'order_failed', amc_order_ids: [play.order.old_id] }]);
    });
  });

  describe('and its mandate', () => {
    it.each([
      ['notice', () => play.stage.orderBecomes(play.order, 'submitted')],
      [
        'execution',
        async () => {
          await play.stage.orderBecomes(play.order, 'submitted');
          await play.untilRows('SELECT 1 FROM mandate_debits WHERE notified_at IS NOT NULL');
          await play.becomes('PAUSED');
          await play.passUntil('2026-12-22 13:00');
        },
      ],
    ] as const)(
      'given a mandate that allows no %s, then FAILED mandate_cancelled before any call',
      async (what, on) => {
        const id = await play.raised();
        if (what === 'notice') await play.becomes('CANCELLED');
        await on();
        expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'mandate_cancelled' });
        expect(play.bank.executed).toEqual([]);
        expect(play.bank.notices).toHaveLength(what === 'notice' ? 0 : 1);
      },
    );

    it('given the mandate is cancelled before the call returns, then the result counts', async () => {
      const answered = Promise.withResolvers<void>();
      play.bank.beforeAnswer = (call) => (call === 'execute' ? answered.promise : Promise.resolve());
      const id = await play.executed();
      await play.becomes('CANCELLED');
      expect(await play.attempts(id)).toMatchObject([{ state: 'begun' }]);
      answered.resolve();
      await play.status(id, 'SUBMITTED');
      await play.reportAttempt(id, 1, capturedAs('c1', '5000'));
      await play.status(id, 'INITIATED');
      expect(await play.attempts(id)).toMatchObject([{ state: 'succeeded' }]);
    });

    it('given it is cancelled between two attempts, then no further call', async () => {
      const id = await play.executed();
      await play.reportAttempt(id, 1, failed('insufficient_funds'));
      await play.becomes('CANCELLED');
      await play.passUntil('2026-12-22 21:30');
      expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'mandate_cancelled' });
      expect(play.bank.executed).toHaveLength(1);
    });
  });

  it('given money after it FAILED, then it stays FAILED, and the money goes back', async () => {
    const id = await play.executed();
    await play.reportAttempt(id, 1, failed('invalid_bank_account'));
    play.bank.onDebitStatus.set({ kind: 'yes', value: capturedAs('c1', '5000') });
    await play.stage.pass(90_000);
    const payment = await play.stage.until(id, ({ late_auth }) => late_auth);
    expect(payment).toMatchObject({
      status: 'FAILED',
      refund_reason: 'late_authorization',
      refunds: [{ amc_order_ids: [play.order.old_id] }],
    });
    await waitFor(() => play.stage.provider.refunds.length === 1);
  });

  describe('cancelled by its client', () => {
    it('given it is PENDING, then FAILED user_cancelled, and the notice is withdrawn', async () => {
      const id = await play.notified();
      expect((await play.cancel(id)).json()).toMatchObject({
        status: 'FAILED',
        failure_code: 'user_cancelled',
      });
      await waitFor(() => play.bank.withdrawn.length === 1);
    });

    it('given it is accepted, then 409', async () => {
      const id = await play.executed();
      await play.status(id, 'SUBMITTED');
      expect((await play.cancel(id)).status).toBe(409);
    });

    it('given an attempt with an unknown outcome, then 503; given it took the money, then 409 and SUCCESS', async () => {
      play.bank.onExecute.set(SILENCE);
      play.bank.onDebitStatus.set(SILENCE);
      const id = await play.executed();
      expect((await play.cancel(id)).status).toBe(503);
      // The provider may be asked from 90 seconds on (POL-10): the schedule has no answer, the client's question then has.
      await play.stage.pass(90_000);
      await waitFor(() => play.bank.statusQueries.length === 1);
      play.bank.onDebitStatus.set({ kind: 'yes', value: capturedAs('c1', '5000') });
      expect((await play.cancel(id)).status).toBe(409);
      await play.stage.until(id, ({ status }) => status === 'SUCCESS' || status === 'INITIATED');
    });
  });
});
