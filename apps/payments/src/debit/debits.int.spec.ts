import { istInstant, istTimestamp } from '@fundrail/contracts';
import type { PaymentDto } from '@fundrail/contracts';
import { waitFor } from '@fundrail/testing';
import type { FakeMandate } from '../testing/fake-mandates.ts';
import type { FakeOrder } from '../testing/fake-neighbours.ts';
import { NOT_FOUND, SILENCE } from '../testing/fake-provider.ts';
import { capturedAs } from '../testing/payments.builder.ts';
import { PaymentsStage } from '../testing/start-payments.ts';
import type { Answered } from '../testing/start-payments.ts';

const HOUR_MS = 3_600_000;
const no = (failure_code: 'insufficient_funds' | 'invalid_bank_account') =>
  ({ kind: 'no', failure_code, message: 'x' }) as const;

/** The clock stands at 2026-12-21 10:00 IST, a Monday: 25 hours later is 11:00, and the next window begins at 13:00. */
describe('a debit (contract §4 "Debits")', () => {
  let stage: PaymentsStage;
  let mandate: FakeMandate;
  let order: FakeOrder;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
    mandate = stage.neighbours.mandates.anApproved();
    order = stage.neighbours.anOrder();
  });
  afterEach(() => stage.end());

  const bank = () => stage.provider.mandates;
  const debits = async (id: number) =>
    (
      await stage.rows<{
        execute_at: Date;
        notified_at: Date | null;
        notice_proof: string;
        notice_withdrawn_at: Date | null;
      }>('SELECT * FROM debits WHERE payment_id = $1', id)
    )[0];
  const attempts = (id: number) =>
    stage.rows<{ number: number; reference: string; failure_code: string | null; ended_at: Date | null }>(
      'SELECT number, reference, failure_code, ended_at FROM debit_attempts WHERE payment_id = $1 ORDER BY number',
      id,
    );
  const raised = async (of = mandate, on = order): Promise<number> => {
    const answer = await stage.debit(of.id, on);
    if (answer.status !== 200) throw new Error(answer.body);
    return answer.json<{ id: number }>().id;
  };
  /** A debit whose notice is out. */
  const notified = async (): Promise<number> => {
    const id = await raised();
    await stage.orderBecomes(order, 'submitted');
    await stage.untilRows('SELECT 1 FROM debits WHERE notified_at IS NOT NULL');
    return id;
  };
  /** Lets time pass until this moment, `2026-12-22 13:00` IST. */
  const passUntil = (text: string) =>
    stage.pass(istInstant(text.slice(0, 10), text.slice(11)).getTime() - stage.clock.now().getTime());
  const executed = async (): Promise<number> => {
    const id = await notified();
    await passUntil('2026-12-22 13:00');
    await waitFor(() => bank().executed.length === 1);
    return id;
  };
  const reference = (id: number, attempt: number) => `P${String(id).padStart(12, '0')}A${attempt}`;
  const told = (id: number, attempt: number, payment: object) =>
    stage.report({
      reference: `P${String(id).padStart(12, '0')}`,
      fact: { about: 'debit', attempt_reference: reference(id, attempt), payment } as never,
    });
  const failed = (failure_code: string) => ({ status: 'failed', failure_code, message: 'x' });
  const status = (id: number, wanted: PaymentDto['status']) =>
    stage.until(id, (payment) => payment.status === wanted);

  it('waits for its order, tells the investor a day before with proof, takes the money in a window, and hands it over', async () => {
    const id = await raised();
    expect(await stage.get(id)).toMatchObject({
      payment_type: 'NACH',
      status: 'PENDING',
      amc_order_ids: [order.old_id],
      mandate_id: mandate.id,
      debit_date: '2026-12-22',
    });
    expect(bank().notices).toEqual([]);
    await stage.orderBecomes(order, 'submitted');
    await stage.untilRows('SELECT 1 FROM debits WHERE notified_at IS NOT NULL');
    expect(bank().notices).toMatchObject([
      { reference: reference(id, 1), execute_at: istInstant('2026-12-22', '13:00') },
    ]);
    expect((await debits(id))?.notice_proof).toBe('{"notice":"sent"}');
    await passUntil('2026-12-22 12:59');
    expect(bank().executed).toEqual([]);
    await passUntil('2026-12-22 13:00');
    await status(id, 'SUBMITTED');
    expect(bank().executed).toMatchObject([
      { reference: reference(id, 1), attempt: 1, mandate: { mandate_token: mandate.mandate_token } },
    ]);
    stage.provider.onTransfer.set({ kind: 'yes', value: { status: 'settled' } });
    await told(id, 1, capturedAs('c1', '5000'));
    await status(id, 'APPROVED');
    expect(await stage.events(id)).toEqual([
      'payment.pending',
      ...['payment.submitted', 'payment.updated', 'payment.success', 'payment.updated'],
      ...['payment.initiated', 'payment.updated', 'payment.approved', 'payment.updated'],
    ]);
    await waitFor(() => stage.neighbours.mandates.open.size === 0);
    expect(stage.neighbours.mandates.granted).toEqual([`${id} notify 1`, `${id} execute 1`]);
  });

  describe('is refused', () => {
    const refusal = async (of: number, on = order) => {
      const answer = await stage.debit(of, on);
      const { code, errors } = answer.json<{ error: { code: string; errors: { field: string }[] } }>().error;
      return [answer.status, code, errors[0]?.field ?? null];
    };

    it('for an unknown mandate, and for one of another tenant', async () => {
      expect(await refusal(9_999)).toEqual([400, 'BAD_REQUEST_ERROR', 'mandate_id']);
      const other = stage.neighbours.mandates.anApproved({ tenant: 'other' });
      expect(await refusal(other.id)).toEqual([400, 'BAD_REQUEST_ERROR', 'mandate_id']);
      expect(stage.neighbours.claims).toEqual([]);
    });

    it('for an order of another investor, by the field that stands for it', async () => {
      const foreign = stage.neighbours.mandates.anApproved({ investor_profile: `invp_${'c'.repeat(32)}` });
      expect(await refusal(foreign.id)).toEqual([400, 'BAD_REQUEST_ERROR', 'mandate_id']);
    });

    it('for an unknown order', async () => {
      expect(await refusal(mandate.id, { ...order, old_id: 9_999 })).toEqual([
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
      const other = stage.neighbours.mandates.anApproved(changes);
      expect(await refusal(other.id)).toEqual([wanted, code, null]);
      expect(order.claimed_by).toBeNull();
      expect(await stage.rows('SELECT kind FROM payment_ids')).toEqual([{ kind: 'void' }]);
      await raised();
    });

    it('above the limit with 422', async () => {
      const large = stage.neighbours.anOrder({ amount: '10000.01' });
      expect(await refusal(mandate.id, large)).toEqual([422, 'MANDATE_LIMIT_EXCEEDED', null]);
      await raised(mandate, stage.neighbours.anOrder({ amount: '10000' }));
    });

    it('for an order that is not pending or submitted', async () => {
      order.state = 'under_review';
      expect(await refusal(mandate.id)).toEqual([409, 'ORDER_NOT_PENDING', null]);
    });

    it('for two orders, or none', async () => {
      const send = (amc_order_ids: number[]) =>
        stage.send('POST', '/api/pg/payments/nach', { mandate_id: mandate.id, amc_order_ids });
      for (const ids of [[], [order.old_id, 9]]) expect((await send(ids)).status).toBe(400);
    });

    it('but for one of twenty that come at once for the same order', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => stage.debit(mandate.id, order)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const others = answers.filter(({ status }) => status !== 200);
      expect(new Set(others.map((answer) => answer.json<{ error: { code: string } }>().error.code))).toEqual(
        new Set(['PAYMENT_ALREADY_EXISTS']),
      );
      expect(stage.neighbours.mandates.debits.size).toBe(1);
    });

    it.each(['debits', 'orders'] as const)(
      'with 503 when the answer about %s is lost; all of it is given back',
      async (what) => {
        if (what === 'debits') stage.neighbours.mandates.loses.add('debits');
        else stage.neighbours.losesClaimAnswers = true;
        expect((await stage.debit(mandate.id, order)).status).toBe(503);
        expect([order.claimed_by, stage.neighbours.mandates.debits.size]).toEqual([null, 0]);
      },
    );
  });

  it('given a key, when the request comes again, then the same answer and one debit', async () => {
    const key = { 'idempotency-key': 'k1' };
    const first = await stage.debit(mandate.id, order, key);
    const again = await stage.debit(mandate.id, order, key);
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
    expect(await stage.rows('SELECT payment_id FROM debits')).toHaveLength(1);
  });

  it("is another tenant's 404", async () => {
    const id = await raised();
    const other = { authorization: stage.neighbours.tokens.header('other') };
    expect((await stage.send('GET', `/api/pg/payments/${id}`, undefined, other)).status).toBe(404);
    expect((await stage.send('POST', `/api/pg/payments/${id}/cancel`, undefined, other)).status).toBe(404);
  });

  it('given an order that is submitted already, then the notice goes out at once', async () => {
    order.state = 'submitted';
    await raised();
    await waitFor(() => bank().notices.length === 1);
  });

  describe('retries', () => {
    it('three times in later windows where that may help, each under a reference of its own, then FAILED with the code', async () => {
      const id = await executed();
      const windows = ['2026-12-22 21:30', '2026-12-23 13:00', '2026-12-23 21:30'];
      for (const [index, window] of windows.entries()) {
        await told(id, index + 1, failed('insufficient_funds'));
        expect(istTimestamp((await debits(id))!.execute_at).slice(0, 16)).toBe(window.replace(' ', 'T'));
        expect(await stage.get(id)).toMatchObject({ status: 'SUBMITTED', debit_date: window.slice(0, 10) });
        await passUntil(window);
        await waitFor(() => bank().executed.length === index + 2);
        await stage.untilRows(
          `SELECT 1 FROM debit_attempts WHERE number = ${index + 2} AND accepted_at IS NOT NULL`,
        );
      }
      await told(id, 4, failed('insufficient_funds'));
      expect(await stage.get(id)).toMatchObject({ status: 'FAILED', failure_code: 'insufficient_funds' });
      expect(bank().executed.map((debit) => debit.reference)).toEqual(
        [1, 2, 3, 4].map((n) => reference(id, n)),
      );
      expect(bank().notices).toHaveLength(1);
    });

    it('not where it cannot help', async () => {
      bank().onExecute.set(no('invalid_bank_account'));
      const id = await executed();
      const payment = await status(id, 'FAILED');
      expect(payment.failure_code).toBe('invalid_bank_account');
      expect(await stage.events(id)).toEqual(['payment.pending', 'payment.failed', 'payment.updated']);
    });

    it('and no second one while the first is open, however long its result takes', async () => {
      const id = await executed();
      for (let hours = 0; hours < 72; hours += 8) await stage.pass(8 * HOUR_MS);
      expect(bank().executed).toHaveLength(1);
      expect(await stage.get(id)).toMatchObject({ status: 'SUBMITTED' });
      await told(id, 1, capturedAs('c1', '5000'));
      await status(id, 'INITIATED');
    });

    it('not of an order that has ended meanwhile', async () => {
      const id = await executed();
      await status(id, 'SUBMITTED');
      await stage.orderBecomes(order, 'failed', 'mf_purchase.failed');
      expect(await stage.get(id)).toMatchObject({ status: 'SUBMITTED' });
      await told(id, 1, failed('insufficient_funds'));
      expect(await stage.get(id)).toMatchObject({ status: 'FAILED', failure_code: 'insufficient_funds' });
    });
  });

  describe('without an answer', () => {
    it('given a silent execution that arrived, then it is found by asking, and not sent again', async () => {
      bank().onExecute.set(SILENCE);
      const id = await executed();
      await stage.pass(5_000);
      await status(id, 'SUBMITTED');
      expect(bank().executed).toHaveLength(1);
    });

    it('given one that never arrived, then it is sent again under the same reference and the same permit', async () => {
      bank().onExecute.set(SILENCE, { kind: 'yes', value: null });
      bank().onDebitStatus.set(NOT_FOUND, { kind: 'yes', value: { status: 'waiting' } });
      const id = await executed();
      expect(await stage.get(id)).toMatchObject({ status: 'PENDING' });
      await stage.pass(60_000);
      await status(id, 'SUBMITTED');
      expect(bank().executed.map((debit) => debit.reference)).toEqual([reference(id, 1), reference(id, 1)]);
      expect(new Set(stage.neighbours.mandates.granted)).toEqual(
        new Set([`${id} notify 1`, `${id} execute 1`]),
      );
    });

    it('given one that is not known yet within a minute, then its call may still be under way, and no other goes out', async () => {
      bank().onExecute.set(SILENCE, { kind: 'yes', value: null });
      bank().onDebitStatus.set(NOT_FOUND, { kind: 'yes', value: { status: 'waiting' } });
      const id = await executed();
      await stage.pass(5_000);
      await waitFor(() => bank().onDebitStatus.calls === 1);
      await stage.pass(30_000);
      await status(id, 'SUBMITTED');
      expect(bank().executed).toHaveLength(1);
    });

    it.each([
      [
        'its order has ended',
        () => stage.orderBecomes(order, 'failed', 'mf_purchase.failed'),
        'payment_failed',
      ],
      [
        'the mandate was cancelled',
        () => Promise.resolve(void (mandate.mandate_status = 'CANCELLED')),
        'mandate_cancelled',
      ],
    ])(
      'given one that never arrived and %s, then it is not sent again, and the debit fails',
      async (_, ends, code) => {
        bank().onExecute.set(SILENCE);
        bank().onDebitStatus.set(NOT_FOUND);
        const id = await executed();
        await ends();
        await stage.pass(60_000);
        expect(await status(id, 'FAILED')).toMatchObject({ failure_code: code });
        expect(bank().executed).toHaveLength(1);
        await waitFor(() => stage.neighbours.mandates.open.size === 0);
      },
    );

    it('given it is found missing after the window, then it waits for the next one', async () => {
      bank().onExecute.set(SILENCE, { kind: 'yes', value: null });
      bank().onDebitStatus.set(SILENCE, SILENCE, SILENCE, SILENCE, SILENCE, SILENCE, NOT_FOUND);
      await executed();
      for (const ms of [5_000, 30_000, 300_000, HOUR_MS, HOUR_MS, HOUR_MS, HOUR_MS]) await stage.pass(ms);
      await waitFor(() => bank().onDebitStatus.calls >= 7);
      expect(bank().executed).toHaveLength(1);
      await passUntil('2026-12-22 21:30');
      await waitFor(() => bank().executed.length === 2);
    });

    it('given a notice whose answer comes hours later, then the investor still has 24 hours', async () => {
      bank().onNotify.set(SILENCE, SILENCE, SILENCE, SILENCE, SILENCE, SILENCE, null);
      const id = await raised();
      await stage.orderBecomes(order, 'submitted');
      await waitFor(() => bank().notices.length === 1);
      for (const ms of [5_000, 30_000, 300_000, HOUR_MS, HOUR_MS, HOUR_MS]) await stage.pass(ms);
      await stage.untilRows('SELECT 1 FROM debits WHERE notified_at IS NOT NULL');
      const { notified_at, execute_at } = (await debits(id))!;
      expect(new Set(bank().notices.map((debit) => debit.reference))).toEqual(new Set([reference(id, 1)]));
      expect(execute_at.getTime() - notified_at!.getTime()).toBeGreaterThanOrEqual(24 * HOUR_MS);
    });
  });

  describe('and its order', () => {
    it('given the order ends before the execution, then FAILED, and the notice is taken back', async () => {
      const id = await notified();
      await stage.orderBecomes(order, 'failed', 'mf_purchase.failed');
      expect(await status(id, 'FAILED')).toMatchObject({ failure_code: 'payment_failed' });
      await waitFor(() => bank().withdrawn.length === 1);
      expect(bank().withdrawn[0]?.notice_reference).toBe(`notice_P${String(id).padStart(12, '0')}`);
      await stage.untilRows('SELECT 1 FROM debits WHERE notice_withdrawn_at IS NOT NULL');
      await passUntil('2026-12-22 13:00');
      await stage.pass(1);
      expect(bank().executed).toEqual([]);
    });

    it('given it ends while the notice is on its way, then FAILED, and the notice is taken back once it has a name', async () => {
      const answered = Promise.withResolvers<void>();
      bank().beforeAnswer = () => answered.promise;
      const id = await raised();
      await stage.orderBecomes(order, 'submitted');
      await waitFor(() => bank().notices.length === 1);
      await stage.orderBecomes(order, 'failed', 'mf_purchase.failed');
      await status(id, 'FAILED');
      expect(bank().withdrawn).toEqual([]);
      answered.resolve();
      await waitFor(() => bank().withdrawn.length === 1);
      expect((await debits(id))?.notice_proof).toBe('{"notice":"sent"}');
    });

    it('given it ends while an attempt is open, then the result counts, and the money goes back', async () => {
      const id = await executed();
      await status(id, 'SUBMITTED');
      await stage.orderBecomes(order, 'failed', 'mf_purchase.failed');
      await told(id, 1, capturedAs('c1', '5000'));
      const payment = await status(id, 'REJECTED');
      expect(payment.refunds).toMatchObject([{ reason: 'order_failed', amc_order_ids: [order.old_id] }]);
    });
  });

  describe('and its mandate', () => {
    it.each([
      ['notice', () => stage.orderBecomes(order, 'submitted')],
      [
        'execution',
        async () => {
          await stage.orderBecomes(order, 'submitted');
          await stage.untilRows('SELECT 1 FROM debits WHERE notified_at IS NOT NULL');
          mandate.mandate_status = 'PAUSED';
          await passUntil('2026-12-22 13:00');
        },
      ],
    ] as const)(
      'given no permit for the %s, then FAILED mandate_cancelled before any call',
      async (what, on) => {
        const id = await raised();
        if (what === 'notice') mandate.mandate_status = 'CANCELLED';
        await on();
        expect(await status(id, 'FAILED')).toMatchObject({ failure_code: 'mandate_cancelled' });
        expect(bank().executed).toEqual([]);
        expect(bank().notices).toHaveLength(what === 'notice' ? 0 : 1);
      },
    );

    it('given the permit is granted and the mandate cancelled before the call returns, then the result counts', async () => {
      const answered = Promise.withResolvers<void>();
      bank().beforeAnswer = (call) => (call === 'execute' ? answered.promise : Promise.resolve());
      const id = await executed();
      mandate.mandate_status = 'CANCELLED';
      expect([...stage.neighbours.mandates.open]).toContain(`${id} execute 1`);
      answered.resolve();
      await status(id, 'SUBMITTED');
      await told(id, 1, capturedAs('c1', '5000'));
      await status(id, 'INITIATED');
      await waitFor(() => !stage.neighbours.mandates.open.has(`${id} execute 1`));
    });

    it('given it is cancelled between two attempts, then no further call', async () => {
      const id = await executed();
      await told(id, 1, failed('insufficient_funds'));
      mandate.mandate_status = 'CANCELLED';
      await passUntil('2026-12-22 21:30');
      expect(await status(id, 'FAILED')).toMatchObject({ failure_code: 'mandate_cancelled' });
      expect(bank().executed).toHaveLength(1);
    });
  });

  it('given callback, status and our own answer at once, then one success and one capture', async () => {
    const answered = Promise.withResolvers<void>();
    bank().beforeAnswer = (call) => (call === 'execute' ? answered.promise : Promise.resolve());
    bank().onDebitStatus.set({ kind: 'yes', value: capturedAs('c1', '5000') });
    const id = await executed();
    const callback = told(id, 1, capturedAs('c1', '5000'));
    stage.clock.advance(5_000);
    stage.service.dueWorker.wake();
    answered.resolve();
    expect((await callback).status).toBe(200);
    await stage.until(id, ({ status }) => status === 'SUCCESS' || status === 'INITIATED');
    await waitFor(() => bank().asked.length > 0 || stage.service.dueWorker.inFlight === 0);
    expect(await stage.rows('SELECT amount FROM captures')).toHaveLength(1);
    expect((await stage.events(id)).filter((type) => type === 'payment.success')).toHaveLength(1);
    expect(await attempts(id)).toMatchObject([{ number: 1, failure_code: null, ended_at: expect.any(Date) }]);
  });

  it('given money after it FAILED, then it stays FAILED, and the money goes back', async () => {
    const id = await executed();
    await told(id, 1, failed('invalid_bank_account'));
    bank().onDebitStatus.set({ kind: 'yes', value: capturedAs('c1', '5000') });
    await stage.pass(5_000);
    const payment = await stage.until(id, ({ late_auth }) => late_auth);
    expect(payment).toMatchObject({
      status: 'FAILED',
      refund_reason: 'late_authorization',
      refunds: [{ amc_order_ids: [order.old_id] }],
    });
    await waitFor(() => stage.provider.refunds.length === 1);
  });

  describe('cancelled by its client', () => {
    const cancel = (id: number): Promise<Answered> => stage.send('POST', `/api/pg/payments/${id}/cancel`);

    it('given it is PENDING, then FAILED user_cancelled, and the notice is taken back', async () => {
      const id = await notified();
      expect((await cancel(id)).json()).toMatchObject({ status: 'FAILED', failure_code: 'user_cancelled' });
      await waitFor(() => bank().withdrawn.length === 1);
    });

    it('given it is accepted, then 409', async () => {
      const id = await executed();
      await status(id, 'SUBMITTED');
      expect((await cancel(id)).status).toBe(409);
    });

    it('given an attempt that nobody knows about, then 503; given it was taken, then 409 and SUCCESS', async () => {
      bank().onExecute.set(SILENCE);
      bank().onDebitStatus.set(SILENCE);
      const id = await executed();
      expect((await cancel(id)).status).toBe(503);
      bank().onDebitStatus.set({ kind: 'yes', value: capturedAs('c1', '5000') });
      expect((await cancel(id)).status).toBe(409);
      await stage.until(id, ({ status }) => status === 'SUCCESS' || status === 'INITIATED');
    });
  });

  describe('a notice', () => {
    const notice = (id: number, value: object) =>
      stage.report({
        reference: `P${String(id).padStart(12, '0')}`,
        fact: { about: 'notice', attempt_reference: reference(id, 1), notice: value } as never,
      });

    it('that did not reach the investor allows no debit', async () => {
      const id = await notified();
      await notice(id, { status: 'failed', message: 'x' });
      expect(await stage.get(id)).toMatchObject({ status: 'FAILED', failure_code: 'payment_failed' });
    });

    it('that reached the investor late moves the debit', async () => {
      const id = await notified();
      await passUntil('2026-12-21 20:00');
      await notice(id, { status: 'delivered', proof: 'delivered' });
      const row = (await debits(id))!;
      expect(row.notice_proof).toBe('delivered');
      expect(istTimestamp(row.execute_at).slice(0, 16)).toBe('2026-12-22T21:30');
    });
  });

  describe('of an e-mandate', () => {
    beforeEach(() => {
      mandate = stage.neighbours.mandates.anApproved({ mandate_type: 'E_MANDATE' });
    });

    it('goes without a notice on the next business day from 10:00, and on two calendar days after it', async () => {
      bank().onExecute.set(no('insufficient_funds'));
      const id = await raised();
      await stage.orderBecomes(order, 'submitted');
      await stage.untilRows('SELECT 1 FROM debits WHERE planned_at IS NOT NULL');
      for (const [index, day] of ['2026-12-22 10:00', '2026-12-23 10:00', '2026-12-24 10:00'].entries()) {
        expect((await stage.get(id)).debit_date).toBe(day.slice(0, 10));
        await passUntil(day);
        await waitFor(() => bank().executed.length === index + 1);
        await stage.untilRows(
          `SELECT 1 FROM debit_attempts WHERE number = ${index + 1} AND ended_at IS NOT NULL`,
        );
      }
      expect(await status(id, 'FAILED')).toMatchObject({ failure_code: 'insufficient_funds' });
      expect(bank().notices).toEqual([]);
    });
  });
});
