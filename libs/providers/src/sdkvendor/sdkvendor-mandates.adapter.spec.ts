import { Decimal } from '@fundrail/contracts';
import { MockAgent } from 'undici';
import type { ProviderDebit, ProviderMandate } from '../mandate-ports.ts';
import { SdkvendorPayments } from './sdkvendor-payments.adapter.ts';
import { signWebhook } from './signature.ts';

const BASE = 'http://razorpay.test';
const mandate: ProviderMandate = {
  ...{ mandate_type: 'UPI', mandate_token: 'token_1', provider_id: 'cust_1', umrn: null },
};
const TOKEN = '/v1/customers/cust_1/tokens/token_1';
const token = (status: string, parts: object = {}) => ({
  ...{ id: 'token_1', method: 'upi', mrn: null, recurring_details: { status }, ...parts },
});
const debit: ProviderDebit = {
  ...{ reference: 'D1', payment_reference: 'P1', payment_id: 1, tenant: 'demo', attempt: 1, mandate },
  ...{ amount: Decimal.parse('1001.5'), execute_at: new Date('2026-12-22T10:00:00+05:30') },
  ...{ notice_number: 1, notice_reference: 'order_1', contact: { email: null, mobile: null } },
};
const payment = (parts: object = {}) => ({
  ...{ id: 'pay_1', order_id: 'order_1', amount: 100_150, currency: 'INR', captured: true },
  ...{ status: 'captured', created_at: 1, notes: { attempt: 'D1' }, ...parts },
});

