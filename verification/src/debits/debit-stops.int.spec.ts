import { setFaultHandler, waitFor } from '@fundrail/testing';
import { DebitPlay, failed } from '../testing/debits/debit-play.ts';
import { capturedAs } from '@fundrail/payments/testing';

describe('a debit that is stopped by its mandate or order', () => {
  let play: DebitPlay;
  beforeEach(async () => {
    play = await DebitPlay.start();
  });
  afterEach(() => play.stop());

  describe.each(['mandate.cancelled', 'mandate.expired'] as const)('given %s', (event) => {
    it('before its order is confirmed, then it fails immediately, and order and admission are free', async () => {
      const id = await play.raised();
      await play.mandateEnds(play.mandate, event);
      expect(await play.stage.get(id)).toMatchObject({ status: 'FAILED', failure_code: 'mandate_cancelled' });
      expect(play.bank.notices).toEqual([]);
    });

    it('while it waits for its day, then it fails immediately, and its notice is withdrawn', async () => {
      const id = await play.notified();
      await play.mandateEnds(play.mandate, event);
      expect(await play.stage.get(id)).toMatchObject({ status: 'FAILED', failure_code: 'mandate_cancelled' });
      await play.untilRows('SELECT 1 FROM mandate_debits WHERE notice_withdrawn_at IS NOT NULL');
      await play.passUntil('2026-12-22 13:00');
      await play.stage.pass(0);
      expect(play.bank.executed).toEqual([]);
    });
  });

  it.each([
    ['UPI', 'pending'],
    ['E_MANDATE', 'submitted'],
  ] as const)(
    'given the mandate of a debit (%s, its order %s) ends before the debit is stored, then it also fails immediately',
    async (mandate_type, state) => {
      play.mandate = await play.anApproved({ mandate_type });
      const order = play.stage.neighbours.anOrder({ state });
      const fault = setFaultHandler('payments.debit_admitted');
      const raised = play.raised(play.mandate, order);
      await fault.reached;
      await play.mandateEnds(play.mandate, 'mandate.cancelled');
      fault.resume();
      expect(await play.status(await raised, 'FAILED')).toMatchObject({ failure_code: 'mandate_cancelled' });
    },
  );

  it('given the mandate ends between two attempts, then it fails without waiting for the next window', async () => {
    const id = await play.executed();
    await play.reportAttempt(id, 1, failed('insufficient_funds'));
    await play.mandateEnds(play.mandate, 'mandate.cancelled');
    expect(await play.stage.get(id)).toMatchObject({ status: 'FAILED', failure_code: 'mandate_cancelled' });
  });

  it('given the mandate ends while an attempt is open, then its result counts', async () => {
    const id = await play.executed();
    await play.status(id, 'SUBMITTED');
    await play.mandateEnds(play.mandate, 'mandate.cancelled');
    expect(await play.stage.get(id)).toMatchObject({ status: 'SUBMITTED' });
    await play.reportAttempt(id, 1, capturedAs('c1', '5000'));
    await play.status(id, 'INITIATED');
  });

  it('given the mandate ends while an attempt is open, then a failure is final, and is published immediately', async () => {
    const id = await play.executed();
    await play.status(id, 'SUBMITTED');
    await play.mandateEnds(play.mandate, 'mandate.cancelled');
    await play.reportAttempt(id, 1, failed('insufficient_funds'));
    expect(await play.stage.get(id)).toMatchObject({ status: 'FAILED', failure_code: 'insufficient_funds' });
  });

  it('given another mandate ends, or one of another tenant with the same number, then the debit does not change', async () => {
    const id = await play.notified();
    await play.mandateEnds(await play.anApproved(), 'mandate.cancelled');
    const headers = { authorization: play.stage.neighbours.tokens.header('other') };
    const url = `/api/pg/mandates/${play.mandate.id}/cancel`;
    expect((await play.service.fastify.inject({ method: 'POST', url, headers })).statusCode).toBe(404);
    expect(await play.stage.get(id)).toMatchObject({ status: 'PENDING' });
  });

  describe('given an order that the client does not confirm (decision 0014)', () => {
    it('then it fails at 00:00 IST of the eighth business day, not a millisecond before, and the order is free (TIME-9)', async () => {
      const id = await play.raised();
      // Christmas is not a business day: the 22nd, 23rd, 24th, 28th, 29th, 30th and 31st are seven.
      await play.passUntil('2026-12-31 23:59');
      await play.stage.pass(59_999);
      await play.stage.pass(0);
      expect(await play.stage.get(id)).toMatchObject({ status: 'PENDING' });
      await play.stage.pass(1);
      expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'payment_expired' });
      expect((await play.stage.events(id)).filter((type) => type === 'payment.failed')).toHaveLength(1);
    });

    it.each(['confirmed', 'submitted'] as const)('but %s in time, then it goes on', async (state) => {
      const id = await play.raised();
      await play.stage.orderBecomes(play.order, state, `mf_purchase.${state}`);
      await play.passUntil('2027-01-04 00:00');
      await play.stage.pass(0);
      expect(await play.stage.get(id)).not.toMatchObject({ failure_code: 'payment_expired' });
    });
  });

  describe('given its deadline comes before the events of its order (decision 0029)', () => {
    it('and the order was confirmed, then the debit goes on with the answer of orders', async () => {
      const id = await play.raised();
      play.order.state = 'submitted';
      play.order.sequence += 3;
      await play.passUntil('2027-01-04 00:00');
      await play.stage.pass(0);
      await play.untilRows('SELECT 1 FROM mandate_debits WHERE notice_begun_at IS NOT NULL');
      expect(await play.stage.get(id)).toMatchObject({ status: 'PENDING', failure_code: null });
    });

    it('and orders does not answer, then it keeps waiting, and ends once orders has given up the order', async () => {
      const id = await play.raised();
      play.stage.neighbours.silent.add('orders');
      await play.passUntil('2027-01-04 00:00');
      await play.stage.untilRows(`SELECT 1 FROM due_work WHERE kind = 'debit.unconfirmed' AND attempts > 0`);
      expect(await play.stage.get(id)).toMatchObject({ status: 'PENDING' });
      play.stage.neighbours.silent.delete('orders');
      await play.stage.pass(60_000);
      expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'payment_expired' });
      expect(play.order.given_up_by).toBe(id);
    });

    it('and payments stops between the answer and its record, then the next attempt ends it', async () => {
      const id = await play.raised();
      const stopped = setFaultHandler('payments.give_up_answered');
      await play.passUntil('2027-01-04 00:00');
      await stopped.reached;
      expect([play.order.given_up_by, (await play.stage.get(id)).status]).toEqual([id, 'PENDING']);
      stopped.fail(new Error('the process is gone'));
      await play.stage.untilRows(`SELECT 1 FROM due_work WHERE kind = 'debit.unconfirmed' AND attempts > 0`);
      await play.stage.pass(60_000);
      expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'payment_expired' });
      expect((await play.stage.events(id)).filter((type) => type === 'payment.failed')).toHaveLength(1);
    });

    it('and the client cancels it between the answer and its record, then it ends once, as cancelled', async () => {
      const id = await play.raised();
      const stopped = setFaultHandler('payments.give_up_answered');
      await play.passUntil('2027-01-04 00:00');
      await stopped.reached;
      expect((await play.cancel(id)).status).toBe(200);
      stopped.resume();
      await play.stage.pass(0);
      expect(await play.stage.get(id)).toMatchObject({ status: 'FAILED', failure_code: 'user_cancelled' });
    });

    it('and two replicas process it, then it ends once', async () => {
      const id = await play.raised();
      const replica = await play.stage.replica();
      await play.passUntil('2027-01-04 00:00');
      replica.service.dueWorker.wake();
      expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'payment_expired' });
      expect((await play.stage.events(id)).filter((type) => type === 'payment.failed')).toHaveLength(1);
      await replica.stop();
    });
  });

  it('given a mandate that allows no first attempt, then its notice is withdrawn, and its status is not queried', async () => {
    const id = await play.notified();
    await play.becomes('PAUSED');
    await play.passUntil('2026-12-22 13:00');
    expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'mandate_cancelled' });
    await waitFor(() => play.bank.withdrawn.length === 1);
    expect(await play.attempts(id)).toEqual([]);
    await play.stage.pass(90_000);
    await play.stage.pass(0);
    expect(play.bank.statusQueries).toEqual([]);
  });
});
