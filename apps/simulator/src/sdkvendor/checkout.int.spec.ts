import type { CheckoutOrder, ProviderPayment } from '@fundrail/providers';
import { eventually, newPayment } from '@fundrail/providers/testing';
import { ADAPTER_TIMEOUT_MS, RAZORPAY_KEY, SimulatorStage } from '../testing/simulator-stage.ts';

const RETURN_URL = 'https://pay.example/api/pg/payments/netbanking/sdkvendor/capture/5011';

describe("sdkvendor's own checkout, through our adapter", () => {
  let stage: SimulatorStage;
  beforeAll(async () => {
    stage = await SimulatorStage.start();
  });
  afterAll(() => stage.end());

  const checkout = () => stage.razorpay.checkout;
  const ordered = async (payment: ProviderPayment = newPayment()) => {
    const answer = await checkout().createOrder(payment);
    if (answer.kind !== 'yes') throw new Error(JSON.stringify(answer));
    return { payment, order: answer.value };
  };
  const atBank = async (payment: ProviderPayment, order: CheckoutOrder) => {
    const answer = await checkout().startNetbanking(payment, order, 'HDFC', RETURN_URL);
    if (answer.kind !== 'yes') throw new Error(JSON.stringify(answer));
    return new URL(answer.value.redirect_url).pathname;
  };
  const press = (url: string, action: string) =>
    stage.service.fastify.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `action=${action}`,
    });
  const play = (id: number, status: string) => stage.post(`/api/pg/simulate/payments/${id}`, { status });
  const fault = (operation: string, kind: string) =>
    stage.post('/sandbox/faults', {
      target: 'sdkvendor',
      operation,
      kind,
      times: 1,
      delay_ms: 2 * ADAPTER_TIMEOUT_MS,
    });
  const statusOf = ({ reference }: ProviderPayment) => stage.razorpay.paymentStatus(reference);
  const field = (page: string, name: string) => {
    const [, value = ''] = page.split(`name="${name}" value="`);
    return value.split('"')[0] ?? '';
  };

  it('given a payment, when its order is requested again and concurrently, then it has one', async () => {
    const { payment, order } = await ordered();
    expect(order.order_id).toMatch(/^order_/);
    const again = await Promise.all([ordered(payment), ordered(payment)]);
    expect(again.map((each) => each.order)).toEqual([order, order]);
    const fresh = newPayment();
    const [one, other] = await Promise.all([ordered(fresh), ordered(fresh)]);
    expect(other.order).toEqual(one.order);
  });

  it.each([
    ['lost before its effect', 'drop'],
    ['late, after it', 'delay'],
    ['a 500', 'status_500'],
  ])('given an order whose call is %s, when it is sent again, then there is one order', async (_, kind) => {
    const payment = newPayment();
    await fault('order', kind);
    expect(await checkout().createOrder(payment)).toMatchObject({ kind: 'unknown', why: 'no_answer' });
    const { order } = await ordered(payment);
    expect((await ordered(payment)).order).toEqual(order);
  });

  it('given an order without a payment attempt, when its status is queried, then it waits', async () => {
    const { payment } = await ordered();
    expect(await statusOf(payment)).toEqual({ kind: 'yes', value: { status: 'waiting' } });
  });

  it('given an investor who pays in the SDK, when it is simulated, then the capture is reported and signed (SAND-10)', async () => {
    const { payment, order } = await ordered();
    expect((await play(payment.payment_id, 'SUCCESS')).status).toBe(200);
    expect(await statusOf(payment)).toMatchObject({ value: { status: 'captured', amount: payment.amount } });
    const webhook = await eventually(
      () => stage.callbacks.received.find(({ raw }) => raw.includes(order.order_id)),
      (found) => found !== undefined,
    );
    expect(webhook && (await stage.razorpay.readCallback(webhook.headers, webhook.raw))).toMatchObject({
      reference: payment.reference,
      fact: { payment: { status: 'captured' } },
    });
    expect((await play(payment.payment_id, 'SUCCESS')).status).toBe(409);
  });

  it('given a bank, when the investor pays there, then the browser returns with signed ids (SAND-11)', async () => {
    const { payment, order } = await ordered();
    const page = await press(await atBank(payment, order), 'approve');
    expect(page.body).toContain(`action="${RETURN_URL}"`);
    const capture = {
      order_id: field(page.body, 'razorpay_order_id'),
      payment_id: field(page.body, 'razorpay_payment_id'),
      signature: field(page.body, 'razorpay_signature'),
    };
    expect(capture.order_id).toBe(order.order_id);
    expect(checkout().isSigned(capture)).toBe(true);
    expect(checkout().isSigned({ ...capture, payment_id: 'pay_another' })).toBe(false);
    const status = await statusOf(payment);
    expect(status).toMatchObject({ value: { status: 'captured', provider_reference: capture.payment_id } });
    expect(page.headers['content-security-policy']).toContain('form-action https://pay.example;');
  });

  it('given a bank, when the investor cancels there, then the browser returns with the error', async () => {
    const { payment, order } = await ordered();
    const page = await press(await atBank(payment, order), 'decline');
    expect(field(page.body, 'error[reason]')).toBe('payment_cancelled');
    expect(field(page.body, 'error[metadata]')).toContain(order.order_id);
    expect(await statusOf(payment)).toMatchObject({ value: { failure_code: 'user_cancelled' } });
  });

  it('given a first attempt that failed, when a second one is open or paid, then the second one counts', async () => {
    const { payment, order } = await ordered();
    await press(await atBank(payment, order), 'decline');
    const second = await atBank(payment, order);
    expect(await statusOf(payment)).toEqual({ kind: 'yes', value: { status: 'waiting' } });
    await press(second, 'approve');
    expect(await statusOf(payment)).toMatchObject({ value: { status: 'captured' } });
  });

  it('given two open attempts, when both are approved, then the payment is captured once', async () => {
    const { payment, order } = await ordered();
    const [one, other] = [await atBank(payment, order), await atBank(payment, order)];
    await press(one, 'approve');
    await press(other, 'approve');
    await stage.post('/sandbox/clock', { advance: 'PT1M' });
    expect(stage.callbacks.received.filter(({ raw }) => raw.includes(order.order_id))).toHaveLength(1);
    expect((await play(payment.payment_id, 'SUCCESS')).status).toBe(409);
  });

  it('given a paid order, when a further attempt is started, then the payment does not change', async () => {
    const { payment, order } = await ordered();
    await play(payment.payment_id, 'SUCCESS');
    expect(await checkout().startUpiIntent(payment, order)).toMatchObject({
      kind: 'unknown',
      why: 'not_understood',
    });
    expect(await stage.razorpay.issueUpiUri(payment)).toMatchObject({
      kind: 'unknown',
      why: 'not_understood',
    });
    expect(await checkout().createOrder(payment)).toEqual({ kind: 'yes', value: order });
  });

  it('given a VPA that does not exist, when the page sends a request to it, then it is refused', async () => {
    const { payment, order } = await ordered();
    const answer = await checkout().startUpiCollect(payment, order, 'unknown@upi');
    expect(answer).toMatchObject({ kind: 'no', failure_code: 'invalid_upi_id' });
    expect(await checkout().startUpiCollect(payment, order, 'success@upi')).toEqual({
      kind: 'yes',
      value: null,
    });
    await eventually(
      () => statusOf(payment),
      (status) => status.kind === 'yes' && status.value.status === 'captured',
    );
  });

  it('given late@upi at sdkvendor, when the attempt has been over for two minutes, then it still pays', async () => {
    const payment = newPayment();
    await stage.razorpay.sendCollect(payment, 'late@upi');
    await stage.post('/sandbox/clock', { advance: 'PT6M' });
    expect(await statusOf(payment)).toMatchObject({ value: { status: 'waiting' } });
    await stage.post('/sandbox/clock', { advance: 'PT1M' });
    expect(await statusOf(payment)).toMatchObject({ value: { status: 'captured' } });
  });

  it('given an intent, when the investor opens the page of the UPI app, then it can be paid there', async () => {
    const payment = newPayment();
    await stage.razorpay.issueUpiUri(payment);
    const url = `/sandbox/upi/${payment.payment_id}`;
    expect((await stage.service.fastify.inject({ method: 'GET', url })).body).toContain('<svg');
    await press(url, 'approve');
    expect(await statusOf(payment)).toMatchObject({ value: { status: 'captured' } });
  });

  it('given an unknown attempt, when its bank page is opened, then it is a clear 404 page', async () => {
    const page = await stage.service.fastify.inject({ method: 'GET', url: '/sandbox/bank/pay_unknown' });
    expect([page.statusCode, page.body.includes('Payment not found')]).toEqual([404, true]);
    expect((await press('/sandbox/bank/pay_unknown', 'approve')).statusCode).toBe(404);
  });

  it('given the page of a bank, when it is opened, then it may load nothing and names the amount', async () => {
    const { payment, order } = await ordered();
    const url = await atBank(payment, order);
    const page = await stage.service.fastify.inject({ method: 'GET', url });
    expect(page.body).toContain('₹5,000.00');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('given a wrong key, when it is used, then the response is an unexpected one, and no payment fails', async () => {
    expect(checkout().keyId).toBe(RAZORPAY_KEY.keyId);
    const answer = await stage.service.fastify.inject({ method: 'GET', url: '/sdkvendor/v1/orders' });
    expect([answer.statusCode, answer.json<object>()]).toEqual([
      401,
      expect.objectContaining({
        error: expect.objectContaining({ description: 'Authentication failed' }) as unknown,
      }),
    ]);
  });
});
