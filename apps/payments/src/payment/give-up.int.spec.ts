import { paymentReference } from '@fundrail/providers';
import { setFaultHandler, waitFor } from '@fundrail/testing';
import type { FakeOrder } from '../testing/fake-neighbours.ts';
import { capturedAs } from '../testing/payments.builder.ts';
import { PaymentsStage } from '../testing/start-payments.ts';

/** The clock starts at 10:00 IST, so 23:00 is thirteen hours later. */
const UNTIL_THE_SWEEP_MS = 13 * 3_600_000;
const MINUTE_MS = 60_000;

describe('money of orders that are not confirmed at 23:00 (decision 0029)', () => {
  let stage: PaymentsStage;
  beforeEach(async () => {
    stage = await PaymentsStage.start({ DUE_CONCURRENCY: '32' });
    stage.neighbours.settings.sdk_options_enabled = true;
  });
  afterEach(() => stage.stop());

  async function paid(...orders: readonly FakeOrder[]): Promise<number> {
    const answer = await stage.checkOut(orders);
    if (answer.status !== 200) throw new Error(answer.body);
    const { id } = answer.json<{ id: number }>();
    const fact = { about: 'payment', payment: capturedAs(`c${id}`, String(5000 * orders.length)) } as const;
    await stage.report({ reference: paymentReference(id), fact }, 'good', 'sdkvendor');
    return id;
  }
  const isRejected = ({ status }: { readonly status: string }) => status === 'REJECTED';

  it('given many payments due at the same time, then orders is asked about them in one call, each with its own orders', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 24; count += 1) ids.push(await paid(stage.neighbours.anOrder()));
    const { neighbours, service } = stage;
    const answer = neighbours.request.bind(neighbours);
    // Orders answers the first one when all are under way.
    neighbours.request = async (...asked) => {
      if (asked[1].path === '/internal/claims/give-up' && neighbours.giveUpCalls === 0)
        await waitFor(() => service.dueWorker.inFlight === ids.length);
      return answer(...asked);
    };
    await stage.pass(UNTIL_THE_SWEEP_MS);
    for (const id of ids) await stage.until(id, isRejected);
    expect(stage.neighbours.giveUps.map(({ payment_id }) => payment_id).toSorted()).toEqual(ids);
    expect(stage.neighbours.giveUpCalls).toBeLessThan(ids.length);
  });

  it('given orders that are confirmed in the projection, then orders is never asked', async () => {
    const [one, other] = [stage.neighbours.anOrder(), stage.neighbours.anOrder()];
    const id = await paid(one, other);
    for (const order of [one, other]) await stage.orderBecomes(order, 'confirmed', 'mf_purchase.confirmed');
    await stage.pass(UNTIL_THE_SWEEP_MS);
    await stage.pass(0);
    expect(stage.neighbours.giveUps).toEqual([]);
    expect(await stage.get(id)).toMatchObject({ status: 'SUCCESS', refunds: [] });
  });

  it('given orders has lost an order, then its money stays, the other order’s goes back, and orders is asked again', async () => {
    const [one, lost] = [stage.neighbours.anOrder(), stage.neighbours.anOrder()];
    const id = await paid(one, lost);
    stage.neighbours.orders.delete(lost.old_id);
    await stage.pass(UNTIL_THE_SWEEP_MS);
    await stage.until(id, ({ refunds }) => refunds.length > 0);
    expect((await stage.get(id)).refunds).toMatchObject([{ amc_order_ids: [one.old_id] }]);
    await stage.untilRows(`SELECT 1 FROM due_work WHERE kind = 'payment.sweep' AND attempts > 0`);
    stage.neighbours.orders.set(lost.old_id, lost);
    await stage.pass(MINUTE_MS);
    await stage.until(id, isRejected);
  });

  it('given the order fails before the answer is recorded, then its money goes back once', async () => {
    const order = stage.neighbours.anOrder();
    const id = await paid(order);
    const stopped = setFaultHandler('payments.give_up_answered');
    await stage.pass(UNTIL_THE_SWEEP_MS);
    await stopped.reached;
    await stage.orderBecomes(order, 'failed', 'mf_purchase.failed');
    await stage.until(id, isRejected);
    stopped.resume();
    await waitFor(() => stage.service.dueWorker.inFlight === 0);
    expect((await stage.get(id)).refunds).toMatchObject([{ reason: 'order_failed' }]);
  });

  it('given an event that is newer than the answer, then the newer state is kept', async () => {
    const [one, other] = [stage.neighbours.anOrder(), stage.neighbours.anOrder()];
    await paid(one, other);
    one.state = 'confirmed';
    one.sequence += 1;
    const stopped = setFaultHandler('payments.give_up_answered');
    await stage.pass(UNTIL_THE_SWEEP_MS);
    await stopped.reached;
    await stage.orderBecomes(one, 'submitted');
    stopped.resume();
    await stage.untilRows('SELECT 1 FROM refunds');
    expect(await stage.rows('SELECT state FROM order_states WHERE old_id = $1', one.old_id)).toEqual([
      { state: 'submitted' },
    ]);
  });
});
