import type { PaymentDto } from '@fundrail/contracts';
import { onJudged } from '@fundrail/policies';
import { paymentReference } from '@fundrail/providers';
import { paymentMachine } from '@fundrail/state-machines';
import { yes } from '@fundrail/testing';
import { NONSENSE, NOT_FOUND, SILENCE } from '../testing/fake-provider.ts';
import { capturedAs } from '../testing/payments.builder.ts';
import { inStatus, PaymentsStage } from '../testing/start-payments.ts';

const MINUTE = 60_000;

describe('the life of a payment', () => {
  let stage: PaymentsStage;
  let captures = 0;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
  });
  afterEach(() => stage.stop());

  const money = (amount = '5000') => capturedAs(`c${(captures += 1)}-${Date.now()}`, amount);
  const paid = (id: number, payment = money()) =>
    stage.report({ reference: paymentReference(id), fact: { about: 'payment', payment } });
  const settled = (reference: string) =>
    stage.report({ reference, fact: { about: 'transfer', transfer: { status: 'settled' } } });
  const dueAt = async (kind: string, key: string | number) =>
    (
      await stage.rows<{ due_at: Date }>(
        'SELECT due_at FROM due_work WHERE kind = $1 AND key = $2',
        kind,
        String(key),
      )
    )[0]?.due_at;

  it('is counted by who has paid, once for each report that counts (POL-8)', async () => {
    const judged: string[] = [];
    onJudged((policy, outcome) => policy === 'third_party_payment' && judged.push(outcome));
    const [refused, allowed] = [await stage.payable(), await stage.payable()];
    const [theirs, own] = [{ ...money(), third_party: true }, money()];
    for (let times = 0; times < 2; times += 1) {
      await paid(refused, theirs);
      await paid(allowed, own);
    }
    expect(await stage.get(refused)).toMatchObject({ status: 'FAILED', failure_code: 'tpv_failed' });
    await stage.until(allowed, inStatus('INITIATED'));
    expect(judged).toEqual(['refused', 'allowed']);
  });

  it('ends in APPROVED when it is paid, transferred and settled, with an event for each step and payment.updated (EVT-4, EVT-5, EVT-9, PAY-24, XFER-1, XFER-2, PAY-25)', async () => {
    const id = await stage.payable();
    expect((await paid(id)).status).toBe(200);
    await stage.until(id, inStatus('INITIATED'));
    const [transfer] = stage.provider.transfers;
    expect(transfer).toMatchObject({
      payment_reference: paymentReference(id),
      shares: [{ old_id: expect.any(Number) }],
    });
    await settled(transfer!.reference);
    const payment = await stage.get(id);
    expect(payment).toMatchObject({ status: 'APPROVED', refunds: [], late_auth: false });
    expect(await stage.events(id)).toEqual([
      'payment.pending',
      'payment.updated',
      ...['success', 'updated', 'initiated', 'updated', 'approved', 'updated'].map(
        (word) => `payment.${word}`,
      ),
    ]);
    const published = (await stage.eventRows(id)).map(
      ({ data }) => JSON.parse(data) as { previous_attributes: object | null },
    );
    expect(published[1]?.previous_attributes).toEqual({ upi: { type: 'uri', vpa: null, uri: null } });
    expect(published[3]?.previous_attributes).toEqual({ status: 'PENDING', debit_confirmed_at: null });
    expect(published.at(-1)?.previous_attributes).toEqual({ status: 'INITIATED', settled_at: null });
    expect(published.at(-1)).toMatchObject({
      object: JSON.parse((await stage.send('GET', `/api/pg/payments/${id}`)).body),
    });
    const history = await stage.rows<{ trigger: string }>(
      'SELECT trigger FROM payment_history WHERE payment_id = $1 ORDER BY id',
      id,
    );
    expect(history.map((row) => row.trigger).filter((word) => word !== 'accept_transfer')).toEqual([
      'request_uri',
      'issue_uri',
      'succeed',
      'start_transfer',
      'settle',
    ]);
  });

  describe('callbacks', () => {
    it('with a bad signature are a 400 and change nothing (GATE-7)', async () => {
      const id = await stage.payable();
      const answer = await stage.report(
        { reference: paymentReference(id), fact: { about: 'payment', payment: money() } },
        'bad',
      );
      expect([answer.status, answer.body]).toEqual([
        400,
        expect.stringContaining('"field":"x-test-signature"'),
      ]);
      expect((await stage.get(id)).status).toBe('PENDING');
    });

    it('repeated, ten concurrently and out of order, have one effect (GATE-8)', async () => {
      const id = await stage.payable();
      const payment = money();
      const answers = await Promise.all(Array.from({ length: 10 }, () => paid(id, payment)));
      expect(answers.every((answer) => answer.status === 200)).toBe(true);
      await stage.until(id, inStatus('INITIATED'));
      await stage.report({
        reference: paymentReference(id),
        fact: { about: 'payment', payment: { status: 'waiting' } },
      });
      const late = { status: 'failed', failure_code: 'payment_failed', message: '' } as const;
      await stage.report({ reference: paymentReference(id), fact: { about: 'payment', payment: late } });
      expect(await stage.get(id)).toMatchObject({ status: 'INITIATED', refunds: [] });
      expect((await stage.events(id)).filter((type) => type === 'payment.success')).toHaveLength(1);
    });

    it('with a known event id are not applied again', async () => {
      const id = await stage.payable();
      const failed = { status: 'failed', failure_code: 'payment_failed', message: '' } as const;
      await stage.report({
        event_id: 'same',
        reference: paymentReference(id),
        fact: { about: 'payment', payment: { status: 'waiting' } },
      });
      await stage.report({
        event_id: 'same',
        reference: paymentReference(id),
        fact: { about: 'payment', payment: failed },
      });
      expect((await stage.get(id)).status).toBe('PENDING');
    });

    it('that are not understood cause a status call', async () => {
      const id = await stage.payable();
      stage.provider.onStatus.set(yes(money()));
      await stage.report({ reference: paymentReference(id), fact: null });
      await stage.until(id, inStatus('INITIATED'));
    });

    it("of one provider about another's payment change nothing", async () => {
      const id = (await stage.create([stage.neighbours.anOrder()], { provider_name: 'SDKVENDOR' })).json<{
        id: number;
      }>().id;
      expect((await paid(id)).status).toBe(200);
      expect((await stage.get(id)).status).toBe('PENDING');
    });

    it('about unknown payments are accepted and ignored', async () => {
      expect((await stage.report({ reference: paymentReference(99_999_999), fact: null })).status).toBe(200);
    });
  });

  describe('the status call', () => {
    it('finds a payment whose callback was lost (PAY-29)', async () => {
      await stage.stop();
      stage = await PaymentsStage.start({ PAYMENT_EXPIRY_MINUTES: '1440', UPI_URI_EXPIRY_MINUTES: '1440' });
      const id = await stage.payable();
      stage.provider.onStatus.set(SILENCE, NONSENSE, yes(money()));
      for (const pause of [90_000, 510_000, 3_000_000]) {
        expect((await stage.get(id)).status).toBe('PENDING');
        const asked = stage.provider.onStatus.calls;
        await stage.pass(pause - 1);
        await stage.pass(0);
        expect(stage.provider.onStatus.calls).toBe(asked);
        await stage.pass(1);
        await stage.until(id, () => stage.provider.onStatus.calls === asked + 1);
      }
      await stage.until(id, inStatus('INITIATED'));
    });

    it('is followed by a resend when the provider does not know the payment (GATE-4)', async () => {
      const id = await stage.payable();
      stage.provider.onStatus.set(NOT_FOUND);
      await stage.pass(90_000);
      await stage.until(id, () => stage.provider.registered.length === 2);
      expect((await stage.get(id)).status).toBe('PENDING');
    });
  });

  describe('the expiry', () => {
    it('is 30 minutes after the creation without a URI, to the millisecond', async () => {
      const id = await stage.pay();
      expect(await dueAt('payment.expire', id)).toEqual(new Date(stage.clock.now().getTime() + 30 * MINUTE));
      await stage.pass(30 * MINUTE - 1);
      expect((await stage.get(id)).status).toBe('PENDING');
      await stage.pass(1);
      expect(await stage.until(id, inStatus('FAILED'))).toMatchObject({ failure_code: 'payment_expired' });
    });

    it('is 10 minutes after the URI is issued', async () => {
      const id = await stage.payable();
      expect(await dueAt('payment.expire', id)).toEqual(new Date(stage.clock.now().getTime() + 10 * MINUTE));
      await stage.pass(10 * MINUTE);
      expect(await stage.until(id, inStatus('FAILED'))).toMatchObject({ failure_code: 'payment_expired' });
      expect(stage.provider.onCancel.calls).toBeGreaterThan(0);
    });

    it('does not fail a payment that the provider reports as paid (TIME-7)', async () => {
      const id = await stage.payable();
      stage.provider.onCancel.set({ kind: 'no', failure_code: 'already_paid', message: '' });
      stage.provider.onStatus.set(yes({ status: 'waiting' }), yes(money()));
      await stage.pass(10 * MINUTE);
      await stage.until(id, inStatus('INITIATED'));
    });

    it('waits for a provider that does not answer', async () => {
      const id = await stage.payable();
      stage.provider.onCancel.set(SILENCE, yes(null));
      await stage.pass(10 * MINUTE);
      await stage.until(id, () => stage.provider.onCancel.calls === 1);
      expect((await stage.get(id)).status).toBe('PENDING');
      await stage.pass(5_000);
      await stage.until(id, inStatus('FAILED'));
    });
  });

  it("another tenant's payment is a 404 on every route", async () => {
    const id = await stage.pay();
    const authorization = stage.neighbours.tokens.header('other', 'api admin');
    const as = (method: 'GET' | 'POST', path: string, body?: object) =>
      stage.send(method, `/api/pg/payments${path}`, body, { authorization, 'x-tenant-id': 'other' });
    expect((await as('GET', `/${id}`)).status).toBe(404);
    expect((await as('POST', `/${id}/cancel`)).status).toBe(404);
    expect((await as('POST', `/${id}/refunds`, {})).status).toBe(404);
    expect((await as('GET', '')).json<{ total_elements: number }>().total_elements).toBe(0);
    for (const unknown of ['0', '-1', 'abc', '1.5', '9'.repeat(30)])
      expect((await as('GET', `/${unknown}`)).status).toBe(404);
  });

  it('is listed newest first, in pages, by each filter (CONV-7, CONV-14, CONV-20)', async () => {
    const orders = Array.from({ length: 5 }, () => stage.neighbours.anOrder());
    const ids: number[] = [];
    for (const order of orders) {
      ids.push(await stage.pay(order));
      await stage.pass(MINUTE);
    }
    await stage.send('POST', `/api/pg/payments/${ids[0]}/cancel`);
    const list = async (query: string) => {
      const page = (await stage.send('GET', `/api/pg/payments?${query}`)).json<{ payments: PaymentDto[] }>();
      return page.payments.map((payment) => payment.id);
    };
    expect(await list('size=2&page=1')).toEqual([ids[2], ids[1]]);
    expect(await list('payment_status=FAILED')).toEqual([ids[0]]);
    expect(await list(`amc_order_ids=${orders[1]!.old_id},${orders[3]!.old_id}`)).toEqual([ids[3], ids[1]]);
    expect(await list('from=2026-12-21&to=2026-12-21')).toHaveLength(5);
    expect(await list('from=2026-12-22')).toEqual([]);
    expect(await list('payment_type=NACH')).toEqual([]);
    expect((await stage.send('GET', '/api/pg/payments?colour=red')).status).toBe(400);
  });

  it("the database's states are the machine's (DATA-4, PAY-23)", async () => {
    const [row] = await stage.rows<{ text: string }>(
      "SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = 'payments_status'",
    );
    expect([...(row?.text.matchAll(/'(\w+)'/g) ?? [])].map((match) => match[1])).toEqual([
      ...paymentMachine.states,
    ]);
  });
});
