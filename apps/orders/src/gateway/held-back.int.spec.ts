import { waitFor } from '@fundrail/testing';
import { FailingGatewaypoa } from '../testing/failing-gatewaypoa.ts';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';
import { CONTACTS } from '../testing/purchase.builder.ts';

/** Decision 0024: the circuit opens after ten failed calls. */
const FAILURES = 10;
const DAY_MS = 24 * 3_600_000;

/** The real adapter with its circuit, and the real due work. */
describe('an order that a failing gateway does not take', () => {
  let gateway: FailingGatewaypoa;
  let orders: OrdersUnderTest;
  beforeEach(async () => {
    gateway = await FailingGatewaypoa.start();
    orders = await OrdersUnderTest.start({ gatewaypoaUrl: gateway.url });
  });
  afterEach(async () => {
    await gateway.stop();
    await orders.stop();
  });

  const payable = async () => {
    const { id } = await orders.create();
    // The review is sent, and its result is requested after 5 s.
    await orders.settled();
    orders.clock.advance(5_000);
    const { old_id } = await orders.inState(id, 'pending');
    await orders.ask('PATCH', '/v2/mf_purchases', { body: { id, consent: CONTACTS } });
    return { id, old_id };
  };
  const confirm = async ({ id, old_id }: { readonly id: string; readonly old_id: number }) => {
    await orders.claim(old_id + 1_000_000, [old_id]);
    const { status } = await orders.ask('PATCH', '/v2/mf_purchases', { body: { id, state: 'confirmed' } });
    expect(status).toBe(200);
  };

  it('given ten failures and a clock that jumps by five days, then each order is submitted right after it', async () => {
    const all = await Promise.all(Array.from({ length: FAILURES }, payable));
    const late = await payable();
    gateway.isFailing = true;
    for (const order of all) await confirm(order);
    await waitFor(() => gateway.submissions.length === FAILURES, { what: 'ten calls to fail' });
    await orders.settled();
    await confirm(late);
    await orders.settled();
    // The circuit is open: this one was not sent.
    expect(gateway.submissions).not.toContain(late.id);
    expect((await orders.get(late.id)).state).toBe('confirmed');

    gateway.isFailing = false;
    orders.clock.advance(5 * DAY_MS);
    await orders.settled();
    // One call tests the circuit. The calls that came at the same time are retried by their schedule.
    orders.clock.advance(3_600_000);

    for (const { id } of [...all, late]) await orders.inState(id, 'submitted');
  });
});
