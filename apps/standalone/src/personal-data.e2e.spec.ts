import { waitFor, WebhookReceiver } from '@fundrail/testing';
import type { ApiClient } from './testing/api-client.ts';
import { NAMES, ProductDatabases } from './testing/crash/product-databases.ts';
import { approvedMandate } from './testing/mandate.ts';
import { activePlan, clockTo, installmentsOf, planOf } from './testing/plan.ts';
import { markedInvestor, onBehalfOf, type MarkedInvestor } from './testing/privacy/marked-investor.ts';
import { markedPaths, MARKS, marksIn } from './testing/privacy/marks.ts';
import {
  freshCheckout,
  ok,
  payableOrder,
  payablePayment,
  pendingRedemption,
  untilOrder,
  untilPayment,
} from './testing/purchase.ts';
import { newDataDir, removeDataDir, StandaloneProcess } from './testing/standalone-process.ts';

/** The outside systems, which have to know who pays; they are played in the sandbox alone. */
const PLAYED = 'simulator';

const UNKNOWN = `mfp_${'0'.repeat(32)}`;
const CONSENT = { email: MARKS.email, isd_code: '91', mobile: MARKS.mobile };

/** Every column that holds some, and which; account numbers and the answers kept for idempotency keys are encrypted. */
const STORED = [
  'identity.bank_accounts.primary_account_holder_name name',
  'identity.investor_profiles.email email',
  'identity.investor_profiles.mobile_number mobile',
  'identity.investor_profiles.name name',
  'identity.investor_profiles.pan pan',
  'identity.mf_investment_accounts.communication_email_address email',
  'identity.mf_investment_accounts.communication_mobile_number mobile',
  'orders.mf_orders.consent.email email',
  'orders.mf_orders.consent.mobile mobile',
  'orders.outbox.data email',
  'orders.outbox.data mobile',
  'payments.outbox.data vpa',
  'payments.payments.upi_vpa vpa',
  'swp.outbox.data email',
  'swp.outbox.data mobile',
  'swp.redemption_plans.consent.email email',
  'swp.redemption_plans.consent.mobile mobile',
  'webhooks.events.body email',
  'webhooks.events.body mobile',
  'webhooks.events.body vpa',
];

/**
 * Contract §1, architecture rule 10. What is walked with marked values: an order paid by link, by collect and by a mandate's debit,
 * the hosted page as it opens, a redemption plan with its installment, and a redemption. Then what was logged, the metrics, the
 * webhooks and the databases are searched, and the answers to what is refused. Refunds, mandates by the bank's page, SDK options
 * and callbacks that are forged are not walked.
 */
