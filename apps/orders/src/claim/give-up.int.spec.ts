import type { GiveUpResult } from '@fundrail/contracts';
import { paymentOfEvent } from '@fundrail/testing';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';

const DAY_MS = 86_400_000;

describe('POST /internal/claims/give-up (decision 0029)', () => {
  let orders: OrdersUnderTest;
  let nextPayment = 1;

  beforeEach(() => {
    nextPayment += 1000;
  });
  beforeAll(async () => {
    orders = await OrdersUnderTest.start();
  });
  afterAll(() => orders.stop());

  async function giveUp(payment_id: number, amc_order_ids: readonly number[], tenant = 'demo') {
    const give_ups = [{ tenant, payment_id, amc_order_ids }];
    const { body } = await orders.internal<{ results: GiveUpResult[] }>('/internal/claims/give-up', {
      give_ups,
    });
    return (body.results[0]?.orders ?? []).map(({ outcome, state }) => [outcome, state]);
  }
  async function claimed(payment: number) {
    const order = await orders.createPayable();
    await orders.claim(payment, [order.old_id]);
    return order;
  }
  const confirm = (id: string) =>
    orders.refused('PATCH', '/v2/mf_purchases', { body: { id, state: 'confirmed' } });

  it('accepts only internal callers and at least one payment', async () => {
    const answer = await orders.refused('POST', '/internal/claims/give-up', { body: { give_ups: [] } });
    expect(answer.status).toBe(401);
    const empty = await orders.internal('/internal/claims/give-up', { give_ups: [] });
    expect(empty.status).toBe(400);
  });

  it('given a pending order, then it cannot be confirmed under this payment, and nothing else takes it', async () => {
    const { id, old_id } = await claimed(nextPayment);
    expect(await giveUp(nextPayment, [old_id])).toEqual([['given_up', 'pending']]);
    expect(await confirm(id)).toMatchObject({ status: 409, body: { error: { code: 'PAYMENT_MISSING' } } });
    expect(await orders.claim(nextPayment + 1, [old_id])).toMatchObject({ code: 'PAYMENT_ALREADY_EXISTS' });
    const cancelled = await orders.refused('POST', `/v2/mf_purchases/${id}/cancel`);
    expect(cancelled.body.error.code).toBe('PAYMENT_ALREADY_EXISTS');
    expect((await orders.get(id)).state).toBe('pending');
  });

  it('given the request is repeated, even after the release, then the answer is the same', async () => {
    const { id, old_id } = await claimed(nextPayment);
    const asked = () => giveUp(nextPayment, [old_id]);
    expect([await asked(), await asked()]).toEqual([[['given_up', 'pending']], [['given_up', 'pending']]]);
    await orders.deliver(
      'payment.rejected',
      nextPayment,
      paymentOfEvent({ id: nextPayment, status: 'REJECTED' }),
    );
    expect(await orders.holderOf(old_id)).toBeNull();
    expect(await asked()).toEqual([['given_up', 'pending']]);
    await orders.claim(nextPayment + 1, [old_id]);
    expect((await confirm(id)).status).toBe(200);
    expect((await asked())[0]?.[0]).toBe('given_up');
    expect((await orders.get(id)).failed_at).toBeNull();
  });

  it('given a dead payment is replaced, then the order is confirmed under the next one', async () => {
    const { id, old_id } = await claimed(nextPayment);
    await giveUp(nextPayment, [old_id]);
    const next = await orders.claim(nextPayment + 1, [old_id], { replaces: [nextPayment] });
    expect(next.outcome).toBe('claimed');
    expect((await confirm(id)).status).toBe(200);
  });

  it('given a confirmed order, then it is kept, in any later state', async () => {
    const { id, old_id } = await claimed(nextPayment);
    expect((await confirm(id)).status).toBe(200);
    await orders.inState(id, 'submitted');
    expect(await giveUp(nextPayment, [old_id])).toEqual([['kept', 'submitted']]);
    expect(await orders.holderOf(old_id)).toBe(nextPayment);
  });

  it('given another tenant, another payment or an unknown order, then nothing is marked', async () => {
    const { id, old_id } = await claimed(nextPayment);
    expect(await giveUp(nextPayment, [old_id], 'other')).toEqual([]);
    expect(await giveUp(nextPayment + 1, [old_id])).toEqual([['given_up', 'pending']]);
    expect(await giveUp(nextPayment, [99_999_999])).toEqual([]);
    expect((await confirm(id)).status).toBe(200);
  });

  it('given a give-up and a confirmation at the same time, then exactly one wins', async () => {
    for (let round = 0; round < 30; round += 1) {
      const payment = nextPayment + round;
      const { id, old_id } = await claimed(payment);
      const give = () => giveUp(payment, [old_id]);
      // In turns, so that each of them is the first in half of the rounds.
      const [given, confirmed] =
        round % 2 === 0
          ? await Promise.all([give(), confirm(id)])
          : ((await Promise.all([confirm(id), give()])).toReversed() as [string[][], { status: number }]);
      expect([given[0]?.[0], confirmed.status]).toEqual(
        given[0]?.[0] === 'kept' ? ['kept', 200] : ['given_up', 409],
      );
    }
  });

  it('given overlapping sets from two replicas, then there is no deadlock', async () => {
    const replica = await orders.replica();
    const set = await Promise.all(Array.from({ length: 8 }, () => claimed(nextPayment)));
    const ids = set.map(({ old_id }) => old_id);
    const ask = (at: OrdersUnderTest, amc_order_ids: readonly number[]) =>
      at.internal('/internal/claims/give-up', {
        give_ups: amc_order_ids.map((id) => ({
          tenant: 'demo',
          payment_id: nextPayment,
          amc_order_ids: [id],
        })),
      });
    const answers = await Promise.all([ask(orders, ids), ask(replica, ids.toReversed()), ask(orders, ids)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await replica.stop();
  });

  it('given a replica of the previous release, which does not know the mark, then the database refuses the confirmation', async () => {
    const { id, old_id } = await claimed(nextPayment);
    await giveUp(nextPayment, [old_id]);
    const client = await orders.connect();
    await expect(
      client.query(`UPDATE mf_orders SET state = 'confirmed', confirmed_at = now() WHERE id = $1`, [id]),
    ).rejects.toThrow('mf_orders_given_up_is_not_confirmed');
    await client.end();
  });

  it('given the order’s deadline passes meanwhile, then the expiry waits for the release', async () => {
    orders.neighbours.payments.add(nextPayment);
    const { id, old_id } = await claimed(nextPayment);
    await giveUp(nextPayment, [old_id]);
    orders.clock.advance(15 * DAY_MS);
    orders.running.dueWorker.wake();
    await orders.settled();
    expect((await orders.get(id)).state).toBe('pending');
    await orders.deliver(
      'payment.failed',
      nextPayment,
      paymentOfEvent({ id: nextPayment, status: 'FAILED' }),
    );
    expect(await orders.inState(id, 'failed')).toMatchObject({ failure_code: 'order_expiry' });
  });
});
