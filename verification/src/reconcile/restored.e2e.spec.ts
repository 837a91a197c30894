import { restoredCommand } from '@fundrail/service-kit';
import { describeWithKafka, testBrokers } from '@fundrail/testing';
import pg from 'pg';
import type { ApiClient } from '../testing/api-client.ts';
import { approvedMandate } from '../testing/mandate.ts';
import { Fleet } from '../testing/fleet/fleet.ts';
import {
  ok,
  payableOrder,
  payablePayment,
  untilOrder,
  untilPayment,
  type Order,
} from '../testing/purchase.ts';
import { reconcile, type Reconciled } from '../testing/reconcile/reconciling.ts';

/** A purchase, and the payment that pays it. */
interface Paid {
  readonly order: Order;
  readonly payment: number;
}

/** The answers while the service was away. */
interface Meanwhile {
  readonly order: Order;
  readonly mandates: number;
  readonly refused: readonly [status: number, retryAfter: string | null];
}

const START_LIMIT_MS = 180_000;

const databaseUrl = process.env['DATABASE_URL'] ?? '';

describeWithKafka('the database of payments is put back from a backup, while the others go on', () => {
  let product: Fleet;
  let client: ApiClient;
  let meanwhile: Meanwhile;
  /** Created before the backup and paid after it. */
  let before: Paid;
  /** Both created after the backup: one unpaid, the other paid. */
  let unpaid: Paid;
  let paid: Paid;
  /** Debited after the backup, from a mandate created before it. */
  let debited: Paid;
  let first: Reconciled;

  const purchase = async (): Promise<Paid> => {
    const order = await payableOrder(client);
    return { order, payment: await payablePayment(client, [order]) };
  };
  const pay = async ({ order, payment }: Paid) => {
    ok(await client.post(`/api/pg/simulate/payments/${payment}`, { status: 'SUCCESS' }));
    await Promise.all([untilPayment(client, payment, 'APPROVED'), untilOrder(client, order, 'successful')]);
  };
  const debit = async (mandate_id: number): Promise<Paid> => {
    const order = await payableOrder(client, 2500);
    const asked = { mandate_id, amc_order_ids: [order.oldId] };
    const payment = Number(ok(await client.post('/api/pg/payments/nach', asked)).body['id']);
    ok(await client.patch('/v2/mf_purchases', { id: order.id, state: 'confirmed' }));
    await untilOrder(client, order, 'submitted');
    // The notice period of a day, and the hours until a window.
    ok(await client.post('/sandbox/clock', { advance: 'P2D' }));
    await untilPayment(client, payment, 'APPROVED', 60_000);
    await untilOrder(client, order, 'successful', 60_000);
    return { order, payment };
  };
  const onServer = async (...statements: string[]) => {
    const server = new pg.Client({ connectionString: databaseUrl });
    await server.connect();
    for (const statement of statements) await server.query(statement);
    await server.end();
  };
  const whileAway = async (): Promise<Meanwhile> => {
    const order = await payableOrder(client);
    const { status, headers } = await client.get('/api/pg/payments');
    const mandates = (await client.get('/api/pg/mandates')).status;
    return { order, mandates, refused: [status, headers.get('retry-after')] };
  };

  beforeAll(async () => {
    product = await Fleet.start({ databaseUrl, brokers: testBrokers() });
    client = await product.client();
    const { env, urls } = product.databases;
    const name = new URL(urls['PAYMENTS_DATABASE_URL'] ?? '').pathname.slice(1);
    const payments = product.replica('payments');

    const mandate = await approvedMandate(client);
    before = await purchase();
    await payments.stop();
    await onServer(`CREATE DATABASE ${name}_backup TEMPLATE ${name}`);
    await payments.start();

    await pay(before);
    debited = await debit(mandate);
    [unpaid, paid] = [await purchase(), await purchase()];
    await pay(paid);
    // A minute after a claim, orders asks once whether its payment was created.
    ok(await client.post('/sandbox/clock', { advance: 'PT2M' }));
    await payments.kill();

    await onServer(`DROP DATABASE ${name} WITH (FORCE)`, `ALTER DATABASE ${name}_backup RENAME TO ${name}`);
    meanwhile = await whileAway();
    await restoredCommand({ name: 'payments' }, [], env);
    await payments.start();
    // The sandbox's clock was moved since the backup, and its database has the old time.
    ok(await client.post('/sandbox/clock', { advance: 'PT1M' }));
    first = await reconcile(env);
  }, START_LIMIT_MS);
  afterAll(() => product.kill());

  it('the others went on while it was away, and an order from that time is paid like any other', async () => {
    expect(meanwhile).toMatchObject({ mandates: 200, refused: [503, '1'] });
    await pay({ order: meanwhile.order, payment: await payablePayment(client, [meanwhile.order]) });
  });

  it('the state of a payment is read again from the provider and the gateway', async () => {
    await untilPayment(client, before.payment, 'APPROVED');
    const { body } = await client.get(`/api/pg/payments/${before.payment}`);
    expect(body['refunds']).toEqual([]);
  });

  it('an order whose lost payment has no money may be paid again, under a new id', async () => {
    expect(first.words).toContain(`claim_of_lost_payment ${unpaid.order.oldId} repaired`);
    const payment = Number(
      ok(
        await client.post('/api/pg/payments/netbanking', {
          amc_order_ids: [unpaid.order.oldId],
          method: 'UPI',
          upi: { type: 'URI' },
          payment_postback_url: 'http://localhost:8080/done',
        }),
      ).body['id'],
    );
    expect(payment).toBeGreaterThan(paid.payment + 1_000_000);
  });

  it('money that came in under a lost payment is reported with its facts, and its order stays held', () => {
    const reference = `P${String(paid.payment).padStart(12, '0')}`;
    expect(first.findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          kind: 'claim_of_lost_payment',
          object: String(paid.order.oldId),
          state: 'open',
          facts: expect.objectContaining({ claimed_by: paid.payment, money_at_provider: true }) as object,
        }),
        expect.objectContaining({
          kind: 'capture_of_unknown_payment',
          state: 'open',
          facts: expect.objectContaining({ reference, amount_there: '5000.0000' }) as object,
        }),
      ]),
    );
  });

  it('a lost debit is never reported as unpaid: any of its attempts may have taken money', () => {
    expect(first.findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          kind: 'claim_of_lost_payment',
          object: String(debited.order.oldId),
          state: 'open',
          facts: expect.objectContaining({ claimed_by: debited.payment, money_at_provider: null }) as object,
        }),
      ]),
    );
    expect(first.words).toContain(`debit_differs_at_mandates ${debited.payment} open`);
  });

  it('a second run reports only what needs a person', async () => {
    const second = await reconcile(product.databases.env);
    const kinds = second.findings.map(({ kind, state }) => `${kind} ${state}`).sort();
    // For the payment and for the debit: each was captured, transferred and published, and its row is lost.
    const ofEach = [
      'capture_of_unknown_payment open',
      'claim_of_lost_payment open',
      'events_of_unknown_object open',
      'order_ended_without_money open',
      'transfer_unknown_here open',
    ];
    const ofTheDebit = 'debit_differs_at_mandates open';
    const ofTheUnpaid = 'events_of_unknown_object open';
    expect(kinds).toEqual([...ofEach, ...ofEach, ofTheDebit, ofTheUnpaid].sort());
    expect(second.code).toBe(1);
  });

  it('once the person has refunded the money, the claim may be freed', async () => {
    const third = await reconcile(product.databases.env, ['--accept-lost-money']);
    expect(third.words).toContain(`claim_of_lost_payment ${paid.order.oldId} repaired`);
  });
});
