import { verdictOf } from '@fundrail/standalone';
import { newId } from '@fundrail/contracts';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ApiClient } from '../testing/api-client.ts';
import { approvedMandate } from '../testing/mandate.ts';
import { describeOpenProducts, type OpenProduct } from '../testing/open-products.ts';
import { activePlan } from '../testing/plan.ts';
import {
  ok,
  payableOrder,
  payablePayment,
  untilOrder,
  untilPayment,
  type Order,
} from '../testing/purchase.ts';
import { reconcile, type Reconciled } from '../testing/reconcile/reconciling.ts';

/** Ids of payments that do not exist. */
const [LOST, LOST_TOO] = [900_001, 900_011];

/** A purchase, and the payment that pays it. */
interface Paid {
  readonly order: Order;
  readonly payment: number;
}

describeOpenProducts('reconciliation reports each damage by its name (OPS-14)', (start) => {
  let product: OpenProduct;
  let client: ApiClient;
  let paid: readonly Paid[];
  let open: readonly Paid[];
  let mandates: readonly number[];
  let plan: string;

  const damage = (
    service: 'orders' | 'payments' | 'mandates' | 'plans' | 'webhooks' | 'simulator',
    text: string,
    ...values: unknown[]
  ) => product.databases.rows(service, text, values);
  const at = <T>(list: readonly T[], index: number): T => {
    const item = list[index];
    if (item === undefined) throw new Error(`there is no ${index}`);
    return item;
  };

  beforeAll(async () => {
    product = await start();
    client = await product.client();
    plan = await planOfTwoHoursAgo(client);
    const payable = async (): Promise<Paid> => {
      const order = await payableOrder(client);
      return { order, payment: await payablePayment(client, [order]) };
    };
    open = await Promise.all(Array.from({ length: 3 }, payable));
    paid = await Promise.all(Array.from({ length: 11 }, payable));
    for (const { payment } of paid)
      ok(await client.post(`/api/pg/simulate/payments/${payment}`, { status: 'SUCCESS' }));
    for (const { order, payment } of paid) {
      await untilPayment(client, payment, 'APPROVED');
      await untilOrder(client, order, 'successful');
    }
    mandates = [await approvedMandate(client), await approvedMandate(client)];
  });
  afterAll(() => product.stop());

  it('finds nothing where nothing is wrong, while payments are open', async () => {
    expect(await reconcile(product.databases.env)).toMatchObject({ code: 0, words: [], undone: [] });
  });

  describe('after each side was damaged', () => {
    let reported: Reconciled;
    let expected: string[];

    beforeAll(async () => {
      expected = await damageEverything();
      reported = await reconcile(product.databases.env);
    });

    it('by name, with what was done about it', () => {
      expect(reported.words).toEqual(expected.sort());
      expect(reported).toMatchObject({ code: 1, undone: [] });
    });

    it('without personal data', () => {
      const text = JSON.stringify(reported.findings);
      expect(text).not.toMatch(/@|upi:|account_number|[A-Z]{5}\d{4}[A-Z]/);
    });

    it('and the next run reports only what is left for a person', async () => {
      const again = await reconcile(product.databases.env);
      expect(again.words).toEqual(expected.filter((line) => line.endsWith(' open')).sort());
    });

    describe('as the command does', () => {
      const main = fileURLToPath(new URL('../../../apps/standalone/dist/reconcile/main.js', import.meta.url));
      const left = () => expected.filter((line) => line.endsWith(' open'));
      const run = async (nodeOptions: string, ...args: readonly string[]) => {
        const ran = promisify(execFile)(process.execPath, [main, '--last', ...args], {
          env: { ...process.env, ...product.databases.env, NODE_OPTIONS: nodeOptions },
        });
        const { code, stdout } = (await ran.catch((error: unknown) => error)) as {
          code: number;
          stdout: string;
        };
        return { code, lines: stdout.trim().split('\n') };
      };
      const terminal = '--import=data:text/javascript,process.stdout.isTTY=true';
      const found = (line: string) => (JSON.parse(line) as { kind?: string }).kind !== undefined;

      it.each([
        ['into a pipe', '', []],
        ['on a terminal with --json', terminal, ['--json']],
      ])('%s: a line of JSON for each finding, and the exit code', async (_, options, args) => {
        const { code, lines } = await run(options, ...args);
        expect(code).toBe(1);
        expect(lines.filter(found)).toHaveLength(left().length);
      });

      it('on a terminal: a line for each service with its findings below, and the verdict last', async () => {
        const { code, lines } = await run(terminal);
        expect(code).toBe(1);
        const text = lines.map((line) => line.split('\x1b[K').at(-1) ?? '');
        expect(text.at(-1)).toBe(verdictOf(1));
        expect(text.filter((line) => /^\w+ +\d+ compared, /.test(line))).toHaveLength(6);
        expect(text.filter((line) => line.startsWith(' '.repeat(11)))).toHaveLength(left().length);
      });
    });
  });

  /** Returns the findings that a run has to report. */
  async function damageEverything(): Promise<string[]> {
    const of = (index: number) => at(paid, index);
    const reference = (payment: number) => `P${String(payment).padStart(12, '0')}`;
    const [capture] = await product.databases.rows<{ provider_reference: string }>(
      'payments',
      'SELECT provider_reference FROM captures WHERE payment_id = $1',
      [of(0).payment],
    );
    await damage(
      'simulator',
      'UPDATE provider_payments SET amount = amount + 1 WHERE payment_id = $1',
      of(0).payment,
    );
    const [second] = await product.databases.rows<{ provider_reference: string }>(
      'payments',
      'SELECT provider_reference FROM captures WHERE payment_id = $1',
      [of(1).payment],
    );
    await damage(
      'simulator',
      `UPDATE provider_payments SET status = 'cancelled', provider_reference = NULL WHERE payment_id = $1`,
      of(1).payment,
    );
    await damage(
      'simulator',
      `UPDATE transfers SET status = 'rejected' WHERE payment_reference = $1`,
      reference(of(2).payment),
    );
    await damage(
      'simulator',
      'UPDATE gateway_orders SET amount = amount + 1 WHERE reference = $1',
      of(3).order.id,
    );
    await damage(
      'simulator',
      `INSERT INTO gateway_orders SELECT (jsonb_populate_record(g, '{"reference": "mfp_lost", "old_id": 800001, "order_reference": "GPOALOST"}')).*
         FROM gateway_orders g WHERE reference = $1`,
      of(3).order.id,
    );
    await damage(
      'simulator',
      `INSERT INTO provider_payments SELECT (jsonb_populate_record(p, '{"reference": "P000000900002", "payment_id": 900002, "provider_reference": "000000900002"}')).*
         FROM provider_payments p WHERE payment_id = $1`,
      of(4).payment,
    );
    await damage(
      'simulator',
      `INSERT INTO refunds (reference, payment_reference, tenant, amount, status, created_at)
       SELECT 'R000000900003001', reference, tenant, 5, 'processed', created_at FROM provider_payments WHERE payment_id = $1`,
      of(4).payment,
    );
    await damage(
      'payments',
      'UPDATE payments SET received_amount = received_amount + 7 WHERE id = $1',
      of(5).payment,
    );
    await damage(
      'payments',
      'UPDATE payment_orders SET amount = amount - 1 WHERE payment_id = $1',
      of(6).payment,
    );
    await damage(
      'payments',
      `UPDATE order_states SET state = 'submitted', sequence = 3 WHERE old_id = $1`,
      of(7).order.oldId,
    );
    await damage(
      'orders',
      `UPDATE mf_orders SET state = 'submitted', succeeded_at = NULL, traded_on = NULL WHERE old_id = $1`,
      of(8).order.oldId,
    );
    await damage('orders', 'DELETE FROM outbox WHERE aggregate_id = $1 AND sequence = 2', of(9).order.id);
    await damage(
      'webhooks',
      'UPDATE events SET sequence = 40 WHERE object_id = $1 AND sequence = 1',
      of(10).order.id,
    );
    const [missed] = await product.databases.rows<{ id: string }>(
      'payments',
      'SELECT event_id AS id FROM outbox WHERE aggregate_id = $1 AND sequence = 1',
      [String(at(open, 0).payment)],
    );
    await damage('webhooks', 'DELETE FROM inbox WHERE event_id = $1', missed?.id);
    await damage('webhooks', 'DELETE FROM events WHERE id = $1', missed?.id);
    await damage(
      'orders',
      `UPDATE mf_orders SET claimed_by = NULL, claimed_at = NULL, claim_check_at = NULL WHERE old_id = $1`,
      at(open, 0).order.oldId,
    );
    const fresh = await payableOrder(client);
    await damage(
      'orders',
      'UPDATE mf_orders SET claimed_by = $2, payment_id = $2, claimed_at = now(), claim_check_at = NULL WHERE old_id = $1',
      fresh.oldId,
      LOST,
    );
    await damage(
      'simulator',
      `UPDATE provider_payments SET status = 'captured', provider_reference = '000000900004', captures = 1 WHERE payment_id = $1`,
      at(open, 1).payment,
    );
    // Its own status query is a day away.
    await damage(
      'payments',
      `UPDATE due_work SET due_at = due_at + interval '1 day' WHERE kind = 'payment.status' AND key = $1`,
      String(at(open, 1).payment),
    );
    await damage(
      'simulator',
      `UPDATE provider_mandates SET status = 'paused' WHERE mandate_id = $1`,
      at(mandates, 0),
    );
    await damage(
      'mandates',
      'UPDATE mandates SET authorising_payment = $2, authorising_since = now() WHERE id = $1',
      at(mandates, 1),
      LOST_TOO,
    );
    await damage('plans', 'UPDATE plan_installments SET ended_at = NULL WHERE plan_id = $1', plan);
    await damage(
      'plans',
      `INSERT INTO plan_installments SELECT (jsonb_populate_record(i, jsonb_build_object('installment_number', 2, 'redemption', $2::text))).*
         FROM plan_installments i WHERE plan_id = $1`,
      plan,
      newId('redemption'),
    );
    return [
      `capture_amount_differs ${capture?.provider_reference} open`,
      `capture_not_at_provider ${second?.provider_reference} open`,
      `transfer_differs_at_gateway T${reference(of(2).payment).slice(1)} open`,
      `order_amount_differs_at_gateway ${of(3).order.id} open`,
      'order_unknown_here mfp_lost open',
      'capture_of_unknown_payment 000000900002 open',
      'refund_unknown_here R000000900003001 open',
      `money_not_accounted ${of(5).payment} open`,
      `share_amount_differs ${of(6).payment} ${of(6).order.oldId} open`,
      `order_state_not_heard ${of(7).payment} ${of(7).order.oldId} repaired`,
      `order_differs_at_gateway ${of(8).order.id} repaired`,
      `event_gap ${of(9).order.id} 3 open`,
      `row_behind_events mf_purchase:${of(10).order.id} open`,
      `event_not_received ${missed?.id} repaired`,
      `share_without_claim ${at(open, 0).payment} ${at(open, 0).order.oldId} repaired`,
      `claim_of_lost_payment ${fresh.oldId} repaired`,
      'capture_not_booked 000000900004 repaired',
      `mandate_differs_at_provider ${at(mandates, 0)} repaired`,
      `authorisation_of_dead_payment ${at(mandates, 1)} repaired`,
      `installment_end_not_heard ${plan}/1 repaired`,
      `installment_not_at_orders ${plan}/2 repaired`,
    ];
  }
});

/** A plan whose first installment was generated two hours ago and has ended; a younger one might still be running. */
async function planOfTwoHoursAgo(client: ApiClient): Promise<string> {
  const byCaller = { auto_generate_installments: false, number_of_installments: 3, units: 3 };
  const plan = await activePlan(client, byCaller);
  const { body } = ok(await client.post('/v2/mf_redemptions', { plan }));
  await untilOrder(client, { id: String(body['id']), oldId: Number(body['old_id']) }, 'successful');
  ok(await client.post('/sandbox/clock', { advance: 'PT2H' }));
  return plan;
}
