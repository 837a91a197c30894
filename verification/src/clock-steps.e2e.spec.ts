import type { ApiClient } from './testing/api-client.ts';
import { approvedMandate } from './testing/mandate.ts';
import { activePlan, clockTo } from './testing/plan.ts';
import { describeStandalone, type Product } from './testing/products.ts';
import { createOrder, ok, payableOrder, payablePayment, seedOf, untilOrder } from './testing/purchase.ts';
import { waitFor } from '@fundrail/testing';

const PLANS = '/v2/mf_purchase_plans';
/** A Monday. The first installments are made on the 5th, debited on the 6th, and one of them again on the 7th, without success. */
const BEGIN = ['2027-01-04', '10:00'] as const;
const DAYS = 4;
/** A day is a number of these. */
const SHORT_HOURS = 6;
const MINUTE_MS = 60_000;
/** The callbacks about orders are lost, so a question finds what became of one: up to an hour later. */
const TO_A_QUESTION_MS = 61 * MINUTE_MS;
const LIMIT_MS = 300_000;

interface Happened {
  readonly type: string;
  readonly time: string;
}

describeStandalone('the same days of the sandbox, in one move and in short ones', (start) => {
  let products: readonly Product[];
  beforeAll(async () => {
    products = await Promise.all([start(), start()]);
  });
  afterAll(() => Promise.all(products.map((product) => product.stop())));

  /** One object of each kind: paid, unpaid or waiting; a debit and plans whose debits succeed or fail. Then the callbacks about orders are lost. */
  async function makeObjects(client: ApiClient): Promise<void> {
    await clockTo(client, ...BEGIN);
    const mandate = await approvedMandate(client, { mandate_limit: 15_000 });
    await activePlan(client, { amount: 1500, number_of_installments: 2, installment_day: 6 });
    for (const amount of [1000, 1003]) await activePurchasePlan(client, mandate, amount);
    await untilOrder(client, await createOrder(client), 'pending');
    const debited = await payableOrder(client, 2500);
    ok(await client.post('/api/pg/payments/nach', { mandate_id: mandate, amc_order_ids: [debited.oldId] }));
    ok(await client.patch('/v2/mf_purchases', { id: debited.id, state: 'confirmed' }));
    await payablePayment(client, [await payableOrder(client)]);
    const paid = await payablePayment(client, [await payableOrder(client, 5001)]);
    const lost = { target: 'gatewaypoa', operation: 'callback_orders', kind: 'drop', times: 1000 };
    ok(await client.post('/sandbox/faults', lost));
    ok(await client.post(`/api/pg/simulate/payments/${paid}`, { status: 'SUCCESS' }));
  }

  async function activePurchasePlan(client: ApiClient, mandate: number, amount: number): Promise<void> {
    const { mf_investment_account, consent } = await seedOf(client);
    const body = {
      ...{ mf_investment_account, consent, scheme: 'INF209K01VD7', amount, systematic: true },
      ...{ frequency: 'monthly', installment_day: 6, number_of_installments: 12 },
      ...{ payment_method: 'mandate', payment_source: String(mandate) },
    };
    const id = String(ok(await client.post(PLANS, body)).body['id']);
    await waitFor(async () => (await client.get(`${PLANS}/${id}`)).body['state'] === 'active');
  }

  async function move(client: ApiClient, hours: number): Promise<void> {
    for (let at = hours; at <= 24 * DAYS; at += hours) {
      const now = new Date(Date.parse(`${BEGIN.join('T')}:00+05:30`) + at * 60 * MINUTE_MS);
      ok(await client.post('/sandbox/clock', { now: now.toISOString() }));
    }
  }

  /** What has happened since the beginning, by type, each time in milliseconds from it. */
  async function happened(client: ApiClient): Promise<Readonly<Record<string, readonly number[]>>> {
    const all: Happened[] = [];
    for (let after = ''; ;) {
      const { data } = ok(await client.get(`/v2/events?limit=100${after}`)).body as {
        data: (Happened & { readonly id: string })[];
      };
      all.push(...data);
      const last = data.at(-1);
      if (!last || data.length < 100) break;
      after = `&starting_after=${last.id}`;
    }
    const begin = Date.parse(`${BEGIN.join('T')}:00+05:30`);
    const timed = all.map(({ type, time }) => ({ type, at: Date.parse(time) - begin }));
    const byType = Map.groupBy(timed, ({ type }) => type);
    return Object.fromEntries(
      [...byType]
        .sort()
        .map(([type, of]) => [type, of.map(({ at }) => at).sort((one, other) => one - other)]),
    );
  }

  it(
    'has the same events, each at its time (CLOCK-5, CLOCK-12)',
    async () => {
      const clients = await Promise.all(products.map((product) => product.client()));
      await Promise.all(clients.map(makeObjects));
      await Promise.all(clients.map((client, index) => move(client, index === 0 ? 24 * DAYS : SHORT_HOURS)));
      const [once = {}, often = {}] = await Promise.all(clients.map(happened));
      const counts = (of: typeof once) => Object.entries(of).map(([type, times]) => [type, times.length]);
      expect(counts(once)).toEqual(counts(often));
      const late = Object.entries(once).flatMap(([type, times]) => {
        const allowed = type.startsWith('mf_purchase') ? TO_A_QUESTION_MS : 2 * MINUTE_MS;
        return times
          .map((at, index) => ({ type, at, other: often[type]?.[index] ?? 0 }))
          .filter(({ at, other }) => Math.abs(at - other) > allowed);
      });
      expect(late).toEqual([]);
    },
    LIMIT_MS,
  );
});
