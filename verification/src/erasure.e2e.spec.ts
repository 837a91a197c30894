import { addDays, SERVICES, type ErasureDto, type ErrorBody } from '@fundrail/contracts';
import { FaultSwitch, waitFor, WebhookReceiver } from '@fundrail/testing';
import type { ApiAnswer, ApiClient } from './testing/api-client.ts';
import { ProductDatabases } from './testing/crash/product-databases.ts';
import { clockTo } from './testing/plan.ts';
import { markedInvestor, onBehalfOf, type MarkedInvestor } from './testing/privacy/marked-investor.ts';
import { markedPaths, MARKS, marksIn } from './testing/privacy/marks.ts';
import { MarkedWalks } from './testing/privacy/marked-walks.ts';
import { WEBHOOK_SECRETS } from './testing/privacy/refused-requests.ts';
import { ok } from './testing/purchase.ts';
import { newDataDir, removeDataDir, StandaloneProcess } from './testing/standalone-process.ts';

/** The outside systems, which keep what they know. Only the sandbox simulates them. */
const PLAYED = 'simulator';
const LIMIT_MS = 240_000;

/**
 * INV-17 to INV-20. An investor with marked values goes through all flows, is exported, and is erased when the years of its records are
 * over. The process is killed in the middle of the erasure. Then every table of every service is searched.
 */
describe('an investor is erased', () => {
  const faults = new FaultSwitch();
  let databases: ProductDatabases;
  let dataDir: string;
  let product: StandaloneProcess;
  let receiver: WebhookReceiver;
  let investor: MarkedInvestor;
  let output = '';

  const start = () =>
    StandaloneProcess.start({
      dataDir,
      faults,
      env: { ...databases.env, ...WEBHOOK_SECRETS, LOG_LEVEL: 'debug' },
    });
  const pathOf = (what: string) => `/v2/investor_profiles/${investor.investor_profile}/${what}`;
  const erasure = async () =>
    ok(await (await product.client()).get(pathOf('erasure'))).body as unknown as ErasureDto;

  beforeAll(async () => {
    databases = await ProductDatabases.onTestServer();
    [dataDir, receiver] = await Promise.all([newDataDir(), WebhookReceiver.start()]);
    product = await start();
    const owner = await product.client();
    ok(await owner.post('/v2/notification_webhooks', { url: receiver.url, events: ['*'] }));
    investor = await markedInvestor(owner);
    await new MarkedWalks(onBehalfOf(owner, investor), investor, '').intoEachTable();
    await receiver.next(({ body }) => body.type === 'mf_redemption.successful');
  }, LIMIT_MS);
  afterAll(async () => {
    await product.stop();
    await Promise.all([databases.drop(), removeDataDir(dataDir), receiver.stop()]);
    faults.remove();
  });

  async function marksInTables(): Promise<string[]> {
    const found = await Promise.all(SERVICES.filter((name) => name !== PLAYED).map(marksOf));
    return found.flat().sort();
  }

  async function marksOf(service: (typeof SERVICES)[number]): Promise<string[]> {
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

  it('is exported as a whole: what each service stores', async () => {
    const { body } = ok(await (await product.client()).get(pathOf('export')));
    const data = body['data'] as Record<string, Record<string, object[]>>;
    expect(marksIn(JSON.stringify(data['identity'])).sort()).toEqual(
      Object.keys(MARKS)
        .filter((mark) => !['account_number', 'user_ip', 'vpa'].includes(mark))
        .sort(),
    );
    for (const [service, table] of [
      ...([
        ['orders', 'mf_orders'],
        ['payments', 'payments'],
        ['payments', 'refunds'],
      ] as const),
      ...([
        ['mandates', 'mandates'],
        ['mandates', 'mandate_debits'],
        ['plans', 'redemption_plans'],
      ] as const),
    ])
      expect([`${service}.${table}`, data[service]?.[table]?.length]).not.toEqual([`${service}.${table}`, 0]);
    expect(JSON.stringify(data)).not.toContain('mandate_token');
  });

  it(
    'once nothing keeps the data: nothing is left in any table or log line, also when the process is killed meanwhile',
    async () => {
      const client = await product.client();
      const asked = await client.post(pathOf('erasure'), {});
      expect(asked.status).toBe(202);
      await untilNothingIsLive();
      const { due_on } = await erasure();
      await clockTo(client, addDays(due_on, -1));
      expect((await erasure()).state).toBe('scheduled');
      expect(await marksInTables()).not.toEqual([]);

      faults.arm({ point: 'identity.erasure.service_erased', pass: 3 });
      // The answer is lost with the process.
      await clockTo(await product.client(), addDays(due_on, 1)).catch(() => undefined);
      await product.child.exited;
      output += product.child.output;
      faults.disarm();
      product = await start();
      await waitFor(async () => (await erasure()).state === 'done', {
        what: 'the erasure',
        limitMs: 120_000,
      });

      expect(await marksInTables()).toEqual([]);
      output += product.child.output;
      expect(output.split('\n').filter((line) => marksIn(line).length > 0)).toEqual([]);
      const { erased } = await erasure();
      const services = new Set(erased.map(({ service }) => service));
      expect([...services].sort()).toEqual(SERVICES.filter((name) => name !== PLAYED).sort());
      expect(erased.find(({ table }) => table === 'mf_orders')?.rows).toBeGreaterThan(5);
      const owner = await product.client();
      const shown = await owner.get(`/v2/investor_profiles/${investor.investor_profile}`);
      expect(shown.body).toMatchObject({ erased: true, email: null });
      const answers = await Promise.all(newThingsOf(owner));
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
      const fields = answers.map(({ body }) => (body['error'] as ErrorBody['error']).errors[0]?.field);
      expect(fields).toEqual(['mf_investment_account', 'mf_investment_account', 'bank_account_id']);
    },
    LIMIT_MS,
  );

  /** An order, a plan and a mandate of the investor. */
  function newThingsOf(client: ApiClient): Promise<ApiAnswer>[] {
    const { mf_investment_account, bank_account_id } = investor;
    const order = { mf_investment_account, scheme: 'INF209K01VD7', amount: 1000 };
    const monthly = {
      systematic: true,
      frequency: 'monthly',
      installment_day: 10,
      number_of_installments: 2,
    };
    const mandate = { mandate_type: 'upi', provider_name: 'GATEWAYPOA', mandate_limit: 5000 };
    return [
      client.post('/v2/mf_purchases', order),
      client.post('/v2/mf_redemption_plans', { ...order, ...monthly, folio_number: '91012345678' }),
      client.post('/api/pg/mandates', { ...mandate, bank_account_id }),
    ];
  }

  /** Ends what the walks have left open: orders that wait for a payment, and mandates. */
  async function untilNothingIsLive(): Promise<void> {
    const client = await product.client();
    const mandates = await databases.rows<{ id: number }>(
      'mandates',
      `SELECT id::int FROM mandates WHERE mandate_status IN ('APPROVED', 'PAUSED')`,
    );
    for (const { id } of mandates) await client.post(`/api/pg/mandates/${id}/cancel`, {});
    const now = String(ok(await client.get('/sandbox/clock')).body['now']);
    // Orders and authorisations without a payment end by themselves within weeks.
    await clockTo(client, addDays(now.slice(0, 10), 40));
  }
});
