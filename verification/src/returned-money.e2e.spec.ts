import { waitFor } from '@fundrail/testing';
import type { ApiClient } from './testing/api-client.ts';
import { approvedMandate } from './testing/mandate.ts';
import { activePlan } from './testing/plan.ts';
import { describeProducts, type Product } from './testing/products.ts';
import { ok, untilOrder, untilPayment } from './testing/purchase.ts';

const REDEMPTIONS = '/v2/mf_redemptions';
/** The most submissions that are tried within an hour. The jump of days in the other test tries the rest. */
const TIMES_AWAY = 6;
/** The clock moves hour by hour, on busy machines. */
const LIMIT_MS = 300_000;

describeProducts('the refund of the money that was collected for an installment', (start) => {
  let product: Product;
  let client: ApiClient;
  let operator: ApiClient;
  beforeAll(async () => {
    product = await start();
    client = await product.client();
    operator = await product.operator();
  });
  afterAll(() => product.stop());

  const collected = async () => {
    const mandate = String(await approvedMandate(client));
    const plan = await activePlan(client, {
      ...{ auto_generate_installments: false, number_of_installments: 2, amount: 500 },
      ...{ payment_method: 'mandate', payment_source: mandate },
    });
    const { body } = ok(await client.post(REDEMPTIONS, { plan }));
    const order = { id: String(body['id']), oldId: Number(body['old_id']) };
    const payment = await waitFor(async () => {
      const { payment_id } = (await client.get(`${REDEMPTIONS}/${order.id}`)).body;
      return typeof payment_id === 'number' ? payment_id : null;
    });
    return { order, payment };
  };
  const simulator = async (settings: object) =>
    ok(await operator.patch('/admin/tenants/demo/settings', { simulator: settings }));
  const types = async (id: string) => {
    const { body } = ok(await client.get(`/v2/events?object_id=${id}`));
    return (body['data'] as { type: string }[]).map(({ type }) => type.replace('mf_redemption.', ''));
  };

  /** The clock goes on to the hour in which the debit takes the money. */
  const untilPaid = async (payment: number) => {
    const paidAt = async () => ok(await client.get(`/api/pg/payments/${payment}`)).body;
    ok(
      await client.post('/sandbox/clock', {
        now: `${String((await paidAt())['debit_date'])}T00:00:00+05:30`,
      }),
    );
    while ((await paidAt())['status'] !== 'SUCCESS')
      ok(await client.post('/sandbox/clock', { advance: 'PT1H' }));
  };

  it(
    'before the gateway has the order fails the installment, which is never submitted',
    async () => {
      const { order, payment } = await collected();
      const away = { target: 'gatewaypoa', operation: 'submit', kind: 'status_500', times: TIMES_AWAY };
      ok(await client.post('/sandbox/faults', away));
      await untilPaid(payment);
      await untilOrder(client, order, 'confirmed');

      ok(await operator.post(`/api/pg/payments/${payment}/refunds`, {}));
      ok(await client.post('/sandbox/clock', { advance: 'PT2H' }));

      await untilPayment(client, payment, 'REJECTED');
      await untilOrder(client, order, 'failed');
      const failed = (await client.get(`${REDEMPTIONS}/${order.id}`)).body;
      expect(failed).toMatchObject({ failure_code: 'mandate_payment_failed', order_reference: null });
      expect(await types(order.id)).not.toContain('submitted');
    },
    LIMIT_MS,
  );

  it(
    'while the registrar waits for the money fails the installment, which is never successful',
    async () => {
      await simulator({ hold_transfer: true });
      const { order, payment } = await collected();
      ok(await client.post('/sandbox/clock', { advance: 'P2D' }));
      await untilPayment(client, payment, 'INITIATED');
      await untilOrder(client, order, 'submitted');
      ok(await client.post(`/api/pg/simulate/payments/${payment}`, { status: 'TRANSFER_REJECTED' }));
      await simulator({ hold_transfer: false });

      await untilPayment(client, payment, 'REJECTED');
      await untilOrder(client, order, 'failed');
      expect(await types(order.id)).not.toContain('successful');
    },
    LIMIT_MS,
  );
});
