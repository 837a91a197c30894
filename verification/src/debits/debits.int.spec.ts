import { istInstant } from '@fundrail/contracts';
import { attemptReference } from '@fundrail/providers';
import { serviceToken, setFaultHandler, waitFor } from '@fundrail/testing';
import { DebitPlay, no } from '../testing/debits/debit-play.ts';
import { capturedAs } from '@fundrail/payments/testing';

describe('a debit (DEB-1)', () => {
  let play: DebitPlay;
  beforeEach(async () => {
    play = await DebitPlay.start();
  });
  afterEach(() => play.stop());

  it('waits for its order, notifies the investor a day before with proof, takes the money in a window, and transfers it (PAY-11, PAY-20, PAY-26, PAY-15)', async () => {
    const id = await play.raised();
    expect(await play.stage.get(id)).toMatchObject({
      payment_type: 'NACH',
      status: 'PENDING',
      amc_order_ids: [play.order.old_id],
      mandate_id: play.mandate.id,
      debit_date: '2026-12-22',
    });
    expect(play.bank.notices).toEqual([]);
    await play.stage.orderBecomes(play.order, 'submitted');
    await play.untilRows('SELECT 1 FROM mandate_debits WHERE notified_at IS NOT NULL');
    expect(play.bank.notices).toMatchObject([
      { reference: attemptReference(id, 1), execute_at: istInstant('2026-12-22', '13:00') },
    ]);
    expect((await play.row(id)).notice_proof).toBe('{"notice":"sent"}');
    await play.passUntil('2026-12-22 12:59');
    expect(play.bank.executed).toEqual([]);
    await play.passUntil('2026-12-22 13:00');
    await play.status(id, 'SUBMITTED');
    expect(play.bank.executed).toMatchObject([
      {
        reference: attemptReference(id, 1),
        attempt: 1,
        mandate: { mandate_token: play.mandate.mandate_token },
      },
    ]);
    play.stage.provider.onTransfer.set({ kind: 'yes', value: { status: 'settled' } });
    await play.reportAttempt(id, 1, capturedAs('c1', '5000'));
    await play.status(id, 'APPROVED');
    expect(await play.stage.events(id)).toEqual([
      'payment.pending',
      ...['payment.submitted', 'payment.updated', 'payment.success', 'payment.updated'],
      ...['payment.initiated', 'payment.updated', 'payment.approved', 'payment.updated'],
    ]);
    expect(await play.row(id)).toMatchObject({ state: 'succeeded' });
  });

  it('of an installment notifies the investor when orders requests it, because the installment is confirmed (PLAN-23)', async () => {
    const { old_id, id: order_id } = play.stage.neighbours.anInstallment();
    const body = { tenant: 'demo', mandate_id: play.mandate.id, old_id, order_id };
    const headers = { authorization: serviceToken('orders') };
    const { status } = await play.stage.send('POST', '/internal/payments/debits', body, headers);
    expect(status).toBe(200);
    await play.untilRows('SELECT 1 FROM mandate_debits WHERE notified_at IS NOT NULL');
    expect(play.bank.notices).toHaveLength(1);
  });

  describe('is refused', () => {
    const refusal = async (of: number, on = play.order) => {
      const answer = await play.stage.debit(of, on);
      const { code, errors } = answer.json<{ error: { code: string; errors: { field: string }[] } }>().error;
      return [answer.status, code, errors[0]?.field ?? null];
    };

    it('for an unknown mandate, and for one of another tenant', async () => {
      expect(await refusal(9_999)).toEqual([400, 'BAD_REQUEST_ERROR', 'mandate_id']);
      const other = await play.anApproved({ tenant: 'other' });
      expect(await refusal(other.id)).toEqual([400, 'BAD_REQUEST_ERROR', 'mandate_id']);
      expect(play.stage.neighbours.claims).toEqual([]);
    });

    it('for an order of another investor, with an error at mandate_id', async () => {
      const foreign = await play.anApproved({
        investor_profile: `invp_${'c'.repeat(32)}`,
      });
      expect(await refusal(foreign.id)).toEqual([400, 'BAD_REQUEST_ERROR', 'mandate_id']);
    });

    it('for an unknown order', async () => {
      expect(await refusal(play.mandate.id, { ...play.order, old_id: 9_999 })).toEqual([
        400,
        'BAD_REQUEST_ERROR',
        'amc_order_ids.0',
      ]);
    });

    it.each([
      ['MANDATE_NOT_APPROVED', 409, { mandate_status: 'PAUSED' }],
      ['MANDATE_NOT_APPROVED', 409, { mandate_status: 'CANCELLED' }],
      ['MANDATE_NOT_APPROVED', 409, { valid_to: '2026-12-21' }],
    ] as const)('with %s by mandates; the order is free again', async (code, wanted, changes) => {
      const other = await play.anApproved(changes);
      expect(await refusal(other.id)).toEqual([wanted, code, null]);
      expect(play.order.claimed_by).toBeNull();
      expect(await play.stage.rows('SELECT kind FROM payment_ids')).toEqual([{ kind: 'void' }]);
      // Orders is asked to delete the reference to it, because GET of that number is a 404.
      const [{ id } = { id: 0 }] = await play.stage.rows<{ id: number }>('SELECT id FROM payment_ids');
      expect(play.stage.neighbours.neverMade).toEqual([id]);
      await play.raised();
    });

    it('above the limit with 422', async () => {
      const large = play.stage.neighbours.anOrder({ amount: '10000.01' });
      expect(await refusal(play.mandate.id, large)).toEqual([422, 'MANDATE_LIMIT_EXCEEDED', null]);
      await play.raised(play.mandate, play.stage.neighbours.anOrder({ amount: '10000' }));
    });

    it('for an order that is not pending or submitted', async () => {
      play.order.state = 'under_review';
      expect(await refusal(play.mandate.id)).toEqual([409, 'ORDER_NOT_PENDING', null]);
    });

    it('for two orders, or none', async () => {
      const send = (amc_order_ids: number[]) =>
        play.stage.send('POST', '/api/pg/payments/nach', { mandate_id: play.mandate.id, amc_order_ids });
      for (const ids of [[], [play.order.old_id, 9]]) expect((await send(ids)).status).toBe(400);
    });

    it('for all but one of twenty concurrent requests for the same order', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => play.stage.debit(play.mandate.id, play.order)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const others = answers.filter(({ status }) => status !== 200);
      expect(new Set(others.map((answer) => answer.json<{ error: { code: string } }>().error.code))).toEqual(
        new Set(['PAYMENT_ALREADY_EXISTS']),
      );
      expect(await play.held()).toHaveLength(1);
    });

    it.each(['debits', 'orders'] as const)(
      'with 503 when the answer about %s is lost; order and admission are released',
      async (what) => {
        if (what === 'debits') play.losesAnswers = /\/debits$/;
        else play.stage.neighbours.losesClaimAnswers = true;
        expect((await play.stage.debit(play.mandate.id, play.order)).status).toBe(503);
        expect([play.order.claimed_by, await play.held()]).toEqual([null, []]);
      },
    );
  });

  it('given a key, when the request comes again, then the same answer and one debit', async () => {
    const key = { 'idempotency-key': 'k1' };
    const first = await play.stage.debit(play.mandate.id, play.order, key);
    const again = await play.stage.debit(play.mandate.id, play.order, key);
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
    expect(await play.rows('SELECT payment_id FROM mandate_debits')).toHaveLength(1);
  });

  it('given another request took the key over while one stalled, then the stalled one releases nothing', async () => {
    const key = { 'idempotency-key': 'taken-over' };
    const first = setFaultHandler('payments.debit_admitted');
    const stalled = play.stage.debit(play.mandate.id, play.order, key);
    await first.reached;
    await play.stage.rows("UPDATE idempotency_keys SET held_until = now() - interval '1 s'");
    const second = setFaultHandler('payments.debit_admitted');
    const other = play.stage.debit(play.mandate.id, play.order, key);
    await second.reached;
    first.resume();
    expect((await stalled).status).toBeGreaterThanOrEqual(400);
    second.resume();
    const { id } = (await other).json<{ id: number }>();
    expect([(await other).status, play.order.claimed_by]).toEqual([200, id]);
    expect(await play.held()).toEqual([id]);
  });

  it("is another tenant's 404", async () => {
    const id = await play.raised();
    const other = { authorization: play.stage.neighbours.tokens.header('other') };
    expect((await play.stage.send('GET', `/api/pg/payments/${id}`, undefined, other)).status).toBe(404);
    expect((await play.stage.send('POST', `/api/pg/payments/${id}/cancel`, undefined, other)).status).toBe(
      404,
    );
  });

  it('given an order that is already submitted, then the notice is sent immediately', async () => {
    play.order.state = 'submitted';
    await play.raised();
    await waitFor(() => play.bank.notices.length === 1);
  });

  it('given callback, status answer and call answer at the same time, then one success and one capture', async () => {
    const answered = Promise.withResolvers<void>();
    play.bank.beforeAnswer = (call) => (call === 'execute' ? answered.promise : Promise.resolve());
    play.bank.onDebitStatus.set({ kind: 'yes', value: capturedAs('c1', '5000') });
    const id = await play.executed();
    const callback = play.reportAttempt(id, 1, capturedAs('c1', '5000'));
    play.stage.clock.advance(5_000);
    play.stage.service.dueWorker.wake();
    answered.resolve();
    expect((await callback).status).toBe(200);
    await play.stage.until(id, ({ status }) => status === 'SUCCESS' || status === 'INITIATED');
    await waitFor(() => play.bank.statusQueries.length > 0 || play.stage.service.dueWorker.inFlight === 0);
    expect(await play.stage.rows('SELECT amount FROM captures')).toHaveLength(1);
    expect((await play.stage.events(id)).filter((type) => type === 'payment.success')).toHaveLength(1);
    expect(await play.attempts(id)).toMatchObject([
      { number: 1, failure_code: null, ended_at: expect.any(Date) },
    ]);
  });

  describe('of an e-mandate', () => {
    beforeEach(async () => {
      play.mandate = await play.anApproved({ mandate_type: 'E_MANDATE' });
    });

    it('waits for a business day of the holiday list that an operator has set', async () => {
      const year = { object: 'holiday_year', year: 2026, dates: ['2026-12-22'], source: 'a test' };
      const object = { ...year, replaced_at: '2026-12-21T10:00:00.000+05:30', plans_moved: 0 };
      await play.stage.consume('holiday_year.replaced', object, { about: 'holiday_year_2026' });
      const id = await play.raised();
      expect((await play.stage.get(id)).debit_date).toBe('2026-12-23');
    });

    it('of a tenant that chose calendar days is executed on the next day, on a holiday too (DEB-12)', async () => {
      const policies = { nach_debit_days: { first_on: 'calendar_day' } };
      Object.assign(play.stage.neighbours.settings, { policies });
      const id = await play.raised();
      await play.stage.orderBecomes(play.order, 'submitted');
      await play.untilRows("SELECT 1 FROM mandate_debits WHERE state = 'planned'");
      const year = { object: 'holiday_year', year: 2026, dates: ['2026-12-22'], source: 'a test' };
      const object = { ...year, replaced_at: '2026-12-21T10:00:00.000+05:30', plans_moved: 0 };
      await play.consume('holiday_year.replaced', object, { about: 'holiday_year_2026' });
      await play.stage.settled();
      expect((await play.stage.get(id)).debit_date).toBe('2026-12-22');
      await play.passUntil('2026-12-22 10:00');
      await waitFor(() => play.bank.executed.length === 1);
    });

    it('is executed without a notice on the next business day from 10:00, and on two calendar days after it', async () => {
      play.bank.onExecute.set(no('insufficient_funds'));
      const id = await play.raised();
      await play.stage.orderBecomes(play.order, 'submitted');
      await play.untilRows("SELECT 1 FROM mandate_debits WHERE state = 'planned'");
      for (const [index, day] of ['2026-12-22 10:00', '2026-12-23 10:00', '2026-12-24 10:00'].entries()) {
        expect((await play.stage.get(id)).debit_date).toBe(day.slice(0, 10));
        await play.passUntil(day);
        await waitFor(() => play.bank.executed.length === index + 1);
        await play.untilRows(
          `SELECT 1 FROM debit_attempts WHERE number = ${index + 1} AND ended_at IS NOT NULL`,
        );
      }
      expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'insufficient_funds' });
      expect(play.bank.notices).toEqual([]);
    });
  });
});
