import { addDays } from '@fundrail/contracts';
import { waitFor, WebhookReceiver } from '@fundrail/testing';
import type { ApiAnswer, ApiClient } from './testing/api-client.ts';
import { approvedMandate } from './testing/mandate.ts';
import { clockTo, monthsFrom } from './testing/plan.ts';
import { describeProducts, type Product } from './testing/products.ts';
import { ok, requestPayment, seedOf, untilOrder, untilPayment, type Order } from './testing/purchase.ts';

const PLANS = '/v2/mf_purchase_plans';
/** A year on the sandbox's clock, or three, on busy machines. */
const LIMIT_MS = 1_200_000;
const STEP_UP = { type: 'amount', value: 500, frequency: 'half_yearly' };
const BY_HAND = { payment_method: null, payment_source: null };
const UNPAID_TOO_OFTEN = 'consecutive_failed_installment_limit_exceeded';

type Installment = Record<string, unknown>;
/** Resolves when the sandbox's clock is at that time in India. */
type At = (time: string) => Promise<void>;
/** The life of one plan. It waits for one time after the other. */
type Story = (at: At) => Promise<void>;

/** What is played: each story's end, and the moves of the clock, which reject when one fails. */
interface Playing {
  readonly ends: readonly Promise<void>[];
  readonly moves: Promise<void>;
}

/** Plays stories beside each other on the one clock. It moves to the next time that one waits for when all wait or have ended. */
function play(client: ApiClient, stories: readonly Story[]): Playing {
  const waiting = new Map<string, (() => void)[]>();
  let busy = stories.length;
  const rest = () => {
    busy -= 1;
  };
  const at: At = (time) =>
    new Promise((proceed) => {
      waiting.set(time, [...(waiting.get(time) ?? []), proceed]);
      rest();
    });
  const move = async () => {
    for (;;) {
      await waitFor(() => busy === 0, { limitMs: LIMIT_MS, what: 'all stories to wait or end' });
      const [next] = [...waiting.keys()].sort();
      if (next === undefined) return;
      const [date = '', time] = next.split('T');
      await clockTo(client, date, time);
      const proceeding = waiting.get(next) ?? [];
      waiting.delete(next);
      busy += proceeding.length;
      for (const proceed of proceeding) proceed();
    }
  };
  const playing = { ends: stories.map((story) => story(at).finally(rest)), moves: move() };
  // Each test reads the end of its own story, when it is its turn.
  void Promise.allSettled([...playing.ends, playing.moves]);
  return playing;
}

