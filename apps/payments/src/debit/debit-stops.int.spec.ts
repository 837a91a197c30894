import { setFaultHandler, waitFor } from '@fundrail/testing';
import { DebitPlay, failed } from '../testing/debit-play.ts';
import { capturedAs } from '../testing/payments.builder.ts';

describe('a debit whose mandate or order leaves it alone', () => {
  let play: DebitPlay;
  beforeEach(async () => {
    play = await DebitPlay.start();
  });
  afterEach(() => play.end());

  describe.each(['mandate.cancelled', 'mandate.expired'] as const)('given %s', (event) => {
    it('before its order is confirmed, then it fails at once, and order and admission are free', async () => {
      const id = await play.raised();
      await play.stage.mandateEnds(play.mandate, event);
      expect(await play.stage.get(id)).toMatchObject({ status: 'FAILED', failure_code: 'mandate_cancelled' });
      expect(play.bank.notices).toEqual([]);
    });

    it('while it waits for its day, then it fails at once, and its notice is taken back', async () => {
      const id = await play.notified();
      await play.stage.mandateEnds(play.mandate, event);
      expect(await play.stage.get(id)).toMatchObject({ status: 'FAILED', failure_code: 'mandate_cancelled' });
      await play.stage.untilRows('SELECT 1 FROM debits WHERE notice_withdrawn_at IS NOT NULL');
      await play.passUntil('2026-12-22 13:00');
      await play.stage.pass(0);
      expect(play.bank.executed).toEqual([]);
    });
  });

  it.each([
    ['UPI', 'pending'],
    ['E_MANDATE', 'submitted'],
  ] as const)(
    'given the mandate of a debit (%s, its order %s) ends before that is stored, then it fails at once all the same',
    async (mandate_type, state) => {
      play.mandate = play.stage.neighbours.mandates.anApproved({ mandate_type });
      const order = play.stage.neighbours.anOrder({ state });
      const fault = setFaultHandler('payments.debit_admitted');
      const raised = play.raised(play.mandate, order);
      await fault.reached;
      await play.stage.mandateEnds(play.mandate, 'mandate.cancelled');
      fault.resume();
      expect(await play.status(await raised, 'FAILED')).toMatchObject({ failure_code: 'mandate_cancelled' });
    },
  );

  it('given the mandate ends between two attempts, then it fails without waiting for the next window', async () => {
    const id = await play.executed();
    await play.told(id, 1, failed('insufficient_funds'));
    await play.stage.mandateEnds(play.mandate, 'mandate.cancelled');
    expect(await play.stage.get(id)).toMatchObject({ status: 'FAILED', failure_code: 'mandate_cancelled' });
  });

  it('given the mandate ends while an attempt is open, then its result counts: money is money', async () => {
    const id = await play.executed();
    await play.status(id, 'SUBMITTED');
    await play.stage.mandateEnds(play.mandate, 'mandate.cancelled');
    expect(await play.stage.get(id)).toMatchObject({ status: 'SUBMITTED' });
    await play.told(id, 1, capturedAs('c1', '5000'));
    await play.status(id, 'INITIATED');
  });

  it('given the mandate ends while an attempt is open, then a failure is the last one, and is told at once', async () => {
    const id = await play.executed();
    await play.status(id, 'SUBMITTED');
    await play.stage.mandateEnds(play.mandate, 'mandate.cancelled');
    await play.told(id, 1, failed('insufficient_funds'));
    expect(await play.stage.get(id)).toMatchObject({ status: 'FAILED', failure_code: 'insufficient_funds' });
  });

  it("given another mandate ends, or another tenant's of that number, then nothing happens", async () => {
    const id = await play.notified();
    await play.stage.mandateEnds(play.stage.neighbours.mandates.anApproved(), 'mandate.cancelled');
    await play.stage.mandateEnds({ ...play.mandate, tenant: 'other' }, 'mandate.cancelled');
    expect(await play.stage.get(id)).toMatchObject({ status: 'PENDING' });
  });

  describe('given an order that nobody confirms (decision 0014)', () => {
    it('then it fails at 00:00 IST of the eighth business day, not a millisecond before, and the order is free', async () => {
      const id = await play.raised();
      // Christmas is no business day: the 22nd, 23rd, 24th, 28th, 29th, 30th and 31st are seven.
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

  it('given no permit for its first attempt, then its notice is taken back, and nobody is asked about it', async () => {
    const id = await play.notified();
    play.mandate.mandate_status = 'PAUSED';
    await play.passUntil('2026-12-22 13:00');
    expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'mandate_cancelled' });
    await waitFor(() => play.bank.withdrawn.length === 1);
    expect(await play.attempts(id)).toMatchObject([{ never: 'forbidden' }]);
    await play.stage.pass(5_000);
    await play.stage.pass(0);
    expect(play.bank.asked).toEqual([]);
  });
});