describe('personal data', () => {
  let databases: ProductDatabases;
  let dataDir: string;
  let product: StandaloneProcess;
  let receiver: WebhookReceiver;
  let client: ApiClient;
  let investor: MarkedInvestor;

  beforeAll(async () => {
    databases = ProductDatabases.onTestServer();
    [dataDir, receiver] = await Promise.all([newDataDir(), WebhookReceiver.start()]);
    product = await StandaloneProcess.start({ dataDir, env: { ...databases.env, LOG_LEVEL: 'trace' } });
    const owner = await product.client();
    const operator = await product.operator();
    ok(await operator.patch('/admin/tenants/demo/settings', { sdk_options_enabled: true }));
    ok(await owner.post('/v2/notification_webhooks', { url: receiver.url, events: ['*'] }));
    investor = await markedInvestor(owner);
    client = onBehalfOf(owner, investor);
    for (const walk of [byLink, byCollect, byPage, byMandate, byPlan, ofRedemption]) await walk();
  });
  afterAll(async () => {
    await product.stop();
    await Promise.all([receiver.stop(), databases.drop(), removeDataDir(dataDir)]);
  });

  /** What was logged with a mark: a few lines, and no more of them than tells what they are. */
  const markedLines = () =>
    product.child.output
      .split('\n')
      .filter((line) => marksIn(line).length > 0)
      .slice(0, 5)
      .map((line) => line.slice(0, 500));

  async function byLink(): Promise<void> {
    const order = await payableOrder(client);
    const payment = await payablePayment(client, [order]);
    ok(await client.post(`/api/pg/simulate/payments/${payment}`, { status: 'SUCCESS' }));
    await untilPayment(client, payment, 'APPROVED');
    await untilOrder(client, order, 'successful');
  }

  async function byCollect(): Promise<void> {
    const order = await payableOrder(client);
    const asked = { amc_order_ids: [order.oldId], bank_account_id: investor.bank_account_id };
    const upi = { method: 'UPI', upi: { type: 'collect', vpa: MARKS.vpa } };
    const postback = { payment_postback_url: 'http://localhost:8080/done' };
    const { body } = ok(await client.post('/api/pg/payments/netbanking', { ...asked, ...upi, ...postback }));
    ok(await client.patch('/v2/mf_purchases', { id: order.id, state: 'confirmed' }));
    const approve = () =>
      client.post(`/api/pg/simulate/payments/${Number(body['id'])}`, { status: 'SUCCESS' });
    // The investor's app is asked once the order is submitted; before that there is nothing to be approved.
    await waitFor(async () => (await approve()).status < 300, { what: 'the collect request to be out' });
    await untilOrder(client, order, 'successful');
  }

  async function byPage(): Promise<void> {
    const { url } = await freshCheckout(client);
    expect((await fetch(url)).status).toBe(200);
  }

  async function byMandate(): Promise<void> {
    const mandate = await approvedMandate(client);
    const order = await payableOrder(client, 2500);
    const debit = await client.post('/api/pg/payments/nach', {
      ...{ mandate_id: mandate, amc_order_ids: [order.oldId] },
    });
    ok(await client.patch('/v2/mf_purchases', { id: order.id, state: 'confirmed' }));
    await untilOrder(client, order, 'submitted');
    ok(await client.post('/sandbox/clock', { advance: 'P2D' }));
    await untilPayment(client, Number(ok(debit).body['id']), 'APPROVED');
    ok(await client.post(`/api/pg/mandates/${mandate}/cancel`, {}));
  }

  async function byPlan(): Promise<void> {
    const plan = await activePlan(client, { amount: 1000, number_of_installments: 2 });
    await clockTo(client, String((await planOf(client, plan))['next_installment_date']));
    const [first] = await installmentsOf(client, plan);
    if (!first) throw new Error('the plan has made no installment');
    await untilOrder(client, { id: first.id, oldId: first.old_id }, 'successful');
    ok(await client.post(`/v2/mf_redemption_plans/${plan}/cancel`, { cancellation_code: 'invest_later' }));
  }

  async function ofRedemption(): Promise<void> {
    const order = await pendingRedemption(client);
    ok(await client.patch('/v2/mf_redemptions', { id: order.id, consent: investor.consent }));
    ok(await client.patch('/v2/mf_redemptions', { id: order.id, state: 'confirmed' }));
    await untilOrder(client, order, 'successful');
  }

  it('is in no line that was logged, at whatever level', () => {
    expect(product.child.output.split('\n').length).toBeGreaterThan(50);
    expect(markedLines()).toEqual([]);
  });

  it('is in no metric', async () => {
    const text = await (await fetch(`${product.url}/metrics`)).text();
    expect(text).toContain('fundrail_');
    expect(marksIn(text)).toEqual([]);
  });

  it('is in the events that need it: the consent in those of orders and plans, the UPI ID in those of payments', async () => {
    await receiver.next(({ body }) => body.type === 'mf_redemption.successful');
    const found = receiver.received.flatMap(({ body }) =>
      markedPaths(body).map((path) => `${body.type.split('.')[0]} ${path}`),
    );
    expect([...new Set(found)].sort()).toEqual([
      ...['mf_purchase', 'mf_redemption', 'mf_redemption_plan'].flatMap((family) => [
        `${family} data.object.consent.email email`,
        `${family} data.object.consent.mobile mobile`,
      ]),
      'payment data.object.upi.vpa vpa',
    ]);
  });

  it('is stored in the columns that are for it, and nowhere else', async () => {
    const found = await Promise.all(NAMES.filter((name) => name !== PLAYED).map(columnsWithMarks));
    expect(found.flat().sort()).toEqual(STORED);
  });

  async function columnsWithMarks(service: (typeof NAMES)[number]): Promise<string[]> {
    const tables = await databases.rows<{ name: string }>(
      service,
      `SELECT c.oid::regclass::text AS name FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`,
    );
    const found = await Promise.all(
      tables.map(async ({ name }) => {
        const rows = await databases.rows<{ row: object }>(
          service,
          `SELECT to_jsonb(t) AS row FROM ${name} t`,
        );
        return rows.flatMap(({ row }) => markedPaths(row).map((path) => `${service}.${name}.${path}`));
      }),
    );
    return [...new Set(found.flat())];
  }

  describe('that is refused is not said again', () => {
    const profile = { name: MARKS.name, pan: MARKS.pan, date_of_birth: '1990-05-17' };
    const mobile = { isd_code: '91', number: MARKS.mobile };
    const bank = {
      ...{ profile: 'invp_1', primary_account_holder_name: MARKS.name, type: 'savings' },
      ...{ account_number: MARKS.account_number, ifsc_code: 'HDFC0000001' },
    };

    const asked: [string, string, string, object | null][] = [
      ['a PAN', 'POST', '/v2/investor_profiles', { ...profile, mobile, pan: `${MARKS.pan}X` }],
      ['an e-mail', 'POST', '/v2/investor_profiles', { ...profile, mobile, email: `${MARKS.email}@` }],
      [
        ...(['a mobile number', 'POST', '/v2/investor_profiles'] as const),
        { ...profile, mobile: { ...mobile, number: `${MARKS.mobile}x` } },
      ],
      ['an account', 'POST', '/v2/bank_accounts', { ...bank, ifsc_code: 'ZQMK0000001' }],
      [
        'an account number',
        'POST',
        '/v2/bank_accounts',
        { ...bank, account_number: `${MARKS.account_number} x` },
      ],
      ['a consent', 'PATCH', '/v2/mf_purchases', { id: UNKNOWN, consent: { ...CONSENT, email: MARKS.vpa } }],
      [
        ...(['a UPI ID', 'POST', '/api/pg/payments/netbanking'] as const),
        { amc_order_ids: [1], method: 'UPI', upi: { type: 'collect', vpa: `${MARKS.vpa} x` } },
      ],
      ['a path', 'GET', `/v2/investor_profiles/${MARKS.pan}`, null],
      ['a path that there is not', 'GET', `/v2/nothing/${MARKS.pan}`, null],
      ['a parameter', 'GET', `/v2/mf_purchases?email=${encodeURIComponent(MARKS.email)}`, null],
    ];
    it.each(asked)('%s', async (_what, method, path, body) => {
      const { status, text } = await client.call(method, path, body ?? undefined);
      expect([400, 404]).toContain(status);
      expect(marksIn(text)).toEqual([]);
    });

    it('a body that is no JSON', async () => {
      const headers = { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' };
      const answer = await fetch(`${client.url}/v2/investor_profiles`, {
        ...{ method: 'POST', headers, body: `{"pan":"${MARKS.pan}", zqmark` },
      });
      expect(answer.status).toBe(400);
      expect(marksIn(await answer.text())).toEqual([]);
    });

    it('nor logged', () => {
      expect(markedLines()).toEqual([]);
    });
  });
});