describeProducts('purchase plans', (start) => {
  let product: Product;
  let client: ApiClient;
  let receiver: WebhookReceiver;
  let mandate: number;
  let consent: object;
  let playing: Playing;
  beforeAll(async () => {
    [product, receiver] = await Promise.all([start(), WebhookReceiver.start()]);
    client = await product.client();
    const webhook = { url: receiver.url, events: ['mf_purchase_plan.*'] };
    receiver.secret = String(ok(await client.post('/v2/notification_webhooks', webhook)).body['secret']);
    await clockTo(client, '2027-01-04', '10:00');
    mandate = await approvedMandate(client, { mandate_limit: 15_000 });
    ({ consent } = await seedOf(client));
    playing = play(client, Object.values(STORIES));
  });
  afterAll(() => Promise.all([product.stop(), receiver.stop()]));

  const planOf = async (id: string) => ok(await client.get(`${PLANS}/${id}`)).body;
  /** A monthly plan of ₹1000 on the 6th with the investor's consent, active; by mandate unless `more` says otherwise. */
  const active = async (more: object = {}) => {
    const { mf_investment_account } = await seedOf(client);
    const body = {
      ...{ mf_investment_account, consent, scheme: 'INF209K01VD7', amount: 1000, systematic: true },
      ...{ frequency: 'monthly', installment_day: 6, number_of_installments: 12 },
      ...{ payment_method: 'mandate', payment_source: String(mandate), ...more },
    };
    const id = String(ok(await client.post(PLANS, body)).body['id']);
    await untilPlan(id, { state: 'active' });
    return id;
  };
  const untilPlan = (id: string, fields: Readonly<Record<string, unknown>>) =>
    waitFor(
      async () => {
        const plan = await planOf(id);
        return Object.entries(fields).every(([field, value]) => plan[field] === value) && plan;
      },
      { what: `plan ${id} to have ${JSON.stringify(fields)}` },
    );
  const post = async (path: string, body: object = {}) =>
    ok(await client.post(`${PLANS}/${path}`, body)).body;
  /** For a plan that is checked to its end, so that the clock need not stop for it any more. */
  const cancel = (id: string) => post('cancel', { id, cancellation_code: 'invest_later' });
  const change = (id: string, body: object) => client.patch(PLANS, { id, ...body });
  const codeOf = ({ status, body }: ApiAnswer) => [status, (body['error'] as { code?: string }).code];
  const installmentsOf = async (plan: string) => {
    const { body } = ok(await client.get(`/v2/mf_purchases?plan=${plan}&limit=100`));
    return (body['data'] as Installment[]).toReversed();
  };
  const valuesOf = async (plan: string, field: string) =>
    (await installmentsOf(plan)).map((installment) => installment[field]);
  const newest = async (plan: string) => {
    const made = (await installmentsOf(plan)).at(-1);
    if (!made) throw new Error(`${plan} has made no installment`);
    return made;
  };
  const orderOf = ({ id, old_id }: Installment): Order => ({ id: String(id), oldId: Number(old_id) });
  const paymentOf = async ({ payment_id }: Installment) =>
    ok(await client.get(`/api/pg/payments/${String(payment_id)}`)).body;
  /** The webhooks about the plan, each by the last part of its type. */
  const webhooksOf = (id: string) =>
    receiver.received
      .filter(({ body }) => body.data.object['id'] === id)
      .map(({ body }) => ({ type: body.type.slice(body.type.indexOf('.') + 1), object: body.data.object }));
  const received = (id: string) => webhooksOf(id).map(({ type }) => type);
  const untilReceived = (id: string, ...types: readonly string[]) =>
    waitFor(() => received(id).slice(-types.length).join() === types.join(), {
      what: `${types.join()} of ${id} to be received last`,
    });

  const stepping = (title: string, terms: object, first: string, second: string): Record<string, Story> => ({
    [title]: async (at) => {
      const plan = await active({ ...terms, number_of_installments: 2 });
      await at(`${addDays(second, -1)}T00:30`);
      expect(await valuesOf(plan, 'scheduled_on')).toEqual([first, second]);
    },
  });

  const STORIES: Record<string, Story> = {
    'each business day (check 4, SIP-3)': async (at) => {
      const plan = await active({ frequency: 'daily', installment_day: null, number_of_installments: 4 });
      await at('2027-01-10T00:30');
      expect(await valuesOf(plan, 'scheduled_on')).toEqual([
        ...['2027-01-06', '2027-01-07', '2027-01-08', '2027-01-11'],
      ]);
    },

    ...stepping(
      'each week (check 5, SIP-10)',
      { frequency: 'day_in_a_week', installment_day: 1 },
      '2027-01-11',
      '2027-01-18',
    ),
    ...stepping(
      'each fortnight (check 5, SIP-10)',
      { frequency: 'day_in_a_fortnight', installment_day: 3 },
      '2027-01-06',
      '2027-01-20',
    ),
    ...stepping(
      'each quarter (check 6, SIP-10)',
      { frequency: 'quarterly', installment_day: 15 },
      '2027-01-15',
      '2027-04-15',
    ),

    'by the mandate, on the date of an installment that is there a day before (check 12, check 13, SIP-12, SIP-25)':
      async (at) => {
        const plan = await active();
        await at('2027-01-05T00:30');
        const [made = {}, ...others] = await installmentsOf(plan);
        expect(others).toEqual([]);
        expect(made).toMatchObject({
          installment_number: 1,
          scheduled_on: '2027-01-06',
          initiated_by: 'system',
        });
        await untilOrder(client, orderOf(made), 'submitted');
        const submitted = await newest(plan);
        const debit = {
          payment_type: 'NACH',
          status: 'PENDING',
          debit_date: '2027-01-06',
          mandate_id: mandate,
        };
        expect(await paymentOf(submitted)).toMatchObject(debit);
        await at('2027-01-06T00:50');
        expect(await paymentOf(submitted)).toMatchObject(debit);
        await at('2027-01-06T10:00');
        await untilPayment(client, Number(submitted['payment_id']), 'APPROVED');
        await untilOrder(client, orderOf(made), 'successful');
        await untilReceived(plan, 'activated', 'updated');
        const { folio_number } = await newest(plan);
        expect(folio_number).toEqual(expect.any(String));
        expect(await planOf(plan)).toMatchObject({ folio_number, remaining_installments: 11 });
        expect(await installmentsOf(plan)).toHaveLength(1);
        await cancel(plan);
      },

    'by UPI collect, after a debit that failed (check 14, check 15, SIP-27)': async (at) => {
      const plan = await active({ amount: 1003 });
      await at('2027-01-07T20:00');
      const failed = await newest(plan);
      expect(await paymentOf(failed)).toMatchObject({ status: 'FAILED', failure_code: 'insufficient_funds' });
      const payable_until = '2027-01-12T23:00:00.000+05:30';
      expect(failed).toMatchObject({ state: 'submitted', payable_until });
      const collect = {
        ...{ amc_order_ids: [failed['old_id']], method: 'UPI', upi: { type: 'collect', vpa: 'success@upi' } },
        payment_postback_url: 'http://localhost:8080/done',
      };
      ok(await client.post('/api/pg/payments/netbanking', collect));
      await untilOrder(client, orderOf(failed), 'successful');
      await untilPlan(plan, { consecutive_failed_installments: 0 });
      expect(received(plan)).not.toContain('installment_failed');
      await cancel(plan);
    },

    'not at all, which ends the plan at the third (check 16, check 17, SIP-16 to SIP-18)': async (at) => {
      const plan = await active({ amount: 1003 });
      await at('2027-01-12T22:30');
      expect((await newest(plan))['state']).toBe('submitted');
      await at('2027-01-12T23:30');
      expect(await newest(plan)).toMatchObject({ state: 'failed', failure_code: 'mandate_payment_failed' });
      await untilPlan(plan, { consecutive_failed_installments: 1 });
      await untilReceived(plan, 'installment_failed');
      await at('2027-03-15T00:30');
      await untilReceived(plan, 'installment_failed', 'cancelled');
      expect(await planOf(plan)).toMatchObject({
        ...{ state: 'cancelled', auto_cancelled: true, next_installment_date: null },
        cancellation_code: UNPAID_TOO_OFTEN,
      });
      await at('2028-03-15T12:00');
      expect(await valuesOf(plan, 'state')).toEqual(['failed', 'failed', 'failed']);
    },

    'not at all, which ends a quarterly plan at the second (check 18, SIP-18)': async (at) => {
      const plan = await active({ amount: 1003, frequency: 'quarterly' });
      await at('2027-04-12T23:30');
      await untilPlan(plan, { state: 'cancelled', cancellation_code: UNPAID_TOO_OFTEN });
      expect(await installmentsOf(plan)).toHaveLength(2);
    },

    'once between two that are not, which begins the count again (check 19, SIP-17)': async (at) => {
      const plan = await active({ amount: 1003 });
      await at('2027-01-12T23:30');
      await untilPlan(plan, { consecutive_failed_installments: 1 });
      ok(await change(plan, { consent, amount: 1000 }));
      await at('2027-02-09T00:30');
      await untilPlan(plan, { consecutive_failed_installments: 0 });
      ok(await change(plan, { consent, amount: 1003 }));
      await at('2027-04-12T23:30');
      await untilPlan(plan, { state: 'active', consecutive_failed_installments: 2 });
      expect(await valuesOf(plan, 'state')).toEqual(['failed', 'successful', 'failed', 'failed']);
      await cancel(plan);
    },

    'by a payment of the investor, which confirms the installment (check 20, SIP-26)': async (at) => {
      const plan = await active({ ...BY_HAND, installment_day: 5 });
      await at('2027-01-05T00:30');
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
      ok(await client.post(`/api/pg/simulate/payments/${String(id)}`, { status: 'SUCCESS' }));
      await untilOrder(client, orderOf(made), 'successful');
      await cancel(plan);
    },

    'by no one, until the last moment (check 21, SIP-27)': async (at) => {
      const plan = await active({ ...BY_HAND, installment_day: 5 });
      await at('2027-01-11T22:30');
      expect((await newest(plan))['state']).toBe('pending');
      await at('2027-01-11T23:30');
      expect(await newest(plan)).toMatchObject({ state: 'failed', failure_code: 'order_expiry' });
      await cancel(plan);
    },

    'at once, when the investor debits the mandate for the first installment (check 22, SIP-11)': async (
      at,
    ) => {
      const plan = await active({ generate_first_installment_now: true, installment_day: 10 });
      await waitFor(async () => (await installmentsOf(plan)).length === 1, { what: 'the first installment' });
      const made = await newest(plan);
      expect(made).toMatchObject({ installment_number: 1, scheduled_on: '2027-01-04' });
      expect(await planOf(plan)).toMatchObject({ next_installment_date: '2027-02-10' });
      await untilOrder(client, orderOf(made), 'pending');
      expect((await newest(plan))['payment_id']).toBeNull();
      const body = { mandate_id: mandate, amc_order_ids: [made['old_id']] };
      const { id } = ok(await client.post('/api/pg/payments/nach', body)).body;
      await untilOrder(client, orderOf(made), 'submitted');
      await at('2027-01-04T23:30');
      const waiting = { status: 'PENDING', debit_date: '2027-01-05' };
      expect(await paymentOf(await newest(plan))).toMatchObject(waiting);
      await at('2027-01-05T23:00');
      await untilPayment(client, Number(id), 'APPROVED');
      await untilOrder(client, orderOf(made), 'successful');
      await cancel(plan);
    },

    'with another amount, for installments that are not made yet (check 23, SIP-9)': async (at) => {
      const plan = await active();
      await at('2027-01-05T00:30');
      expect(codeOf(await change(plan, { amount: 2000 }))).toEqual([400, 'BAD_REQUEST_ERROR']);
      expect(codeOf(await change(plan, { consent, amount: 20_000 }))).toEqual([
        422,
        'MANDATE_LIMIT_EXCEEDED',
      ]);
      ok(await change(plan, { consent, amount: 2000 }));
      await untilReceived(plan, 'activated', 'updated');
      expect(await planOf(plan)).toMatchObject({ amount: 1000, next_installment_amount: 2000 });
      await at('2027-02-07T00:30');
      expect(await valuesOf(plan, 'amount')).toEqual([1000, 2000]);
      await cancel(plan);
    },

    'with steps up to the greatest amount (check 24, SIP-19, SIP-20)': async (at) => {
      const plan = await active({ step_up: { ...STEP_UP, max_amount: 1800 }, number_of_installments: 14 });
      await at('2028-02-06T00:30');
      expect(await valuesOf(plan, 'amount')).toEqual([
        ...[...times(6, 1000), ...times(6, 1500), ...times(2, 1800)],
      ]);
    },

    'with steps of per cent (check 25, SIP-19)': async (at) => {
      const step_up = { type: 'percentage', value: 10.05, frequency: 'yearly' };
      const plan = await active({ step_up, number_of_installments: 36 });
      // Two of three are skipped, the most in a row: the clock stops more often for one that is debited.
      const skipped = monthsFrom('2027-01-06', 36).filter((_, month) => month % 3 === 0);
      for (const from of skipped) await post(`${plan}/skip_instructions`, { from, to: addDays(from, 55) });
      await at('2029-12-06T23:00');
      const amounts = [...times(12, 1000), ...times(12, 1100), ...times(12, 1210)];
      expect(await valuesOf(plan, 'amount')).toEqual(amounts);
      const states = ['cancelled', 'cancelled', 'successful'];
      expect(await valuesOf(plan, 'state')).toEqual(Array.from({ length: 12 }, () => states).flat());
      await untilPlan(plan, { state: 'completed' });
    },

    'with a step that the mandate holds back until it is replaced (check 26, SIP-21)': async (at) => {
      const weak = await approvedMandate(client, { mandate_limit: 1200 });
      const terms = { step_up: STEP_UP, payment_source: String(weak), number_of_installments: 14 };
      const plan = await active(terms);
      await at('2027-07-02T23:30');
      expect(received(plan)).not.toContain('step_up_held');
      await at('2027-07-03T00:30');
      await untilReceived(plan, 'step_up_held');
      const stated = { next_installment_amount: 1000, held_step_up: { amount: 1500, mandate_limit: 1200 } };
      expect(webhooksOf(plan).at(-1)?.object).toMatchObject(stated);
      expect(await planOf(plan)).toMatchObject(stated);
      await at('2027-07-06T23:00');
      expect(await newest(plan)).toMatchObject({ installment_number: 7, amount: 1000, state: 'successful' });
      ok(await change(plan, { consent, payment_method: 'mandate', payment_source: String(mandate) }));
      await at('2028-01-06T23:00');
      expect(await valuesOf(plan, 'amount')).toEqual([...times(12, 1000), 1500]);
      expect(await newest(plan)).toMatchObject({ state: 'successful' });
      await cancel(plan);
    },

    'not while the plan is paused (check 27, SIP-22)': async (at) => {
      const plan = await active();
      expect(codeOf(await client.post(`${PLANS}/${plan}/pause`, { installments: 3 }))[0]).toBe(400);
      const rare = await active({ frequency: 'quarterly' });
      expect(codeOf(await client.post(`${PLANS}/${rare}/pause`, { installments: 2 }))[0]).toBe(400);
      await cancel(rare);
      await post(`${plan}/pause`, { installments: 2 });
      await untilReceived(plan, 'activated', 'paused');
      expect(await planOf(plan)).toMatchObject({ state: 'active', paused_until: '2027-02-08' });
      await at('2027-03-08T23:00');
      expect(await valuesOf(plan, 'state')).toEqual(['cancelled', 'cancelled', 'successful']);
      expect(await planOf(plan)).toMatchObject({ remaining_installments: 9, paused_until: null });
      await cancel(plan);
    },

    'again, once the plan is resumed (check 28, SIP-22 to SIP-24)': async (at) => {
      const plan = await active();
      const skip = (body: object) => client.post(`${PLANS}/${plan}/skip_instructions`, body);
      expect(codeOf(await skip({ from: '2027-01-05', to: '2027-01-06' }))[0]).toBe(400);
      expect(codeOf(await skip({ from: '2027-01-06' }))[0]).toBe(400);
      const instruction = String((await post(`${plan}/pause`, { installments: 2 }))['id']);
      expect(await post(`${plan}/resume`)).toMatchObject({ id: plan, paused_until: null });
      expect(ok(await client.get(`${PLANS}/skip_instructions/${instruction}`)).body['state']).toBe(
        'cancelled',
      );
      await untilReceived(plan, 'paused', 'resumed');
      const again = await client.post(`${PLANS}/${plan}/resume`, {});
      expect(codeOf(again)).toEqual([409, 'ILLEGAL_TRANSITION']);
      await at('2027-01-06T23:00');
      expect(await valuesOf(plan, 'state')).toEqual(['successful']);
      await cancel(plan);
    },

    'once more, when the plan is cancelled after its installment was made (check 29, SIP-6)': async (at) => {
      const plan = await active();
      await at('2027-01-05T00:30');
      const request = { id: plan, cancellation_code: 'invest_later' };
      const own = await client.post(`${PLANS}/cancel`, { ...request, cancellation_code: UNPAID_TOO_OFTEN });
      expect(codeOf(own)).toEqual([400, 'BAD_REQUEST_ERROR']);
      expect(await cancel(plan)).toMatchObject({ state: 'cancelled', auto_cancelled: false });
      const again = await client.post(`${PLANS}/cancel`, request);
      expect(codeOf(again)).toEqual([409, 'ILLEGAL_TRANSITION']);
      await at('2027-03-15T00:30');
      expect(await valuesOf(plan, 'state')).toEqual(['successful']);
      expect(received(plan)).toContain('cancelled');
    },
  };

  it.each(Object.keys(STORIES).map((title, index) => [title, index] as const))(
    'are collected %s',
    async (_, index) => {
      await Promise.race([playing.ends[index], playing.moves]);
    },
    LIMIT_MS,
  );
});

const times = (count: number, amount: number) => Array.from({ length: count }, () => amount);
