import type { FetchedPaymentDto, PaymentDto } from '@fundrail/contracts';
import { paymentReference } from '@fundrail/providers';
import { orderOf } from '../../testing/fake-checkout.ts';
import type { FakeOrder } from '../../testing/fake-neighbours.ts';
import { SILENCE } from '../../testing/fake-provider.ts';
import { capturedAs } from '../../testing/payments.builder.ts';
import { inStatus, PaymentsStage } from '../../testing/start-payments.ts';
import { SettleCapture } from './settle-capture.ts';

const MINUTE = 60_000;
type Created = { id: number; token_url: string; sdk_options?: { sdkvendor: Record<string, unknown> } };

describe('net banking, page and SDK (FLOW-5, FLOW-6)', () => {
  let stage: PaymentsStage;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
  });
  afterEach(() => stage.stop());

  const fetched = async (id: number) =>
    (await stage.send('GET', `/api/pg/payments/${id}`)).json<FetchedPaymentDto>();
  const withSdk = () => (stage.neighbours.settings.sdk_options_enabled = true);

  describe('without SDK options', () => {
    it.each([
      ['no method', undefined, null],
      ['NETBANKING', 'NETBANKING', 'NETBANKING'],
    ])(
      'for %s returns a token_url without calling the provider, and GET shows it too (PAY-18, PAY-10, PAY-11)',
      async (_, method, shown) => {
        const answer = await stage.checkOut([stage.neighbours.anOrder()], { method });
        const { id, token_url } = answer.json<Created>();
        expect([answer.status, answer.body]).toEqual([
          200,
          `{"id":${id},"token_url":"${token_url}","upi":null}`,
        ]);
        expect(token_url).toMatch(
          new RegExp(`/api/pg/payments/netbanking/sdkvendor\\?txnId=${id}\\..{43}&txnType=payment$`),
        );
        expect(await fetched(id)).toMatchObject({
          token_url,
          method: shown,
          provider_name: 'SDKVENDOR',
          payment_type: 'NETBANKING',
        });
        expect(await fetched(id)).toMatchObject({ object: 'payment', upi: null });
        expect(stage.checkout.orderRequests).toEqual([]);
      },
    );

    it('keeps the token out of events (PAY-19)', async () => {
      const { id } = (await stage.checkOut([stage.neighbours.anOrder()])).json<Created>();
      const [created] = await stage.eventRows(id);
      expect(created?.data).not.toContain('txnId');
    });

    it('ends after 15 minutes when the page was never opened (TIME-4)', async () => {
      const { id } = (await stage.checkOut([stage.neighbours.anOrder()])).json<Created>();
      await stage.pass(15 * MINUTE - 1);
      await stage.pass(0);
      expect((await stage.get(id)).status).toBe('PENDING');
      await stage.pass(1);
      const over = await stage.until(id, inStatus('FAILED'));
      expect(over).toMatchObject({ failure_code: 'payment_expired' });
      expect(over).not.toHaveProperty('token_url');
      expect(stage.sdkvendor.onCancel.calls).toBe(0);
    });

    it('continues when one of its orders fails: the creation is the point of no return (PAY-32)', async () => {
      const orders = [stage.neighbours.anOrder(), stage.neighbours.anOrder()];
      const { id } = (await stage.checkOut(orders)).json<Created>();
      await stage.orderBecomes(orders[0]!, 'failed', 'mf_purchase.failed');
      expect((await stage.get(id)).status).toBe('PENDING');
      await stage.orderBecomes(orders[1]!, 'failed', 'mf_purchase.failed');
      expect(await stage.get(id)).toMatchObject({ status: 'FAILED', failure_code: 'payment_failed' });
    });
  });

  describe('paid before its orders are submitted (XFER-3)', () => {
    const paid = async (...orders: readonly FakeOrder[]) => {
      const { id } = (await stage.checkOut(orders)).json<Created>();
      stage.sdkvendor.onStatus.set({
        kind: 'yes',
        value: capturedAs('c1', String(5000 * orders.length)),
      });
      await stage.rows('UPDATE checkouts SET order_id = $1', orderOf(paymentReference(id)));
      await stage.service.app
        .get(SettleCapture)
        .execute(id, { kind: 'error', code: null, reason: null, order_id: null });
      await stage.until(id, inStatus('SUCCESS'));
      return id;
    };
    /** From 10:00 to 23:00 in India. */
    const untilNight = () => stage.pass(13 * 60 * MINUTE);

    it('waits in SUCCESS, and is transferred once all are', async () => {
      const orders = [stage.neighbours.anOrder(), stage.neighbours.anOrder()];
      const id = await paid(...orders);
      await stage.orderBecomes(orders[0]!, 'submitted');
      await stage.pass(0);
      expect(stage.provider.transfers).toEqual([]);
      await stage.orderBecomes(orders[1]!, 'submitted');
      await stage.until(id, inStatus('INITIATED'));
    });

    it('refunds at 23:00 the order that is not confirmed and releases it, and transfers the rest', async () => {
      const [one, other] = [stage.neighbours.anOrder(), stage.neighbours.anOrder()];
      const id = await paid(one, other);
      await stage.orderBecomes(one, 'confirmed', 'mf_purchase.confirmed');
      await untilNight();
      const swept = await stage.until(id, ({ refunds }) => refunds.length === 1);
      expect(swept).toMatchObject({ status: 'SUCCESS', refund_reason: 'order_not_confirmed' });
      expect(swept.refunds[0]?.amc_order_ids).toEqual([other.old_id]);
      await stage.until(id, () => other.claimed_by === null);
      expect(one.claimed_by).toBe(id);
      expect((await stage.create([other])).status).toBe(200);
      await stage.orderBecomes(one, 'submitted');
      await stage.until(id, inStatus('INITIATED'));
      expect(stage.provider.transfers[0]?.shares.map((share) => share.old_id)).toEqual([one.old_id]);
    });

    it('is REJECTED at 23:00 when nothing was confirmed', async () => {
      const id = await paid(stage.neighbours.anOrder());
      await untilNight();
      expect(await stage.until(id, inStatus('REJECTED'))).toMatchObject({
        refund_reason: 'order_not_confirmed',
      });
    });

    it('can be refunded in part by the operator: that order is released, the rest is transferred', async () => {
      const [one, other] = [stage.neighbours.anOrder(), stage.neighbours.anOrder()];
      const id = await paid(one, other);
      const authorization = stage.neighbours.tokens.header('demo', 'api admin');
      const refund = (ids: readonly number[]) =>
        stage.send('POST', `/api/pg/payments/${id}/refunds`, { amc_order_ids: ids }, { authorization });
      const answer = await refund([other.old_id]);
      expect([answer.status, answer.json().refund_reason]).toEqual([200, 'operator']);
      expect((await refund([other.old_id])).status).toBe(400);
      await stage.until(id, () => other.claimed_by === null);
      await stage.orderBecomes(one, 'submitted');
      await stage.until(id, inStatus('INITIATED'));
      expect(stage.provider.transfers[0]?.shares.map((share) => share.old_id)).toEqual([one.old_id]);
    });

    it('releases the order later when orders does not answer to its release', async () => {
      const [one, other] = [stage.neighbours.anOrder(), stage.neighbours.anOrder()];
      const id = await paid(one, other);
      await stage.orderBecomes(one, 'confirmed', 'mf_purchase.confirmed');
      stage.neighbours.refusesReleases = true;
      await untilNight();
      await stage.until(id, ({ refunds }) => refunds.length === 1);
      stage.neighbours.refusesReleases = false;
      await stage.until(id, () => {
        stage.clock.advance(5_000);
        return other.claimed_by === null;
      });
    });
  });

  describe('with SDK options', () => {
    beforeEach(() => {
      withSdk();
    });

    it('returns the fields of FLOW-6, in paise, and GET shows them while it is PENDING (CONV-28, PAY-16, PAY-19)', async () => {
      const answer = await stage.checkOut([stage.neighbours.anOrder({ amount: '5000.50' })]);
      const created = answer.json<Created>();
      expect(created.sdk_options).toEqual({
        sdkvendor: {
          callback_url: `http://127.0.0.1:3000/api/pg/payments/netbanking/sdkvendor/capture/${created.id}`,
          bank_code: 'HDFC',
          amount: 500_050,
          method: { wallet: false, netbanking: true, card: false, upi: true },
          order_id: orderOf(paymentReference(created.id)),
          key: 'key_test',
          email: 'investor@example.com',
          contact: '+919876543210',
        },
      });
      const { token_url, sdk_options } = await fetched(created.id);
      expect({ id: created.id, token_url, upi: null, sdk_options }).toEqual(created);
      expect((await stage.eventRows(created.id)).map(({ data }) => data).join('')).not.toContain(
        '@example.com',
      );
      await stage.send('POST', `/api/pg/payments/${created.id}/cancel`);
      expect(await fetched(created.id)).not.toHaveProperty('sdk_options');
    });

    it('offers only net banking when that was requested', async () => {
      const answer = await stage.checkOut([stage.neighbours.anOrder()], { method: 'NETBANKING' });
      expect(answer.json<Created>().sdk_options).toMatchObject({ sdkvendor: { method: { upi: false } } });
    });

    it('is a 422 with the reason when the provider refuses: the payment FAILED, the claim released, the key completed (PAY-14)', async () => {
      const message = 'Order amount less than minimum amount allowed (account 00112233445566)';
      stage.checkout.onOrder.set({ kind: 'no', failure_code: 'bank_not_enabled', message }, null);
      const order = stage.neighbours.anOrder();
      const answer = await stage.checkOut([order], {}, { 'idempotency-key': 'again' });
      expect([answer.status, order.claimed_by]).toEqual([422, null]);
      expect(answer.json()).toMatchObject({
        error: {
          code: 'PROVIDER_REFUSED',
          message:
            'The payment provider refused the request: Order amount less than minimum amount allowed (account …)',
        },
      });
      const payments = await stage.rows<PaymentDto>('SELECT status, failure_code FROM payments');
      expect(payments).toEqual([{ status: 'FAILED', failure_code: 'bank_not_enabled' }]);
      const again = await stage.checkOut([order], {}, { 'idempotency-key': 'again' });
      expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([
        422,
        'true',
        answer.body,
      ]);
      expect(stage.checkout.orderRequests).toHaveLength(1);
      expect((await stage.checkOut([order])).status).toBe(200);
    });

    it('is a 409 when the provider refuses after another request with the same key got the order, and the payment stays PENDING', async () => {
      const gate = Promise.withResolvers<void>();
      stage.checkout.beforeOrder = () => gate.promise;
      stage.checkout.onOrder.set(null, { kind: 'no', failure_code: 'pg_server_error', message: 'no' });
      const order = stage.neighbours.anOrder();
      const slow = stage.checkOut([order], {}, { 'idempotency-key': 'taken over' });
      await stage.until(0, () => stage.checkout.orderRequests.length === 1);
      await stage.rows(
        `UPDATE idempotency_keys SET held_until = now() - interval '1 s' WHERE key = 'taken over'`,
      );
      stage.checkout.beforeOrder = () => Promise.resolve();
      expect((await stage.checkOut([order], {}, { 'idempotency-key': 'taken over' })).status).toBe(200);
      gate.resolve();
      expect((await slow).status).toBe(409);
      const payments = await stage.rows<PaymentDto>('SELECT id, status FROM payments');
      expect(payments).toEqual([{ id: order.claimed_by, status: 'PENDING' }]);
    });

    it('is a 503 when the provider does not answer: the payment FAILED and the claim released', async () => {
      stage.checkout.onOrder.set(SILENCE, null);
      const order = stage.neighbours.anOrder();
      const answer = await stage.checkOut([order], {}, { 'idempotency-key': 'again' });
      expect([answer.status, answer.headers['retry-after'], order.claimed_by]).toEqual([503, '5', null]);
      const [failed] = await stage.rows<PaymentDto>('SELECT id, status, failure_code FROM payments');
      expect(failed).toMatchObject({ status: 'FAILED', failure_code: 'pg_server_error' });
      // The 503 releases the key, so the same request creates a new payment.
      const again = await stage.checkOut([order], {}, { 'idempotency-key': 'again' });
      expect([again.status, again.json<Created>().id === failed?.id]).toEqual([200, false]);
    });

    it('holds no transaction of the key during the provider’s call, and a repeat is a 409', async () => {
      const gate = Promise.withResolvers<void>();
      stage.checkout.beforeOrder = () => gate.promise;
      const order = stage.neighbours.anOrder();
      const first = stage.checkOut([order], {}, { 'idempotency-key': 'k' });
      await stage.untilRows('SELECT 1 FROM payments');
      const second = await stage.checkOut([order], {}, { 'idempotency-key': 'k' });
      expect([second.status, second.body]).toEqual([409, expect.stringContaining('IDEMPOTENCY_KEY_IN_USE')]);
      const open = await stage.rows<{ n: number }>(
        `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`,
      );
      expect(open).toEqual([{ n: 0 }]);
      gate.resolve();
      const { body } = await first;
      const replay = await stage.checkOut([order], {}, { 'idempotency-key': 'k' });
      expect([replay.body, replay.headers['idempotent-replayed']]).toEqual([body, 'true']);
      expect(stage.checkout.orderRequests).toHaveLength(1);
    });

    it('expires after 30 minutes, although its page was never opened', async () => {
      const { id } = (await stage.checkOut([stage.neighbours.anOrder()])).json<Created>();
      await stage.pass(15 * MINUTE);
      await stage.pass(15 * MINUTE - 1);
      expect(await fetched(id)).toMatchObject({ status: 'PENDING', sdk_options: expect.anything() });
      expect(await fetched(id)).not.toHaveProperty('token_url');
      await stage.pass(1);
      await stage.until(id, inStatus('FAILED'));
      expect(stage.sdkvendor.onCancel.calls).toBeGreaterThan(0);
    });
  });
});
