import { waitFor } from '@fundrail/testing';
import type { ApiClient } from './testing/api-client.ts';
import { describeProducts, type Product } from './testing/products.ts';
import {
  ok,
  payableOrder,
  payablePayment,
  requestPayment,
  untilPayment,
  untilRefund,
  type Order,
} from './testing/purchase.ts';

describeProducts('money that is not a payment (CAP-1 to CAP-4)', (start) => {
  let product: Product;
  let client: ApiClient;
  beforeAll(async () => {
    product = await start();
    client = await product.client();
  });
  afterAll(() => product.stop());

  const play = (payment: number, request: object) =>
    client.post(`/api/pg/simulate/payments/${payment}`, request);
  const paymentOf = async (payment: number) => (await client.get(`/api/pg/payments/${payment}`)).body;
  const asked = async (): Promise<{ order: Order; payment: number }> => {
    const order = await payableOrder(client);
    return { order, payment: await payablePayment(client, [order]) };
  };

  it("given another account than the investor's, when it pays, then the payment fails, the money is refunded, and the order can be paid", async () => {
    const { order, payment } = await asked();
    ok(await play(payment, { status: 'SUCCESS', payer: 'third_party' }));
    await untilPayment(client, payment, 'FAILED');
    await untilRefund(client, payment, 'SUCCESSFUL');
    expect(await paymentOf(payment)).toMatchObject({
      ...{ failure_code: 'tpv_failed', refund_reason: 'tpv_failed', late_auth: false },
      refunds: [{ reason: 'tpv_failed', amount: 5000, status: 'SUCCESSFUL' }],
    });
    const retry = Number(ok(await requestPayment(client, [order])).body['id']);
    const isPaid = async () => (await play(retry, { status: 'SUCCESS' })).status === 200;
    await waitFor(isPaid, { what: `payment ${retry} to be asked for, and paid` });
    await untilPayment(client, retry, 'APPROVED');
  });

  it('given a payment that was paid, when it is paid again, then the second capture is refunded, and the state stays', async () => {
    const { payment } = await asked();
    ok(await play(payment, { status: 'SUCCESS' }));
    await untilPayment(client, payment, 'APPROVED');
    ok(await play(payment, { status: 'PAID_AGAIN' }));
    await untilRefund(client, payment, 'SUCCESSFUL');
    expect(await paymentOf(payment)).toMatchObject({
      ...{ status: 'APPROVED', refund_reason: 'duplicate_payment' },
      refunds: [{ reason: 'duplicate_payment', amount: 5000, status: 'SUCCESSFUL', amc_order_ids: [] }],
    });
    expect((await play(payment, { status: 'PAID_AGAIN' })).status).toBe(409);
  });

  it('given a first capture whose callback is lost, when it is paid again, then both are known, and one goes back', async () => {
    const { payment } = await asked();
    const lost = { target: 'gatewaypoa', operation: 'callback_payments', kind: 'drop', times: 1 };
    ok(await client.post('/sandbox/faults', lost));
    ok(await play(payment, { status: 'SUCCESS' }));
    ok(await play(payment, { status: 'PAID_AGAIN' }));
    await untilPayment(client, payment, 'APPROVED');
    await untilRefund(client, payment, 'SUCCESSFUL');
    expect(await paymentOf(payment)).toMatchObject({
      refunds: [{ reason: 'duplicate_payment', amount: 5000, status: 'SUCCESSFUL', amc_order_ids: [] }],
    });
  });

  it('given a payment that is not paid yet, when it is paid "again", then that is a 409', async () => {
    const { payment } = await asked();
    expect((await play(payment, { status: 'PAID_AGAIN' })).status).toBe(409);
    expect((await play(payment, { status: 'SUCCESS', payer: 'somebody' })).status).toBe(400);
  });

  describe('through the hosted page', () => {
    const checkedOut = async () => {
      const order = await payableOrder(client);
      const answer = await client.post('/api/pg/payments/netbanking', {
        amc_order_ids: [order.oldId],
        payment_postback_url: 'http://localhost:8080/done',
      });
      const { id, token_url } = ok(answer).body;
      // The first visit creates the order at the provider, and the cookie lets the page be shown again.
      const visit = await fetch(String(token_url));
      const cookie = visit.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const page = async () => (await fetch(String(token_url), { headers: { cookie } })).text();
      return { order, payment: Number(id), page };
    };

    it("given another account than the investor's, when it pays, then Razorpay takes no money, the page says why, and the investor can pay", async () => {
      const { payment, page } = await checkedOut();
      ok(await play(payment, { status: 'SUCCESS', payer: 'third_party' }));
      const said = async () =>
        (await page()).includes('a bank account that is not registered for this investment');
      await waitFor(said, { limitMs: 60_000, what: 'the page to say why' });
      expect(await paymentOf(payment)).toMatchObject({ status: 'PENDING', refunds: [] });
      ok(await play(payment, { status: 'SUCCESS' }));
      await untilPayment(client, payment, 'SUCCESS');
    });

    it('given a payment that was paid, when another attempt is paid too, then its money goes back', async () => {
      const { payment } = await checkedOut();
      ok(await play(payment, { status: 'SUCCESS' }));
      await untilPayment(client, payment, 'SUCCESS');
      ok(await play(payment, { status: 'PAID_AGAIN' }));
      await untilRefund(client, payment, 'SUCCESSFUL');
      expect(await paymentOf(payment)).toMatchObject({
        ...{ status: 'SUCCESS', refund_reason: 'duplicate_payment' },
        refunds: [{ reason: 'duplicate_payment', amount: 5000, status: 'SUCCESSFUL' }],
      });
    });
  });
});
