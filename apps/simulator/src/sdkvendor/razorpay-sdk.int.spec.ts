import { eventually } from '@fundrail/providers/testing';
import { sdkvendorWire } from '@fundrail/providers/sdkvendor';
import Razorpay from 'razorpay';
import { validatePaymentVerification } from 'razorpay/dist/utils/razorpay-utils.js';
import { z } from 'zod';
import { RAZORPAY_KEY, SimulatorStage } from '../testing/simulator-stage.ts';

interface HttpClient {
  readonly defaults: { baseURL: string };
}

/** The SDK's HTTP client, which the SDK's types do not include. Only its address is changed from outside. */
function isHttpClient(value: unknown): value is HttpClient {
  return typeof value === 'function' && 'defaults' in value;
}

// Several of the SDK's calls are typed as both a promise and void, so their results are parsed like any response.
const listed = z.object({ items: z.array(z.unknown()) });

// The official `razorpay` package from npm. Only the address that it calls is changed.
describe("Razorpay's own SDK for Node against the simulator (GATE-14)", () => {
  let stage: SimulatorStage;
  let razorpay: Razorpay;
  beforeAll(async () => {
    stage = await SimulatorStage.start();
    razorpay = sdk(RAZORPAY_KEY.keySecret);
  });
  afterAll(() => stage.end());

  function sdk(key_secret: string): Razorpay {
    const client = new Razorpay({ key_id: RAZORPAY_KEY.keyId, key_secret });
    const http: unknown = Reflect.get(client.api, 'rq');
    if (!isHttpClient(http)) throw new Error('the SDK has no HTTP client');
    http.defaults.baseURL = `${stage.url}/sdkvendor`;
    return client;
  }
  let drawn = 0;
  const receipt = () => `receipt ${(drawn += 1)}`;
  const ordered = (amount = 50_000) =>
    razorpay.orders.create({ amount, currency: 'INR', receipt: receipt(), notes: { tea: 'Earl Grey' } });
  const payer = { email: 'gaurav.kumar@example.com', contact: '9090909090' };
  const browser = { notes: {}, ip: '192.168.0.103', referer: 'http', user_agent: 'Mozilla/5.0' };
  const paid = async () => {
    const { id: order_id } = await ordered();
    const upi = { flow: 'collect', vpa: 'success@upi', expiry_time: 5 } as const;
    const asked = { amount: 50_000, currency: 'INR', order_id, ...payer, ...browser, method: 'upi', upi };
    const started: unknown = await razorpay.payments.createUpi(asked);
    const { razorpay_payment_id: id } = sdkvendorWire.startedUpi.parse(started);
    return eventually(
      () => razorpay.payments.fetch(id),
      ({ status }) => status === 'captured',
    );
  };

  /** Order fields that its types do not include: a mandate to authorise, and the notification before a debit. */
  const recurringOrder = (parts: object) => {
    const order = { currency: 'INR', receipt: receipt(), ...parts };
    return razorpay.orders.create(order as Parameters<typeof razorpay.orders.create>[0]);
  };
  const notifyingOrder = (token_id: string) =>
    recurringOrder({ amount: 30_000, notification: { token_id, payment_after: 1_634_057_114 } });
  const authorisedToken = async (customer_id: string) => {
    const token = { max_amount: 200_000, expire_at: 2_709_971_120, frequency: 'as_presented' };
    const { id: order_id } = await recurringOrder({ amount: 100, customer_id, method: 'upi', token });
    const upi = { flow: 'collect', vpa: 'success@upi', expiry_time: 5 } as const;
    const asked = { amount: 100, currency: 'INR', order_id, ...payer, ...browser, method: 'upi', upi };
    const recurring = { ...asked, customer_id, recurring: '1' };
    const started: unknown = await razorpay.payments.createUpi(recurring);
    const { razorpay_payment_id: id } = sdkvendorWire.startedUpi.parse(started);
    const payment: unknown = await eventually(
      () => razorpay.payments.fetch(id),
      ({ status }) => status === 'captured',
    );
    return z.object({ token_id: z.string() }).parse(payment);
  };

  it('given an order, when it is created, read, listed by its receipt and given notes, then it is the same one', async () => {
    const order = await ordered();
    expect(order).toMatchObject({
      ...{ entity: 'order', amount: 50_000, amount_paid: 0, amount_due: 50_000, currency: 'INR' },
      ...{ status: 'created', attempts: 0, notes: { tea: 'Earl Grey' } },
    });
    expect(await razorpay.orders.fetch(order.id)).toEqual(order);
    const listed = await razorpay.orders.all({ receipt: order.receipt ?? '' });
    expect(listed).toEqual({ entity: 'collection', count: 1, items: [order] });
    const noted = await razorpay.orders.edit(order.id, { notes: { tea: 'Darjeeling' } });
    expect(noted.notes).toEqual({ tea: 'Darjeeling' });
  });

  it('given several orders, when they are listed in pages, then the newest come first', async () => {
    const [first, second] = [await ordered(), await ordered()];
    const ids = async (skip: number) =>
      (await razorpay.orders.all({ count: 1, skip })).items.map(({ id }) => id);
    expect([await ids(0), await ids(1)]).toEqual([[second.id], [first.id]]);
    const before = { to: Math.floor(Date.now() / 1000) - 86_400 };
    expect(await razorpay.orders.all(before)).toMatchObject({ count: 0 });
  });

  it('given a collect request, when the payer pays, then payment and order show it', async () => {
    const payment = await paid();
    expect(payment).toMatchObject({
      ...{ entity: 'payment', amount: 50_000, method: 'upi', vpa: 'success@upi', captured: true },
      ...{ email: payer.email, contact: payer.contact, error_code: null },
    });
    expect(await razorpay.orders.fetch(payment.order_id)).toMatchObject({
      status: 'paid',
      amount_due: 0,
      attempts: 1,
    });
    expect((await razorpay.orders.fetchPayments(payment.order_id)).items).toEqual([payment]);
    expect((await razorpay.payments.all({ count: 1 })).items).toEqual([payment]);
  });

  it('given an intent, when it is started, then its link can be opened', async () => {
    const { id: order_id } = await ordered();
    const asked = { amount: 50_000, currency: 'INR', order_id, ...payer, ...browser, method: 'upi' };
    const started: unknown = await razorpay.payments.createUpi({ ...asked, upi: { flow: 'intent' } });
    const { link } = sdkvendorWire.startedIntent.parse(started);
    const { searchParams } = new URL(link);
    // Razorpay's form: its own reference, and no trailing zeros in the amount.
    expect([searchParams.get('am'), searchParams.get('tr')]).toEqual([
      '500',
      expect.stringMatching(/^\w{15}$/),
    ]);
  });

  it.each(['ip', 'referer', 'user_agent', 'email', 'contact'])(
    'given an intent without %s, when it is started, then it is refused, and no attempt exists',
    async (missing) => {
      const { id: order_id } = await ordered();
      const whole = { amount: 50_000, currency: 'INR', order_id, ...payer, ...browser, method: 'upi' };
      const asked = { ...whole, upi: { flow: 'intent' } };
      Reflect.deleteProperty(asked, missing);
      await expect(razorpay.payments.createUpi(asked)).rejects.toMatchObject({ statusCode: 400 });
      expect((await razorpay.orders.fetchPayments(order_id)).items).toEqual([]);
    },
  );

  it("given net banking, when the investor pays at the bank, then the return passes the SDK's own check", async () => {
    const { id: order_id } = await ordered();
    const asked = { amount: 50_000, currency: 'INR', order_id, ...payer, method: 'netbanking', bank: 'HDFC' };
    const back = { ...asked, callback_url: 'https://merchant.example/back' };
    const answer: unknown = await razorpay.payments.createPaymentJson(back);
    const started = sdkvendorWire.startedRedirect.parse(answer);
    const { pathname } = new URL(started.next[0]?.url ?? '');
    const page = await stage.service.fastify.inject({
      method: 'POST',
      url: pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'action=approve',
    });
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.body)?.[1] ?? '';
    const ids = { order_id: field('razorpay_order_id'), payment_id: field('razorpay_payment_id') };
    expect(ids).toEqual({ order_id, payment_id: started.razorpay_payment_id });
    const { keySecret } = RAZORPAY_KEY;
    expect(validatePaymentVerification(ids, field('razorpay_signature'), keySecret)).toBe(true);
  });

  it('given a captured payment, when parts of it are refunded, then each is a refund and the remainder is reported', async () => {
    const { id } = await paid();
    const refund = await razorpay.payments.refund(id, { amount: 10_000, receipt: receipt() });
    expect(refund).toMatchObject({ entity: 'refund', amount: 10_000, payment_id: id });
    const done = await eventually(
      () => razorpay.refunds.fetch(refund.id),
      ({ status }) => status === 'processed',
    );
    const ofPayment = { payment_id: id, count: 10 };
    const all: unknown = await razorpay.refunds.all(ofPayment);
    expect(listed.parse(all).items).toEqual([done]);
    const multiple: unknown = await razorpay.payments.fetchMultipleRefund(id);
    expect(listed.parse(multiple).items).toEqual([done]);
    expect(await razorpay.payments.fetchRefund(id, refund.id)).toEqual(done);
    expect(await razorpay.payments.fetch(id)).toMatchObject({
      amount_refunded: 10_000,
      refund_status: 'partial',
    });
    await razorpay.payments.refund(id, {});
    expect(await razorpay.payments.fetch(id)).toMatchObject({ status: 'refunded', amount_refunded: 50_000 });
    const newest: unknown = await razorpay.refunds.all({ count: 1 });
    expect(listed.parse(newest).items).toMatchObject([{ amount: 40_000 }]);
  });

  it('given a customer, when a mandate is authorised, read and deleted, then its token shows it', async () => {
    const who = { name: 'Gaurav Kumar', email: 'gaurav.kumar@example.com', contact: 9_123_456_780 };
    const customer = await razorpay.customers.create({ ...who, fail_existing: 0 });
    expect(customer).toMatchObject({ entity: 'customer', email: who.email, contact: '9123456780' });
    expect(await razorpay.customers.create({ ...who, fail_existing: 0 })).toEqual(customer);
    await expect(razorpay.customers.create(who)).rejects.toMatchObject({ statusCode: 400 });
    expect(await razorpay.customers.fetch(customer.id)).toEqual(customer);
    const { token_id } = await authorisedToken(customer.id);
    const token = await razorpay.customers.fetchToken(customer.id, token_id);
    expect(token).toMatchObject({ entity: 'token', method: 'upi', recurring: true });
    expect(token).toMatchObject({ recurring_details: { status: 'confirmed', failure_reason: null } });
    expect((await razorpay.customers.fetchTokens(customer.id)).items).toEqual([token]);
    expect(await razorpay.customers.deleteToken(customer.id, token_id)).toEqual({ deleted: true });
    expect((await razorpay.customers.fetchTokens(customer.id)).items).toEqual([]);
  });

  it('given a token, when an order notifies and a recurring payment is made too soon, then it is refused, and a day later paid', async () => {
    const who = { name: 'Asha Rao', email: 'asha.rao@example.com', contact: '9000000002' };
    const customer = await razorpay.customers.create({ ...who, fail_existing: 0 });
    const { token_id: token } = await authorisedToken(customer.id);
    const order = await notifyingOrder(token);
    expect(order).toMatchObject({ notification: { token_id: token, payment_after: 1_634_057_114 } });
    const asked = { amount: 30_000, currency: 'INR', order_id: order.id, customer_id: customer.id, token };
    const debit = { ...asked, recurring: true, email: who.email, contact: who.contact, notes: {} };
    const recurring = async () => {
      const started: unknown = await razorpay.payments.createRecurringPayment(debit);
      return sdkvendorWire.startedRecurring.parse(started).razorpay_payment_id;
    };
    await expect(recurring()).rejects.toMatchObject({ statusCode: 400 });
    await stage.post('/sandbox/clock', { advance: 'P1D' });
    const id = await recurring();
    const captured = await eventually(
      () => razorpay.payments.fetch(id),
      ({ status }) => status === 'captured',
    );
    expect(captured).toMatchObject({ amount: 30_000, order_id: order.id });
    await expect(recurring()).rejects.toMatchObject({ error: { reason: 'order_already_paid' } });
  });

  it("given a webhook, when it comes, then the SDK's own check accepts its signature", async () => {
    const { id } = await paid();
    const webhook = await eventually(
      () => stage.callbacks.received.find(({ raw }) => raw.includes(id)),
      (found) => found !== undefined,
    );
    const signature = webhook?.headers['x-razorpay-signature'];
    if (!webhook || typeof signature !== 'string') throw new Error('the webhook has no signature');
    const check = (body: string) =>
      Razorpay.validateWebhookSignature(body, signature, RAZORPAY_KEY.webhookSecret);
    expect([check(webhook.raw), check(`${webhook.raw} `)]).toEqual([true, false]);
  });

  it.each<[string, () => Promise<unknown>, number, string]>([
    ['an unknown id', () => razorpay.orders.fetch('order_unknown'), 400, 'input_validation_failed'],
    ['a wrong secret', () => sdk('wrong').orders.all(), 401, 'authentication_failed'],
    ['less than a rupee', () => ordered(99), 400, 'input_validation_failed'],
    [
      'a VPA that does not exist',
      () => razorpay.payments.validateVpa({ vpa: 'unknown@upi' }),
      400,
      'invalid_vpa',
    ],
    [
      'the capture of a captured payment',
      async () => razorpay.payments.capture((await paid()).id, 50_000, 'INR'),
      400,
      'input_validation_failed',
    ],
    [
      'a refund above the received amount',
      async () => razorpay.payments.refund((await paid()).id, { amount: 50_001 }),
      400,
      'input_validation_failed',
    ],
  ])(
    "given %s, when it is requested, then it is an error in Razorpay's format",
    async (_, ask, statusCode, reason) => {
      await expect(ask()).rejects.toMatchObject({ statusCode, error: { code: 'BAD_REQUEST_ERROR', reason } });
    },
  );

  it('given a used receipt, when another order has it, then it is refused', async () => {
    const { receipt: before } = await ordered();
    const again = razorpay.orders.create({ amount: 100, currency: 'INR', receipt: before ?? '' });
    await expect(again).rejects.toMatchObject({ error: { description: 'Order receipt should be unique.' } });
  });
});
