import { istTimestamp } from '@fundrail/contracts';
import { attemptReference } from '@fundrail/providers';
import { waitFor } from '@fundrail/testing';
import { DebitPlay, failed, HOUR_MS, no, QUESTIONS_MS } from '../testing/debits/debit-play.ts';
import { NOT_FOUND, SILENCE } from '@fundrail/payments/testing';
import { capturedAs } from '@fundrail/payments/testing';

describe('the attempts of a debit (DEB-10)', () => {
  let play: DebitPlay;
  beforeEach(async () => {
    play = await DebitPlay.start();
  });
  afterEach(() => play.stop());

  describe('retries', () => {
    it('retries three times in later windows for a temporary failure, each with its own reference, then FAILED with the code', async () => {
      const id = await play.executed();
      const windows = ['2026-12-22 21:30', '2026-12-23 13:00', '2026-12-23 21:30'];
      for (const [index, window] of windows.entries()) {
        await play.reportAttempt(id, index + 1, failed('insufficient_funds'));
        expect(istTimestamp((await play.row(id)).execute_at).slice(0, 16)).toBe(window.replace(' ', 'T'));
        expect(await play.stage.get(id)).toMatchObject({
          status: 'SUBMITTED',
          debit_date: window.slice(0, 10),
        });
        await play.passUntil(window);
        await waitFor(() => play.bank.executed.length === index + 2);
        await play.untilRows(
          `SELECT 1 FROM debit_attempts WHERE number = ${index + 2} AND accepted_at IS NOT NULL`,
        );
      }
      await play.reportAttempt(id, 4, failed('insufficient_funds'));
      expect(await play.stage.get(id)).toMatchObject({
        status: 'FAILED',
        failure_code: 'insufficient_funds',
      });
      expect(play.bank.executed.map((debit) => debit.reference)).toEqual(
        [1, 2, 3, 4].map((n) => attemptReference(id, n)),
      );
      expect(play.bank.notices).toHaveLength(1);
    });

    it('does not retry a permanent failure', async () => {
      play.bank.onExecute.set(no('invalid_bank_account'));
      const id = await play.executed();
      const payment = await play.status(id, 'FAILED');
      expect(payment.failure_code).toBe('invalid_bank_account');
      expect(await play.stage.events(id)).toEqual(['payment.pending', 'payment.failed', 'payment.updated']);
    });

    it('stays open when the provider reports that it took nothing, and its result still counts', async () => {
      const id = await play.executed();
      await play.reportAttempt(id, 1, capturedAs('c0', '0'));
      expect(await play.attempts(id)).toMatchObject([{ ended_at: null }]);
      await play.reportAttempt(id, 1, capturedAs('c1', '5000'));
      await play.status(id, 'INITIATED');
    });

    it('starts no second attempt while the first is open, even if its result takes days', async () => {
      const id = await play.executed();
      for (let hours = 0; hours < 72; hours += 8) await play.stage.pass(8 * HOUR_MS);
      expect(play.bank.executed).toHaveLength(1);
      expect(await play.stage.get(id)).toMatchObject({ status: 'SUBMITTED' });
      await play.reportAttempt(id, 1, capturedAs('c1', '5000'));
      await play.status(id, 'INITIATED');
    });

    it('does not retry for an order that has ended meanwhile', async () => {
      const id = await play.executed();
      await play.status(id, 'SUBMITTED');
      await play.stage.orderBecomes(play.order, 'failed', 'mf_purchase.failed');
      expect(await play.stage.get(id)).toMatchObject({ status: 'SUBMITTED' });
      await play.reportAttempt(id, 1, failed('insufficient_funds'));
      expect(await play.stage.get(id)).toMatchObject({
        status: 'FAILED',
        failure_code: 'insufficient_funds',
      });
    });
  });

  describe('without an answer', () => {
    it('given an execution that arrived but got no answer, then the status query finds it, and it is not sent again', async () => {
      play.bank.onExecute.set(SILENCE);
      const id = await play.executed();
      await play.stage.pass(90_000);
      await play.status(id, 'SUBMITTED');
      expect(play.bank.executed).toHaveLength(1);
    });

    it('given one that never arrived, then it is sent again under the same reference', async () => {
      play.bank.onExecute.set(SILENCE, { kind: 'yes', value: null });
      play.bank.onDebitStatus.set(NOT_FOUND, { kind: 'yes', value: { status: 'waiting' } });
      const id = await play.executed();
      expect(await play.stage.get(id)).toMatchObject({ status: 'PENDING' });
      await play.stage.pass(90_000);
      await play.status(id, 'SUBMITTED');
      expect(play.bank.executed.map((debit) => debit.reference)).toEqual([
        attemptReference(id, 1),
        attemptReference(id, 1),
      ]);
      expect(await play.attempts(id)).toMatchObject([{ number: 1, state: 'accepted' }]);
    });

    it('given one that is not known within a minute, then no other is sent, because its call may still be under way', async () => {
      await play.stop();
      play = await DebitPlay.start({ UPI_STATUS_FIRST_SECONDS: '45' });
      play.bank.onExecute.set(SILENCE, { kind: 'yes', value: null });
      play.bank.onDebitStatus.set(NOT_FOUND, { kind: 'yes', value: { status: 'waiting' } });
      const id = await play.executed();
      await play.stage.pass(45_000);
      await waitFor(() => play.bank.onDebitStatus.calls === 1);
      await play.stage.pass(555_000);
      await play.status(id, 'SUBMITTED');
      expect(play.bank.executed).toHaveLength(1);
    });

    it.each([
      [
        'its order has ended',
        () => play.stage.orderBecomes(play.order, 'failed', 'mf_purchase.failed'),
        'payment_failed',
      ],
      ['the mandate was cancelled', () => play.becomes('CANCELLED'), 'mandate_cancelled'],
    ])(
      'given one that never arrived and %s, then it is not sent again and the debit fails',
      async (_, ends, code) => {
        play.bank.onExecute.set(SILENCE);
        play.bank.onDebitStatus.set(NOT_FOUND);
        const id = await play.executed();
        await ends();
        await play.stage.pass(90_000);
        expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: code });
        expect(play.bank.executed).toHaveLength(1);
        expect(await play.attempts(id)).toMatchObject([{ state: 'unreceived' }]);
      },
    );

    it('given it is found missing after its window, then it waits for the next window', async () => {
      play.bank.onExecute.set(SILENCE, { kind: 'yes', value: null });
      play.bank.onDebitStatus.set(SILENCE, SILENCE, SILENCE, SILENCE, SILENCE, SILENCE, NOT_FOUND);
      await play.executed();
      for (const ms of [...QUESTIONS_MS, HOUR_MS, HOUR_MS, HOUR_MS]) await play.stage.pass(ms);
      await waitFor(() => play.bank.onDebitStatus.calls >= 7);
      expect(play.bank.executed).toHaveLength(1);
      await play.passUntil('2026-12-22 21:30');
      await waitFor(() => play.bank.executed.length === 2);
    });

    it('given a notice whose answer comes hours later, then the investor still has 24 hours', async () => {
      play.bank.onNotify.set(SILENCE, SILENCE, SILENCE, SILENCE, SILENCE, SILENCE, null);
      const id = await play.raised();
      await play.stage.orderBecomes(play.order, 'submitted');
      await waitFor(() => play.bank.notices.length === 1);
      for (const ms of [5_000, 30_000, 300_000, HOUR_MS, HOUR_MS, HOUR_MS]) await play.stage.pass(ms);
      await play.untilRows('SELECT 1 FROM mandate_debits WHERE notified_at IS NOT NULL');
      const { notified_at, execute_at } = await play.row(id);
      expect(new Set(play.bank.notices.map((debit) => debit.reference))).toEqual(
        new Set([attemptReference(id, 1)]),
      );
      expect(execute_at.getTime() - notified_at!.getTime()).toBeGreaterThanOrEqual(24 * HOUR_MS);
    });
  });
});