// Answers that our own simulator cannot give: the words of Razorpay's documents, and intermediate states.
describe("Razorpay's tokens and recurring payments", () => {
  let agent: MockAgent;
  let adapter: SdkvendorPayments;
  beforeEach(() => {
    agent = new MockAgent();
    agent.disableNetConnect();
    const server = { ip: '198.51.100.1', referer: 'https://pay.example', user_agent: 'fundrail' };
    const secrets = { keyId: 'rzp_test_1', keySecret: 'k', webhookSecret: 'w', server };
    adapter = new SdkvendorPayments({ baseUrl: BASE, dispatcher: agent, ...secrets });
  });
  afterEach(() => agent.close());
  const on = (method: string, path: string, status: number, body: object, times = 1) =>
    agent.get(BASE).intercept({ method, path }).reply(status, JSON.stringify(body)).times(times);
  const refused = {
    error: { code: 'BAD_REQUEST_ERROR', description: 'no', reason: 'input_validation_failed' },
  };

  it.each([
    ['confirmed', 'active'],
    ['resumed', 'active'],
    ['paused', 'paused'],
    ['cancelled', 'cancelled'],
    ['expired', 'expired'],
    ['rejected', 'rejected'],
  ])('given a token that is %s, when it is asked about, then it is %s', async (word, status) => {
    on('GET', TOKEN, 200, token(word));
    expect(await adapter.mandates.mandateStatus(mandate)).toEqual({ kind: 'yes', value: { status } });
  });

  it.each(['initiated', 'cancellation_initiated', 'teleported'])(
    'given a token that is %s, when it is asked about, then it is unknown',
    async (word) => {
      on('GET', TOKEN, 200, token(word));
      expect((await adapter.mandates.mandateStatus(mandate)).kind).toBe('unknown');
    },
  );

  it('given a slow NPCI, when a mandate is revoked, then it is polled until it is cancelled', async () => {
    on('GET', TOKEN, 200, token('confirmed'));
    on('PUT', `${TOKEN}/cancel`, 200, { status: 'cancellation_initiated' });
    on('GET', TOKEN, 200, token('cancellation_initiated'));
    expect(await adapter.mandates.revoke(mandate)).toMatchObject({ kind: 'unknown', why: 'no_answer' });
    on('GET', TOKEN, 200, token('cancelled'));
    expect(await adapter.mandates.revoke(mandate)).toEqual({ kind: 'yes', value: null });
  });

  it('given a token that is refused but listed, when it is asked about, then the result is unknown', async () => {
    on('GET', TOKEN, 400, refused);
    on('GET', '/v1/customers/cust_1/tokens', 200, { items: [{ id: 'token_1' }] });
    expect((await adapter.mandates.mandateStatus(mandate)).kind).toBe('unknown');
  });

  const authorised = (attempts: readonly object[]) => {
    on('GET', '/v1/orders?count=100&receipt=P1', 200, { items: [order({ about: 'authorisation' })] });
    on('GET', '/v1/orders/order_1/payments', 200, { items: attempts });
  };
  const tried = (number: number) =>
    payment({
      ...{ id: `pay_${number}`, token_id: `token_${number}`, customer_id: 'cust_1', created_at: number },
    });

  it('given two attempts that the investor authorised, when the status is requested, then the second token is reported as surplus', async () => {
    authorised([tried(2), tried(1), payment({ id: 'pay_3', status: 'failed', created_at: 3 })]);
    on('GET', TOKEN, 200, token('confirmed'));
    expect(await adapter.mandates.authorisationStatus('P1')).toMatchObject({
      value: {
        ...{ status: 'approved', mandate_token: 'token_1' },
        others: [{ mandate_token: 'token_2', provider_id: 'cust_1', umrn: null }],
      },
    });
  });

  it('given the bank refused the first of two, when it is asked about, then the second one counts', async () => {
    authorised([tried(1), tried(2)]);
    on('GET', TOKEN, 200, token('rejected'));
    on('GET', '/v1/customers/cust_1/tokens/token_2', 200, token('confirmed', { id: 'token_2' }));
    expect(await adapter.mandates.authorisationStatus('P1')).toMatchObject({
      value: { status: 'approved', mandate_token: 'token_2' },
    });
  });

  const order = (notes: object) => ({
    ...{
      id: 'order_1',
      amount: 100_150,
      currency: 'INR',
      receipt: 'P1',
      status: 'created',
      created_at: 1,
      notes,
    },
  });

  /** The order of the debit's notice, and the payments under it. */
  const known = (items: readonly object[], times = 1) => {
    on('GET', '/v1/orders?count=100&receipt=P1', 200, { items: [order({ about: 'debit' })] }, times);
    on('GET', '/v1/orders/order_1/payments', 200, { items }, times);
  };

  it('given a refused debit, when the token shows the reason, then it is our code; else it is payment_failed', async () => {
    const execute = async (...said: (() => unknown)[]) => {
      known([], 2);
      on('POST', '/v1/payments/create/recurring', 400, refused);
      said.forEach((say) => say());
      return adapter.mandates.executeDebit(debit);
    };
    const paused = await execute(() => on('GET', TOKEN, 200, token('paused')));
    expect(paused).toMatchObject({ kind: 'no', failure_code: 'mandate_cancelled' });
    const low = await execute(() => on('GET', TOKEN, 200, token('confirmed', { max_amount: 100_149 })));
    expect(low).toMatchObject({ kind: 'no', failure_code: 'mandate_limit_exceeded' });
    const enough = await execute(() => on('GET', TOKEN, 200, token('confirmed', { max_amount: 100_150 })));
    expect(enough).toMatchObject({ kind: 'no', failure_code: 'payment_failed' });
  });

  it('given an order that was paid meanwhile, when another attempt is executed, then the result is unknown', async () => {
    known([payment({ notes: { attempt: 'D0' }, status: 'failed' })]);
    const paid = { error: { code: 'BAD_REQUEST_ERROR', description: 'Paid', reason: 'order_already_paid' } };
    on('POST', '/v1/payments/create/recurring', 400, paid);
    expect(await adapter.mandates.executeDebit(debit)).toMatchObject({ kind: 'unknown' });
  });

  it('given an attempt that is there already, when it is executed again, then no second payment is made', async () => {
    known([payment({ status: 'created' })]);
    expect(await adapter.mandates.executeDebit(debit)).toEqual({ kind: 'yes', value: null });
    agent.assertNoPendingInterceptors();
  });

  it("given another attempt's money, when this attempt is asked about, then it is not found", async () => {
    known([payment({ notes: { attempt: 'D2' } })]);
    expect(await adapter.mandates.debitStatus(debit)).toEqual({ kind: 'not_found' });
  });

  it('given an attempt that was executed twice, when the status is requested, then all received money is reported', async () => {
    const captured = { status: 'captured', captured: true };
    known([payment({ ...captured, id: 'pay_2', created_at: 9 }), payment({ ...captured, id: 'pay_1' })]);
    expect(await adapter.mandates.debitStatus(debit)).toMatchObject({
      value: { status: 'captured', provider_reference: 'pay_1', others: [{ provider_reference: 'pay_2' }] },
    });
  });

  const webhook = (event: string, payload: object) => {
    const raw = JSON.stringify({ event, payload, created_at: 7 });
    const headers = { 'x-razorpay-signature': signWebhook('w', raw), 'x-razorpay-event-id': 'e1' };
    return adapter.readCallback(headers, raw);
  };
  it.each([
    ['token.paused', 'paused'],
    ['token.resumed', 'active'],
    ['token.cancelled', 'cancelled'],
    ['token.expired', 'expired'],
    ['token.confirmed', 'active'],
    ['token.rejected', 'rejected'],
  ])('given %s without notes, when it is read, then the mandate is %s', async (event, state) => {
    const fact = { about: 'mandate', mandate_token: 'token_1', state };
    const read = await webhook(event, { token: { entity: { id: 'token_1' } } });
    expect(read).toEqual({ event_id: 'e1', reference: 'token_1', fact });
  });

  it.each(['token.confirmed', 'token.rejected'])(
    'given %s whose token names the authorisation, when it is read, then that is asked about',
    async (event) => {
      const entity = { id: 'token_1', notes: { reference: 'P9' } };
      expect(await webhook(event, { token: { entity } })).toMatchObject({ reference: 'P9', fact: null });
    },
  );

  it('given an unknown token event, when it is read, then it only identifies the mandate', async () => {
    const read = await webhook('token.cancellation_initiated', { token: { entity: { id: 'token_1' } } });
    expect(read).toMatchObject({ reference: 'token_1', fact: null });
  });

  it.each([
    ['order.notification.delivered', { status: 'delivered' }],
    ['order.notification.failed', { status: 'failed' }],
  ])('given %s, when it is read, then it is the notice of that number', async (event, notice) => {
    on('GET', '/v1/orders/order_1', 200, { ...order({ about: 'debit' }), receipt: 'P1N2' });
    const read = await webhook(event, { notification: { entity: { id: 'n1', order_id: 'order_1' } } });
    expect(read).toMatchObject({
      reference: 'P1',
      fact: { about: 'notice', notice_number: 2, notice },
    });
  });

  it.each([
    ['payment.failed', { status: 'failed' }, null],
    ['payment.captured', { status: 'captured', captured: true }, { about: 'debit', attempt_reference: 'D1' }],
  ])(
    "given %s of a debit, when it is read, then only money decides: the attempt's other payment may still succeed",
    async (event, said, fact) => {
      on('GET', '/v1/orders/order_1', 200, order({ about: 'debit' }));
      const entity = payment({ notes: { attempt: 'D1' }, ...said });
      const read = await webhook(event, { payment: { entity } });
      expect(read.reference).toBe('P1');
      if (fact) expect(read.fact).toMatchObject(fact);
      else expect(read.fact).toBeNull();
    },
  );

  it('given a payment whose own notes claim a debit, when its order is not a debit, then the order counts', async () => {
    on('GET', '/v1/orders/order_1', 200, order({ reference: 'P1' }));
    const entity = payment({ notes: { about: 'debit', attempt: 'D1' } });
    expect(await webhook('payment.captured', { payment: { entity } })).toMatchObject({
      fact: { about: 'payment' },
    });
  });
});
