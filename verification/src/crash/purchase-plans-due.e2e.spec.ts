import { addDays } from '@fundrail/contracts';
import { describeWithKafka, testBrokers, testServerUrl, timesOf, waitFor } from '@fundrail/testing';
import type { ApiClient } from '../testing/api-client.ts';
import { Fleet } from '../testing/fleet/fleet.ts';
import { approvedMandate } from '../testing/mandate.ts';
import type { DatabaseView } from '../testing/crash/product-databases.ts';
import { ProductDatabases } from '../testing/crash/product-databases.ts';
import { KillableProduct } from '../testing/crash/killable-product.ts';
import { activePlan, clockTo, installmentsOf, planOf } from '../testing/plan.ts';
import { ok, seedOf } from '../testing/purchase.ts';

const LIMIT_MS = 10 * 60_000;
/** As many as a batch of the API takes. */
const BATCH = 10;
const REDEMPTION_PLANS = 3;
const PLANS = timesOf('DUE_PLANS');

interface Counts {
  readonly rows: number;
  readonly plans: number;
}

/** A process of the product, by its service and its number. */
type Victim = readonly ['plans' | 'orders', number];

/** The running product, whose processes are killed. */
interface MortalProduct {
  readonly databases: DatabaseView;
  client(): Promise<ApiClient>;
  /** Kills these processes with `kill -9`, and starts them again. On the standalone that is the one process. */
  restart(...victims: readonly Victim[]): Promise<void>;
  stop(): Promise<void>;
}

async function standalone(): Promise<MortalProduct> {
  const databases = await ProductDatabases.onTestServer();
  const product = new KillableProduct(databases);
  await product.start();
  return {
    databases,
    client: () => product.client(),
    restart: async () => {
      await product.kill();
      await product.start();
    },
    stop: async () => {
      await product.stop();
      await databases.drop();
    },
  };
}

async function twoOfEach(): Promise<MortalProduct> {
  const fleet = await Fleet.start({
    ...{ databaseUrl: testServerUrl(), brokers: testBrokers() },
    replicas: { plans: 2, orders: 2 },
  });
  return {
    databases: fleet.databases,
    client: () => fleet.client(),
    restart: async (...victims) => {
      const replicas = victims.map(([service, index]) => fleet.replica(service, index));
      for (const replica of replicas) await replica.kill();
      await Promise.all(replicas.map((replica) => replica.start()));
    },
    stop: () => fleet.stop(),
  };
}

describe('purchase plans that are due at once, standalone', () => dueAtOnce(standalone));
describeWithKafka('purchase plans that are due at once, on two processes of plans and of orders', () =>
  dueAtOnce(twoOfEach),
);

function dueAtOnce(start: () => Promise<MortalProduct>): void {
  let product: MortalProduct;
  beforeAll(async () => {
    product = await start();
  }, LIMIT_MS);
  afterAll(() => product.stop(), LIMIT_MS);

  const count = async (service: 'plans' | 'orders' | 'payments' | 'mandates', text: string) =>
    (await product.databases.rows<Counts>(service, `SELECT count(*)::int AS rows, ${text}`))[0];
  const active = () =>
    count('plans', `0 AS plans FROM redemption_plans WHERE kind = 'purchase' AND state = 'active'`);
  const made = () =>
    count('plans', `count(DISTINCT plan_id)::int AS plans FROM plan_installments WHERE plan_id LIKE 'mfpp%'`);
  const ordered = () =>
    count('orders', `count(DISTINCT plan)::int AS plans FROM mf_orders WHERE plan LIKE 'mfpp%'`);
  const confirmed = () =>
    count(
      'orders',
      `count(DISTINCT claimed_by)::int AS plans FROM mf_orders WHERE plan LIKE 'mfpp%' AND state = 'submitted'`,
    );
  const debited = () =>
    count(
      'payments',
      `count(DISTINCT s.old_id)::int AS plans FROM payments p JOIN payment_orders s ON s.payment_id = p.id
        WHERE p.payment_type = 'NACH' AND p.status = 'PENDING'`,
    );
  const admitted = () =>
    count('mandates', `count(DISTINCT old_id)::int AS plans FROM mandate_debits WHERE ended_at IS NULL`);
  const until = (counted: () => Promise<Counts | undefined>, least: number, what: string) =>
    waitFor(async () => ((await counted())?.rows ?? 0) >= least, { limitMs: LIMIT_MS, everyMs: 20, what });

  /** Monthly plans of ₹100 on the 10th, by the mandate. Returns the date of their first installment. */
  async function createPlans(client: ApiClient, mandate: number): Promise<string> {
    const { mf_investment_account, consent } = await seedOf(client);
    const plan = {
      ...{ mf_investment_account, consent, scheme: 'INF209K01VD7', amount: 100, systematic: true },
      ...{ frequency: 'monthly', installment_day: 10, number_of_installments: 12 },
      ...{ payment_method: 'mandate', payment_source: String(mandate) },
    };
    const mf_purchase_plans = Array.from({ length: BATCH }, () => plan);
    for (let left = PLANS; left > 0; left -= BATCH)
      ok(await client.post('/v2/mf_purchase_plans/batch', { mf_purchase_plans }));
    await until(active, PLANS, 'all plans to be active');
    const { body } = ok(await client.get('/v2/mf_purchase_plans?limit=1'));
    const [last] = body['data'] as { next_installment_date: string }[];
    return last?.next_installment_date ?? '';
  }

  it(
    'make one installment and one debit of each, though every process is killed in turn; redemption plans go on beside them (check 30)',
    async () => {
      const client = await product.client();
      const date = await createPlans(client, await approvedMandate(client, { mandate_limit: 15_000 }));
      const redeeming: string[] = [];
      for (let left = REDEMPTION_PLANS; left > 0; left -= 1)
        redeeming.push(await activePlan(client, { amount: 100, number_of_installments: 1 }));
      const [first = ''] = redeeming;
      const redeemed = String((await planOf(client, first))['next_installment_date']);

      const moved = clockTo(client, addDays(date, -1), '00:10').catch(() => undefined);
      await until(made, 1, 'the first installments');
      await product.restart(['plans', 0]);
      await until(ordered, PLANS / 4, 'a quarter of the orders');
      await product.restart(['orders', 0], ['plans', 1]);
      await until(debited, PLANS / 2, 'half of the debits');
      await product.restart(['orders', 1]);
      await moved;
      await until(confirmed, PLANS, 'every installment to be submitted with its debit');

      const once = { rows: PLANS, plans: PLANS };
      const counts = await Promise.all([made(), ordered(), confirmed(), debited(), admitted()]);
      expect(counts).toEqual([once, once, once, once, once]);

      // After a kill the standalone serves at another address.
      const again = await product.client();
      await clockTo(again, redeemed > date ? redeemed : date, '00:30');
      for (const id of redeeming) {
        const of = await waitFor(async () => {
          const all = await installmentsOf(again, id);
          return all.length > 0 ? all : null;
        });
        expect(of.map(({ installment_number }) => installment_number)).toEqual([1]);
      }
      expect(await made()).toEqual(once);
    },
    LIMIT_MS,
  );
}
