import { waitFor } from '@fundrail/testing';
import type { ApiClient } from '../testing/api-client.ts';
import { approvedMandate } from '../testing/mandate.ts';
import { activePlan } from '../testing/plan.ts';
import { describeStandalone, type Product } from '../testing/products.ts';
import {
  ok,
  payableOrder,
  payablePayment,
  pendingRedemption,
  seedOf,
  untilOrder,
  untilPayment,
} from '../testing/purchase.ts';

interface Documented {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: object }>> };
}

/** The part of the seed that a token needs. */
interface Seed {
  readonly client: { readonly client_id: string; readonly client_secret: string };
}

/** What stands for the objects of an example: by the prefix of an id, or by the field of a number. */
type Objects = Readonly<Record<string, string | number>>;

const EXAMPLE_ID = /^([a-z]+)_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b$/;
const REDEMPTION_PLANS = '/v2/mf_redemption_plans';
const POSTBACK = 'https://app.example.com/paid';
const PURCHASE_PLANS = '/v2/mf_purchase_plans';

// OPS-11: each example is sent as it stands, with the ids of objects that exist; the reader of a sandbox puts the seeded ones there too.
describeStandalone('the examples of the OpenAPI document', (start) => {
  let product: Product;
  let client: ApiClient;
  let operator: ApiClient;
  let operations: Map<string, { method: string; path: string; example: object | undefined }>;
  let seeded: Objects;
  const sent = new Set<string>();

  beforeAll(async () => {
    product = await start();
    [client, operator] = await Promise.all([product.client(), product.operator()]);
    // Before the first payment, because services keep the settings for a while.
    ok(await operator.patch('/admin/tenants/demo/settings', { sdk_options_enabled: true }));
    const paths = (await client.get('/openapi.json')).body['paths'] as Record<
      string,
      Record<string, Documented>
    >;
    operations = new Map(
      Object.entries(paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, { operationId, requestBody }]) => {
          const example = Object.values(requestBody?.content ?? {})[0]?.example;
          return [operationId, { method: method.toUpperCase(), path, example }] as const;
        }),
      ),
    );
    const seed = await seedOf(client);
    seeded = {
      ...{ invp: seed.investor_profile, bac: seed.bank_account, mfia: seed.mf_investment_account },
      bank_account_id: seed.bank_account_id,
    };
  });
  afterAll(() => product.stop());

  /** Sends the example of an operation about the object `at`, and returns the body of the answer. */
  async function send(name: string, at: string | number = '', objects: Objects = {}) {
    const { method, path, example } = operations.get(name)!;
    const known: Objects = { ...seeded, ...objects };
    const text = JSON.stringify(example, (key, value: unknown) => {
      if (key === 'amc_order_ids' && known[key] !== undefined) return [known[key]];
      if (typeof value === 'number') return known[key] ?? value;
      return typeof value === 'string' ? (known[EXAMPLE_ID.exec(value)?.[1] ?? ''] ?? value) : value;
    });
    sent.add(name);
    const caller = path.startsWith('/admin') || name === 'createPaymentRefund' ? operator : client;
    const body = JSON.parse(text) as object;
    const answer = await caller.call(method, path.replaceAll(/\{\w+\}/g, String(at)), body);
    if (answer.status >= 300) throw new Error(`${name} ${text}: ${answer.status} ${answer.text}`);
    return answer.body;
  }

  it('get a token, with the secret of the client in place of the example', async () => {
    const { method, path, example } = operations.get('issueToken')!;
    const { client: known } = (await client.get('/sandbox/seed')).body as unknown as Seed;
    const form = new URLSearchParams({ ...example, client_secret: known.client_secret });
    const answer = await fetch(`${product.url}${path.replace('{tenant}', 'demo')}`, { method, body: form });
    sent.add('issueToken');
    expect([answer.status, form.get('client_id')]).toEqual([200, known.client_id]);
  });

  it('make an investor with all that belongs to one', async () => {
    const profile = String((await send('createInvestorProfile'))['id']);
    await send('updateInvestorProfile', '', { invp: profile });
    await send('updateInvestorProfileById', profile);
    for (const kind of ['PhoneNumber', 'EmailAddress', 'Address', 'RelatedParty', 'BankAccount'])
      await send(`create${kind}`);
    const account = String((await send('createMfInvestmentAccount'))['id']);
    await send('updateMfInvestmentAccount', '', { mfia: account });
    await send('updateMfInvestmentAccountById', account);
  });

  it('buy, pay and refund', async () => {
    const first = await send('createMfPurchase');
    const [other, another] = (await send('createMfPurchases'))['data'] as Record<string, unknown>[];
    const orders = [first, other!, another!].map(({ id, old_id }) => ({
      id: String(id),
      oldId: Number(old_id),
    }));
    for (const order of orders) await untilOrder(client, order, 'pending');
    await send('updateMfPurchaseById', orders[0]!.id);
    await send('updateMfPurchase', '', { mfp: orders[1]!.id });
    await send('updateMfPurchases', '', { mfp: orders[2]!.id });
    await send('createPayment', '', { amc_order_ids: orders[0]!.oldId });

    // An order that is not confirmed holds back the transfer, and only until then can a payment be refunded.
    const [paid, lost] = [await payableOrder(client), await payableOrder(client)];
    const bySdk = { amc_order_ids: [paid.oldId], payment_postback_url: POSTBACK };
    const payment = Number(ok(await client.post('/api/pg/payments/netbanking', bySdk)).body['id']);
    await send('simulatePayment', payment);
    await untilPayment(client, payment, 'SUCCESS');
    await send('createPaymentRefund', payment, { amc_order_ids: paid.oldId });
    await payablePayment(client, [lost]);
    await untilOrder(client, lost, 'submitted');
    await send('simulateOrder', lost.oldId);
  });

  it('redeem', async () => {
    const first = await send('createMfRedemption');
    await send('createMfRedemptions');
    await untilOrder(client, { id: String(first['id']), oldId: 0 }, 'pending');
    await send('updateMfRedemption', '', { mfrd: String(first['id']) });
    for (const name of ['updateMfRedemptionById', 'updateMfRedemptions']) {
      const { id } = await pendingRedemption(client);
      await send(name, id, { mfrd: id });
    }
  });

  it('make, authorise and debit a mandate', async () => {
    const mandate_id = Number((await send('createMandate'))['id']);
    await send('authoriseMandate', '', { mandate_id });
    const approved = await approvedMandate(client, { mandate_limit: 10_000 });
    const order = await payableOrder(client);
    await send('debitMandate', '', { mandate_id: approved, amc_order_ids: order.oldId });
    await send('simulateMandate', approved);
  });

  async function reviewed(name: string, plans: string): Promise<string> {
    const made = await send(name);
    const id = String(made['id'] ?? (made['data'] as Record<string, unknown>[])[0]!['id']);
    const isReviewed = async () => (await client.get(`${plans}/${id}`)).body['state'] === 'review_completed';
    await waitFor(isReviewed, { limitMs: 60_000, what: `plan ${id} to be reviewed` });
    return id;
  }

  it('make, skip and cancel a redemption plan', async () => {
    for (const name of ['updateMfRedemptionPlan', 'updateMfRedemptionPlanById']) {
      const mfr = await reviewed('createMfRedemptionPlan', REDEMPTION_PLANS);
      await send(name, mfr, { mfr });
    }
    const active = await activePlan(client, { amount: 1000, number_of_installments: 12 });
    await send('createMfRedemptionPlanSkipInstruction', active);
    await send('cancelMfRedemptionPlan', active);
  });

  it('make, pause, skip and cancel a purchase plan', async () => {
    await send('updateMfPurchasePlans', '', {
      mfpp: await reviewed('createMfPurchasePlans', PURCHASE_PLANS),
    });
    const ids: string[] = [];
    for (const name of ['updateMfPurchasePlan', 'updateMfPurchasePlanById']) {
      const mfpp = await reviewed('createMfPurchasePlan', PURCHASE_PLANS);
      await send(name, mfpp, { mfpp });
      const isActive = async () => (await client.get(`${PURCHASE_PLANS}/${mfpp}`)).body['state'] === 'active';
      await waitFor(isActive, { limitMs: 60_000, what: `plan ${mfpp} to be active` });
      ids.push(mfpp);
    }
    const [one = '', other = ''] = ids;
    await send('pauseMfPurchasePlan', one);
    await send('createMfPurchasePlanSkipInstruction', other);
    await send('cancelMfPurchasePlan', one);
    await send('cancelMfPurchasePlanByBody', '', { mfpp: other });
  });

  it('make an endpoint, and serve operators and testers', async () => {
    const endpoint = String((await send('createNotificationWebhook'))['id']);
    await send('updateNotificationWebhook', endpoint);
    await send('replayNotificationWebhook', endpoint);
    await send('createTenant');
    await send('createTenantClient', 'demo');
    await send('updateTenantSettings', 'demo');
    await send('replaceHolidays');
    await send('createSandboxFault');
    await send('moveSandboxClock');
  });

  it('are all sent', () => {
    const withExample = [...operations].filter(([, { example }]) => example).map(([name]) => name);
    expect(withExample.length).toBeGreaterThan(40);
    expect(withExample.filter((name) => !sent.has(name))).toEqual([]);
  });
});
