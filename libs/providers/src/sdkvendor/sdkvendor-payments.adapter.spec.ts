import { Decimal } from '@fundrail/contracts';
import { MockAgent } from 'undici';
import { newPayment } from '../testing/conformance-stage.ts';
import { SdkvendorPayments } from './sdkvendor-payments.adapter.ts';

const SERVER = { ip: '198.51.100.1', referer: 'https://pay.example', user_agent: 'fundrail' };
const BASE = 'http://razorpay.test';
const list = (...items: object[]) => ({ entity: 'collection', count: items.length, items });
const order = (parts: object = {}) => ({
  ...{ id: 'order_1', amount: 500_000, currency: 'INR', receipt: 'P1', status: 'created', created_at: 1 },
  ...parts,
});
const attempt = (parts: object = {}) => ({
  ...{
    id: 'pay_1',
    order_id: 'order_1',
    amount: 500_000,
    currency: 'INR',
    status: 'captured',
    created_at: 1,
  },
  ...parts,
});

/** A test defines one answer per call; every other call gets no answer. */
describe('our calls to Razorpay', () => {
  let agent: MockAgent;
  let adapter: SdkvendorPayments;
  beforeEach(() => {
    agent = new MockAgent();
    agent.disableNetConnect();
    const secrets = { keyId: 'rzp_test_1', keySecret: 'k', webhookSecret: 'w', server: SERVER };
    adapter = new SdkvendorPayments({ baseUrl: BASE, dispatcher: agent, ...secrets });
  });
  afterEach(() => agent.close());

  const get = (path: string, body: object) =>
    agent
      .get(BASE)
      .intercept({ path: `/v1${path}`, method: 'GET' })
      .reply(200, body);
  const ordersOf = (reference: string, ...items: object[]) =>
    get(`/orders?receipt=${reference}&count=100`, list(...items));
  const refund = { reference: 'R000000000001001', payment_reference: 'P1', amount: Decimal.parse('5000') };

  it('given an order with our receipt, when it is requested, then none is created (CALL-1)', async () => {
    ordersOf('P1', order());
    const answer = await adapter.checkout.createOrder(newPayment({ reference: 'P1' }));
    expect(answer).toEqual({ kind: 'yes', value: { order_id: 'order_1' } });
  });

  const refusedOrder = (code: string, description: string) => {
    agent
      .get(BASE)
      .intercept({ path: '/v1/orders', method: 'POST' })
      .reply(400, { error: { code, description, reason: 'input_validation_failed' } });
    return adapter.checkout.createOrder(newPayment({ reference: 'P1' }));
  };

  it.each([
    ['BAD_REQUEST_ERROR', 'Order amount less than minimum amount allowed', { kind: 'no' }],
    ['BAD_REQUEST_ERROR', 'Order receipt should be unique.', { kind: 'unknown', why: 'no_answer' }],
    ['GATEWAY_ERROR', 'The gateway is down', { kind: 'unknown', why: 'no_answer' }],
    ['SERVER_ERROR', 'We are facing some trouble', { kind: 'unknown', why: 'no_answer' }],
  ])(
    'given an order that is refused as %s (%s), then only a refusal for good is a no',
    async (code, description, expected) => {
      ordersOf('P1');
      ordersOf('P1');
      expect(await refusedOrder(code, description)).toMatchObject(expected);
    },
  );

  it('given that the list of orders is refused, then the order itself is not', async () => {
    agent
      .get(BASE)
      .intercept({ path: '/v1/orders?receipt=P1&count=100', method: 'GET' })
      .reply(400, { error: { code: 'BAD_REQUEST_ERROR', description: 'no such parameter' } });
    expect(await adapter.checkout.createOrder(newPayment({ reference: 'P1' }))).toMatchObject({
      kind: 'unknown',
      why: 'not_understood',
    });
  });

  it("given a list with another payment's order, when our status is requested, then that money does not count", async () => {
    ordersOf('P1', order({ receipt: 'P2' }), order({ receipt: null }));
    expect(await adapter.paymentStatus('P1')).toEqual({ kind: 'not_found' });
  });

  it('given an order with another amount, when it is requested, then nothing is paid under it', async () => {
    ordersOf('P1', order({ amount: 1 }));
    const answer = await adapter.checkout.createOrder(newPayment({ reference: 'P1' }));
    expect(answer).toMatchObject({ kind: 'unknown', why: 'not_understood' });
  });

  it('given a refund that was made before, when it is sent again, then it is found and no money is refunded twice', async () => {
    ordersOf('P1', order());
    get(
      '/orders/order_1/payments',
      list(attempt({ id: 'pay_2', created_at: 2, amount_refunded: 500_000 }), attempt()),
    );
    get('/payments/pay_1/refunds?count=100', list());
    const made = {
      id: 'rfnd_1',
      payment_id: 'pay_2',
      amount: 500_000,
      receipt: refund.reference,
      status: 'processed',
    };
    get('/payments/pay_2/refunds?count=100', list(made));
    expect(await adapter.refund(refund)).toEqual({ kind: 'yes', value: { status: 'successful' } });
  });

  it('given money that came in twice, also under two orders of one receipt, when the status is requested, then all of it is reported', async () => {
    ordersOf('P1', order(), order({ id: 'order_2', created_at: 2 }));
    get('/orders/order_1/payments', list(attempt({ id: 'pay_2', created_at: 2 }), attempt()));
    get('/orders/order_2/payments', list(attempt({ id: 'pay_3', amount: 100, created_at: 3 })));
    expect(await adapter.paymentStatus('P1')).toMatchObject({
      value: {
        provider_reference: 'pay_1',
        others: [
          { provider_reference: 'pay_2', amount: Decimal.parse('5000') },
          { provider_reference: 'pay_3', amount: Decimal.parse('1') },
        ],
      },
    });
  });

  it('given money that came in twice, when one is refunded, then it is the later one, with our key', async () => {
    ordersOf('P1', order());
    get('/orders/order_1/payments', list(attempt({ id: 'pay_2', created_at: 2 }), attempt()));
    get('/payments/pay_1/refunds?count=100', list());
    get('/payments/pay_2/refunds?count=100', list());
    const made = {
      id: 'rfnd_1',
      payment_id: 'pay_2',
      amount: 500_000,
      receipt: refund.reference,
      status: 'pending',
    };
    const headers = { 'x-refund-idempotency': refund.reference, authorization: 'Basic cnpwX3Rlc3RfMTpr' };
    const path = '/v1/payments/pay_2/refund';
    agent.get(BASE).intercept({ path, method: 'POST', headers }).reply(200, made);
    expect(await adapter.refund(refund)).toEqual({ kind: 'yes', value: { status: 'waiting' } });
  });

  it('given a refund that Razorpay refuses, when it is sent, then that is a no with its reason', async () => {
    ordersOf('P1', order());
    get('/orders/order_1/payments', list(attempt()));
    get('/payments/pay_1/refunds?count=100', list());
    const error = { code: 'BAD_REQUEST_ERROR', description: 'm', reason: 'input_validation_failed' };
    agent.get(BASE).intercept({ path: '/v1/payments/pay_1/refund', method: 'POST' }).reply(400, { error });
    expect(await adapter.refund(refund)).toEqual({
      kind: 'no',
      failure_code: 'input_validation_failed',
      message: 'm',
    });
  });

  it('given a refused status request, when it is answered, then the payment is not refused', async () => {
    const error = { code: 'BAD_REQUEST_ERROR', description: 'm' };
    const path = '/v1/orders?receipt=P1&count=100';
    agent.get(BASE).intercept({ path, method: 'GET' }).reply(400, { error }).times(3);
    for (const ask of [adapter.paymentStatus('P1'), adapter.refundStatus(refund), adapter.cancel('P1')])
      expect(await ask).toMatchObject({ kind: 'unknown', why: 'not_understood' });
  });

  it('given two orders of one receipt, when both were tried, then all attempts count', async () => {
    ordersOf('P1', order({ id: 'order_2', created_at: 2 }), order());
    get('/orders/order_1/payments', list(attempt({ status: 'failed' })));
    get('/orders/order_2/payments', list(attempt({ id: 'pay_2', order_id: 'order_2' })));
    expect(await adapter.paymentStatus('P1')).toMatchObject({
      value: { status: 'captured', provider_reference: 'pay_2' },
    });
  });
});
