import { addDays } from '@fundrail/contracts';
import { waitFor, WebhookReceiver } from '@fundrail/testing';
import type { ApiClient } from './testing/api-client.ts';
import { approvedMandate } from './testing/mandate.ts';
import { clockTo } from './testing/plan.ts';
import { describeProducts, type Product } from './testing/products.ts';
import { ok, requestPayment, seedOf, untilOrder, untilPayment, type Order } from './testing/purchase.ts';

const PLANS = '/v2/mf_purchase_plans';
/** Months on the sandbox's clock, on busy machines. */
const LIMIT_MS = 300_000;
type Installment = Record<string, unknown>;

describeProducts('purchase plans', (start) => {
  let product: Product;
  let client: ApiClient;
  let receiver: WebhookReceiver;
  let mandate: number;
  beforeAll(async () => {
    [product, receiver] = await Promise.all([start(), WebhookReceiver.start()]);
    client = await product.client();
    const webhook = { url: receiver.url, events: ['mf_purchase_plan.*'] };
    receiver.secret = String(ok(await client.post('/v2/notification_webhooks', webhook)).body['secret']);
    mandate = await approvedMandate(client);
  });
  afterAll(() => Promise.all([product.stop(), receiver.stop()]));

  const planOf = async (id: string) => ok(await client.get(`${PLANS}/${id}`)).body;
  const nextDate = async (id: string) => String((await planOf(id))['next_installment_date']);
  /** A monthly plan with the investor's consent, active; by mandate unless `more` says otherwise. */
  const active = async (more: object = {}) => {
    const { mf_investment_account, consent } = await seedOf(client);
    const body = {
      ...{ mf_investment_account, consent, scheme: 'INF209K01VD7', amount: 1000, systematic: true },
      ...{ frequency: 'monthly', installment_day: 10, number_of_installments: 12 },
      ...{ payment_method: 'mandate', payment_source: String(mandate), ...more },
    };
    const id = String(ok(await client.post(PLANS, body)).body['id']);
    const isActive = async () => (await planOf(id))['state'] === 'active';
    await waitFor(isActive, { limitMs: 60_000, what: `plan ${id} to be active` });
    return id;
  };
  const byHand = (more: object = {}) => active({ payment_method: null, payment_source: null, ...more });
  const installmentsOf = async (plan: string) => {
    const { body } = ok(await client.get(`/v2/mf_purchases?plan=${plan}`));
    return (body['data'] as Installment[]).toReversed();
  };
  const newest = async (plan: string) => {
    const made = (await installmentsOf(plan)).at(-1);
    if (!made) throw new Error(`${plan} has made no installment`);
    return made;
  };
  const orderOf = ({ id, old_id }: Installment): Order => ({ id: String(id), oldId: Number(old_id) });
  const paymentOf = async ({ payment_id }: Installment) =>
    ok(await client.get(`/api/pg/payments/${String(payment_id)}`)).body;
  const paid = async (payment: unknown) => {
    ok(await client.post(`/api/pg/simulate/payments/${String(payment)}`, { status: 'SUCCESS' }));
    await untilPayment(client, Number(payment), 'APPROVED');
  };
  const receivedOf = (id: string) =>
    receiver.received
      .filter(({ body }) => body.data.object['id'] === id)
      .map(({ body }) => body.type.slice(body.type.indexOf('.') + 1));
  const untilReceived = (id: string, types: readonly string[]) =>
    waitFor(() => receivedOf(id).slice(-types.length).join() === types.join(), {
      limitMs: 60_000,
      what: `${types.join()} of ${id} to be received last`,
    });

  it(
    'are collected by their mandate on the date of each installment, which is there a day before (SIP-12, SIP-25)',
    async () => {
      const plan = await active();
      const date = await nextDate(plan);
      await clockTo(client, addDays(date, -1), '00:30');
      const made = await newest(plan);
      expect(made).toMatchObject({ installment_number: 1, scheduled_on: date, initiated_by: 'system' });
      await untilOrder(client, orderOf(made), 'submitted');
      const submitted = await newest(plan);
      const debit = { payment_type: 'NACH', status: 'PENDING', debit_date: date, mandate_id: mandate };
      expect(await paymentOf(submitted)).toMatchObject(debit);
      await clockTo(client, date, '00:50');
      expect(await paymentOf(submitted)).toMatchObject(debit);
      await clockTo(client, date, '12:00');
      await untilPayment(client, Number(submitted['payment_id']), 'APPROVED');
      await untilOrder(client, orderOf(made), 'successful');
      await untilReceived(plan, ['activated', 'updated']);
      const { folio_number } = await newest(plan);
      expect(folio_number).toEqual(expect.any(String));
      expect(await planOf(plan)).toMatchObject({ folio_number, remaining_installments: 11 });
      expect(await installmentsOf(plan)).toHaveLength(1);
    },
    LIMIT_MS,
  );

  it(
    'whose debit fails may be paid by hand until the last moment; three that are not paid end the plan (SIP-18, SIP-27)',
    async () => {
      const plan = await active({ amount: 1003 });
      const first = await nextDate(plan);
      await clockTo(client, addDays(first, 3), '20:00');
      const failed = await newest(plan);
      expect(await paymentOf(failed)).toMatchObject({ status: 'FAILED', failure_code: 'insufficient_funds' });
      expect(failed).toMatchObject({
        state: 'submitted',
        payable_until: `${addDays(first, 6)}T23:00:00.000+05:30`,
      });
      const { id } = ok(await requestPayment(client, [orderOf(failed)])).body;
      await waitFor(async () => {
        const { upi } = ok(await client.get(`/api/pg/payments/${String(id)}`)).body;
        return (upi as { uri: string | null }).uri;
      });
      await paid(id);
      await untilOrder(client, orderOf(failed), 'successful');
      expect(await planOf(plan)).toMatchObject({ consecutive_failed_installments: 0 });

      for (const count of [1, 2, 3]) {
        const date = await nextDate(plan);
        await clockTo(client, addDays(date, 6), '22:30');
        expect((await newest(plan))['state']).toBe('submitted');
        await clockTo(client, addDays(date, 6), '23:30');
        const unpaid = await newest(plan);
        expect(unpaid).toMatchObject({ state: 'failed', failure_code: 'mandate_payment_failed' });
        const counted = async () => (await planOf(plan))['consecutive_failed_installments'] === count;
        await waitFor(counted, { limitMs: 60_000, what: `${count} failures to be counted` });
        await untilReceived(plan, ['installment_failed', ...(count === 3 ? ['cancelled'] : [])]);
      }
      expect(await planOf(plan)).toMatchObject({
        ...{ state: 'cancelled', auto_cancelled: true, next_installment_date: null },
        cancellation_code: 'consecutive_failed_installment_limit_exceeded',
      });
      const { now } = ok(await client.get('/sandbox/clock')).body;
      await clockTo(client, addDays(String(now).slice(0, 10), 60));
      expect(await installmentsOf(plan)).toHaveLength(4);
    },
    LIMIT_MS,
  );

  it(
    'without a mandate wait for a payment, which confirms them (SIP-26)',
    async () => {
      const plan = await byHand();
      const date = await nextDate(plan);
      await clockTo(client, date, '00:30');
      const made = await newest(plan);
      await untilOrder(client, orderOf(made), 'pending');
      expect(await newest(plan)).toMatchObject({ payment_id: null, consent: expect.any(Object) });
      const { id } = ok(await requestPayment(client, [orderOf(made)])).body;
      await untilOrder(client, orderOf(made), 'submitted');
      const again = await client.patch('/v2/mf_purchases', { id: made['id'], state: 'confirmed' });
      expect([again.status, again.body['state']]).toEqual([200, 'submitted']);
      await waitFor(async () => {
        const { upi } = ok(await client.get(`/api/pg/payments/${String(id)}`)).body;
        return (upi as { uri: string | null }).uri;
      });
      await paid(id);
      await untilOrder(client, orderOf(made), 'successful');

      const next = await nextDate(plan);
      await clockTo(client, addDays(next, 6), '23:30');
      expect(await newest(plan)).toMatchObject({ state: 'failed', failure_code: 'order_expiry' });
    },
    LIMIT_MS,
  );

  it(
    'make their first installment at once, which the investor pays, also by the mandate (SIP-11)',
    async () => {
      const plan = await active({ generate_first_installment_now: true });
      const isMade = async () => (await installmentsOf(plan)).length === 1;
      await waitFor(isMade, { limitMs: 60_000, what: 'the first installment' });
      const made = await newest(plan);
      await untilOrder(client, orderOf(made), 'pending');
      expect(await newest(plan)).toMatchObject({ installment_number: 1, payment_id: null });
      const body = { mandate_id: mandate, amc_order_ids: [made['old_id']] };
      const { id } = ok(await client.post('/api/pg/payments/nach', body)).body;
      await untilOrder(client, orderOf(made), 'submitted');
      ok(await client.post('/sandbox/clock', { advance: 'P2D' }));
      await untilPayment(client, Number(id), 'APPROVED');
      await untilOrder(client, orderOf(made), 'successful');
    },
    LIMIT_MS,
  );
});
