import { Decimal } from '@fundrail/contracts';
import { MockAgent } from 'undici';
import { BadSignature, CallbackUnresolved, UnreadableCallback } from '../answer.ts';
import { SdkvendorPayments } from './sdkvendor-payments.adapter.ts';
import { signWebhook } from './signature.ts';

const SERVER = { ip: '198.51.100.1', referer: 'https://pay.example', user_agent: 'fundrail' };
const BASE = 'http://razorpay.test';
const entity = (parts: object = {}) => ({
  ...{
    id: 'pay_1',
    order_id: 'order_1',
    amount: 500_000,
    currency: 'INR',
    status: 'captured',
    created_at: 1,
  },
  notes: { reference: 'P999' },
  ...parts,
});
const order = {
  id: 'order_1',
  amount: 500_000,
  currency: 'INR',
  receipt: 'P1',
  status: 'paid',
  created_at: 1,
};

describe('webhooks of Razorpay', () => {
  let agent: MockAgent;
  let adapter: SdkvendorPayments;
  beforeEach(() => {
    agent = new MockAgent();
    agent.disableNetConnect();
    const secrets = { keyId: 'rzp_test_1', keySecret: 'k', webhookSecret: 'w', server: SERVER };
    adapter = new SdkvendorPayments({ baseUrl: BASE, dispatcher: agent, ...secrets });
  });
  afterEach(() => agent.close());

  const orderIs = (body: object, status = 200) =>
    agent.get(BASE).intercept({ path: '/v1/orders/order_1', method: 'GET' }).reply(status, body);
  const read = (event: string, payload: object, headers: object = {}) => {
    const raw = JSON.stringify({ entity: 'event', event, payload });
    const signed = { 'x-razorpay-signature': signWebhook('w', raw), 'x-razorpay-event-id': 'evt_1' };
    return adapter.readCallback({ ...signed, ...headers }, raw);
  };

  it('given a capture, when it is read, then its reference is the receipt of its order and not its notes', async () => {
    orderIs(order);
    expect(await read('payment.captured', { payment: { entity: entity() } })).toEqual({
      event_id: 'evt_1',
      reference: 'P1',
      fact: {
        about: 'payment',
        payment: {
          status: 'captured',
          provider_reference: 'pay_1',
          amount: Decimal.parse('5000'),
          currency: 'INR',
        },
      },
    });
  });

  it.each([
    ['a NUL in a description', { payment: { entity: entity({ error_description: 'a\0b' }) } }, {}],
    ['a payment id of 256 characters', { payment: { entity: entity({ id: 'p'.repeat(256) }) } }, {}],
    ['an order id of 256 characters', { payment: { entity: entity({ order_id: 'o'.repeat(256) }) } }, {}],
    ['a token id of 256 characters', { token: { entity: { id: 't'.repeat(256) } } }, {}],
    [
      'an event id of 256 characters',
      { payment: { entity: entity() } },
      { 'x-razorpay-event-id': 'e'.repeat(256) },
    ],
  ])(
    'given %s under a good signature, when it is read, then it is unreadable',
    async (_what, payload, headers) => {
      await expect(read('payment.captured', payload, headers)).rejects.toThrow(UnreadableCallback);
    },
  );

  it('given the same order again, when it is read, then it is not requested again', async () => {
    orderIs(order);
    await read('payment.captured', { payment: { entity: entity() } });
    expect(await read('payment.captured', { payment: { entity: entity() } })).toMatchObject({
      reference: 'P1',
    });
  });

  it('given order.paid, when it is read, then the order in it is enough', async () => {
    const payload = { payment: { entity: entity() }, order: { entity: order } };
    expect(await read('order.paid', payload)).toMatchObject({
      reference: 'P1',
      fact: { payment: { status: 'captured' } },
    });
  });

  it('given money that is only authorised, when it is read, then it waits (CAP-5)', async () => {
    orderIs(order);
    const payload = { payment: { entity: entity({ status: 'authorized' }) } };
    expect(await read('payment.authorized', payload)).toMatchObject({
      fact: { payment: { status: 'waiting' } },
    });
  });

  it.each([
    ['payment.failed', { status: 'failed', error_reason: 'payment_cancelled' }],
    ['payment.captured', { status: 'teleported' }],
    ['payment.dreamt', {}],
  ])('given %s with %j, when it is read, then the status must be requested', async (event, parts) => {
    orderIs(order);
    expect(await read(event, { payment: { entity: entity(parts) } })).toEqual({
      event_id: 'evt_1',
      reference: 'P1',
      fact: null,
    });
  });

  it.each([
    ['refund.processed', 'processed', 'successful'],
    ['refund.failed', 'failed', 'failed'],
    ['refund.created', 'pending', 'waiting'],
  ])(
    'given %s, when it is read, then it is about the refund by our reference',
    async (event, status, said) => {
      const refund = { id: 'rfnd_1', payment_id: 'pay_1', amount: 1, receipt: 'R1', status };
      const payload = { refund: { entity: refund }, payment: { entity: entity() } };
      expect(await read(event, payload)).toMatchObject({
        reference: 'R1',
        fact: { about: 'refund', refund: { status: said } },
      });
    },
  );

  it.each([
    [
      'a refund that somebody made by hand',
      'refund.processed',
      { refund: { entity: { id: 'rfnd_2', receipt: null } } },
    ],
    ['a payment without an order', 'payment.captured', { payment: { entity: entity({ order_id: null }) } }],
    ['something else altogether', 'invoice.paid', {}],
  ])('given %s, when it is read, then it belongs to none of our objects', async (_, event, payload) => {
    const { reference } = await read(event, payload);
    expect(reference).toMatch(/^(rfnd_2|pay_1|invoice\.paid)$/);
  });

  it('given an order that cannot be requested now, when it is read, then it must be sent again', async () => {
    orderIs({}, 500);
    await expect(read('payment.captured', { payment: { entity: entity() } })).rejects.toThrow(
      CallbackUnresolved,
    );
  });

  it.each<[string, object, new () => Error]>([
    ['no event id', { 'x-razorpay-event-id': undefined }, UnreadableCallback],
    ['a signature that does not fit', { 'x-razorpay-signature': '0'.repeat(64) }, BadSignature],
  ])('given %s, when it is read, then it is refused', async (_, headers, error) => {
    await expect(read('invoice.paid', {}, headers)).rejects.toThrow(error);
  });
});
