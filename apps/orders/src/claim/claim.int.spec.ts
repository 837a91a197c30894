import { paymentOfEvent, waitFor } from '@fundrail/testing';
import { randomInt } from 'node:crypto';
import { CONTACTS } from '../testing/purchase.builder.ts';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';

const MINUTE_MS = 60_000;

describe('the claim', () => {
  let orders: OrdersUnderTest;
  let nextPayment = 1;
  const release = (payment_id: number, tenant = 'demo') =>
    orders.internal<{ released: number }>('/internal/claims/release', { tenant, payment_id });

  beforeEach(() => {
    nextPayment += 1000;
  });
  beforeAll(async () => {
    orders = await OrdersUnderTest.start();
  });
  afterAll(() => orders.stop());

  it('accepts only internal callers', async () => {
    const answer = await orders.refused('POST', '/internal/claims', { body: { claims: [] } });
    expect(answer.status).toBe(401);
  });

  it('takes a set, shows the payment on the orders, and returns the orders', async () => {
    const set = [await orders.createPayable(), await orders.createPayable({ amount: 250.5 })];
    const ids = set.map((order) => order.old_id);
    const result = await orders.claim(nextPayment, ids);
    expect(result).toMatchObject({
      outcome: 'claimed',
      orders: ids.map((old_id) => ({ old_id, state: 'pending', sequence: 3 })),
    });
    for (const id of ids) expect((await orders.get(id)).payment_id).toBe(nextPayment);
  });

  it('of 100 payments over one order exactly one gets it', async () => {
    const { old_id } = await orders.createPayable();
    const payments = Array.from({ length: 100 }, (_, index) => nextPayment + index);
    const results = await Promise.all(payments.map((payment) => orders.claim(payment, [old_id])));
    expect(results.filter((result) => result.outcome === 'claimed')).toHaveLength(1);
    const codes = results.flatMap((result) => result.code ?? []);
    expect(new Set(codes)).toEqual(new Set(['PAYMENT_ALREADY_EXISTS']));
    const winner = payments[results.findIndex((result) => result.outcome === 'claimed')];
    expect(await orders.holderOf(old_id)).toBe(winner);
  });

  it('of 100 payments over overlapping sets each gets its whole set or nothing, and no order two holders', async () => {
    const pool = await Promise.all(Array.from({ length: 12 }, () => orders.createPayable()));
    const ids = pool.map((order) => order.old_id);
    const wanted = Array.from({ length: 100 }, () => {
      const start = randomInt(ids.length);
      // In both directions, so that transactions that locked in the order of the request would deadlock.
      const set = [...ids, ...ids].slice(start, start + 1 + randomInt(5));
      return randomInt(2) === 0 ? set : set.reverse();
    });
    const results = await Promise.all(wanted.map((set, index) => orders.claim(nextPayment + index, set)));
    const holders = new Map(
      await Promise.all(ids.map(async (id) => [id, await orders.holderOf(id)] as const)),
    );
    results.forEach((result, index) => {
      const set = wanted[index] ?? [];
      const held = set.filter((id) => holders.get(id) === nextPayment + index);
      expect(held).toEqual(result.outcome === 'claimed' ? set : []);
    });
    const granted = results.filter((result) => result.outcome === 'claimed').length;
    expect(granted).toBeGreaterThan(1);
    expect(granted).toBeLessThan(100);
  });

  it('locks the orders of a set in ascending order, so that overlapping sets cannot deadlock', async () => {
    const small = await orders.createPayable();
    const large = await orders.createPayable();
    const [holder, witness] = [await orders.connect(), await orders.connect()];
    const lock = 'SELECT 1 FROM mf_orders WHERE old_id = $1 FOR UPDATE';
    await holder.query('BEGIN');
    await holder.query(lock, [small.old_id]);
    const claim = orders.claim(nextPayment, [large.old_id, small.old_id]);
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await waitFor(async () => (await witness.query(waiting)).rowCount === 1);
    await expect(witness.query(`${lock} NOWAIT`, [large.old_id])).resolves.toMatchObject({ rowCount: 1 });
    await holder.query('COMMIT');
    expect((await claim).outcome).toBe('claimed');
    await Promise.all([holder.end(), witness.end()]);
  });

  it('gets the same answer when the same payment repeats it, even after the order has moved on', async () => {
    const { id, old_id } = await orders.createPayable();
    await orders.claim(nextPayment, [old_id]);
    await orders.ask('PATCH', '/v2/mf_purchases', { body: { id, state: 'confirmed' } });
    await orders.inState(id, 'submitted');
    expect(await orders.claim(nextPayment, [old_id])).toMatchObject({
      outcome: 'claimed',
      orders: [{ state: 'submitted' }],
    });
  });

  it('replaces a holder that the request declares dead, and no other', async () => {
    const { old_id } = await orders.createPayable();
    await orders.claim(nextPayment, [old_id]);
    const refused = await orders.claim(nextPayment + 1, [old_id], { replaces: [nextPayment + 7] });
    expect(refused).toMatchObject({ code: 'PAYMENT_ALREADY_EXISTS', claimed_by: [nextPayment] });
    expect((await orders.claim(nextPayment + 1, [old_id], { replaces: [nextPayment] })).outcome).toBe(
      'claimed',
    );
    expect(await orders.holderOf(old_id)).toBe(nextPayment + 1);
  });

  it('is released once, by its holder, in its tenant, and the payment stays visible', async () => {
    const { id, old_id } = await orders.createPayable();
    await orders.claim(nextPayment, [old_id]);
    expect((await release(nextPayment, 'other')).body.released).toBe(0);
    expect((await release(nextPayment + 1)).body.released).toBe(0);
    expect((await release(nextPayment)).body.released).toBe(1);
    expect((await release(nextPayment)).body.released).toBe(0);
    expect(await orders.holderOf(old_id)).toBeNull();
    expect((await orders.get(id)).payment_id).toBe(nextPayment);
  });

  it('is released for the listed orders only, when the payment continues with the others', async () => {
    const set = [await orders.createPayable(), await orders.createPayable()];
    const [one, other] = set.map((order) => order.old_id);
    await orders.claim(nextPayment, [one!, other!]);
    const part = { tenant: 'demo', payment_id: nextPayment, amc_order_ids: [other!] };
    const answer = await orders.internal<{ released: number }>('/internal/claims/release', part);
    expect(answer.body.released).toBe(1);
    expect([await orders.holderOf(one!), await orders.holderOf(other!)]).toEqual([nextPayment, null]);
  });

  it('of a new payment outlives the late release of the old one', async () => {
    const { old_id } = await orders.createPayable();
    await orders.claim(nextPayment, [old_id]);
    await orders.claim(nextPayment + 1, [old_id], { replaces: [nextPayment] });
    await release(nextPayment);
    await orders.deliver(
      'payment.failed',
      nextPayment,
      paymentOfEvent({ id: nextPayment, status: 'FAILED' }),
    );
    expect(await orders.holderOf(old_id)).toBe(nextPayment + 1);
  });

  it.each(['payment.failed', 'payment.rejected'] as const)('is freed by %s', async (type) => {
    const { old_id } = await orders.createPayable();
    await orders.claim(nextPayment, [old_id]);
    await orders.deliver(
      type,
      nextPayment,
      paymentOfEvent({ id: nextPayment, status: type === 'payment.failed' ? 'FAILED' : 'REJECTED' }),
    );
    expect(await orders.holderOf(old_id)).toBeNull();
  });

  it('either wins or loses against a simultaneous cancellation', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { id, old_id } = await orders.createPayable();
      const [claimed, cancelled] = await Promise.all([
        orders.claim(nextPayment + round, [old_id]),
        orders.refused('POST', `/v2/mf_purchases/${id}/cancel`),
      ]);
      expect((claimed.outcome === 'claimed') !== (cancelled.status === 200)).toBe(true);
    }
  });

  it('is refused for another tenant', async () => {
    const { old_id } = await orders.createPayable();
    const claim = {
      tenant: 'other',
      payment_id: nextPayment,
      amc_order_ids: [old_id],
      investor_profile: null,
      replaces: [],
    };
    const { body } = await orders.internal<{ results: object[] }>('/internal/claims', { claims: [claim] });
    expect(body.results).toMatchObject([{ outcome: 'refused', code: 'BAD_REQUEST_ERROR' }]);
    expect(await orders.holderOf(old_id)).toBeNull();
  });

  describe('without any news of its payment', () => {
    it('is freed after a minute, and only after payments made the id void', async () => {
      const { old_id } = await orders.createPayable();
      await orders.claim(nextPayment, [old_id]);
      const asked = () => orders.neighbours.asked.filter((ids) => ids.includes(nextPayment)).length;
      orders.clock.advance(MINUTE_MS - 1);
      await orders.settled();
      expect(asked()).toBe(0);
      orders.clock.advance(1);
      await waitFor(async () => (await orders.holderOf(old_id)) === null);
      expect(asked()).toBe(1);
    });

    it('stays when the payment exists, and is not checked again', async () => {
      const { old_id } = await orders.createPayable();
      orders.neighbours.payments.add(nextPayment);
      await orders.claim(nextPayment, [old_id]);
      const asked = () => orders.neighbours.asked.filter((ids) => ids.includes(nextPayment)).length;
      orders.clock.advance(MINUTE_MS);
      await waitFor(() => asked() === 1);
      const later = await orders.createPayable();
      await orders.claim(nextPayment + 1, [later.old_id]);
      orders.clock.advance(10 * MINUTE_MS);
      await waitFor(async () => (await orders.holderOf(later.old_id)) === null);
      expect(asked()).toBe(1);
      expect(await orders.holderOf(old_id)).toBe(nextPayment);
    });

    it('is also freed when its request arrives after the release, when its id is already void', async () => {
      const { old_id } = await orders.createPayable();
      expect((await release(nextPayment)).body.released).toBe(0);
      await orders.claim(nextPayment, [old_id]);
      orders.clock.advance(MINUTE_MS);
      await waitFor(async () => (await orders.holderOf(old_id)) === null);
    });

    it('is not recorded as known when it was released and claimed again during the question', async () => {
      const { old_id } = await orders.createPayable();
      orders.neighbours.payments.add(nextPayment);
      await orders.claim(nextPayment, [old_id]);
      const answered = Promise.withResolvers<undefined>();
      orders.neighbours.meanwhile = async () => {
        orders.neighbours.payments.delete(nextPayment);
        await release(nextPayment);
        orders.clock.advance(1);
        await orders.claim(nextPayment, [old_id]);
        answered.resolve(undefined);
      };
      orders.clock.advance(MINUTE_MS);
      await answered.promise;
      await orders.settled();
      expect(await orders.holderOf(old_id)).toBe(nextPayment);
      orders.clock.advance(MINUTE_MS);
      await waitFor(async () => (await orders.holderOf(old_id)) === null);
    });

    it('stays for any time in which payments does not answer', async () => {
      const { old_id } = await orders.createPayable();
      await orders.claim(nextPayment, [old_id]);
      orders.neighbours.silent = true;
      const before = orders.neighbours.refusals;
      for (let hour = 0; hour < 3; hour += 1) {
        const already = orders.neighbours.refusals;
        orders.clock.advance(60 * MINUTE_MS);
        await waitFor(() => orders.neighbours.refusals > already);
      }
      expect(orders.neighbours.refusals).toBeGreaterThan(before);
      expect(await orders.holderOf(old_id)).toBe(nextPayment);
      orders.neighbours.silent = false;
      orders.clock.advance(MINUTE_MS);
      await waitFor(async () => (await orders.holderOf(old_id)) === null);
    });
  });

  describe('whose payment was never created (ORD-16)', () => {
    const named = async (id: number) => (await orders.get(id)).payment_id;
    const giveUp = (payment_id: number) =>
      orders.internal('/internal/claims/release', { tenant: 'demo', payment_id, never_made: true });

    it('leaves no payment on the order, or the previous one', async () => {
      const { old_id } = await orders.createPayable();
      await orders.claim(nextPayment, [old_id]);
      await giveUp(nextPayment);
      expect(await named(old_id)).toBeNull();
      await orders.claim(nextPayment + 1, [old_id]);
      await release(nextPayment + 1);
      await orders.claim(nextPayment + 2, [old_id]);
      expect(await named(old_id)).toBe(nextPayment + 2);
      await giveUp(nextPayment + 2);
      await giveUp(nextPayment + 2);
      expect(await named(old_id)).toBe(nextPayment + 1);
    });

    it('leaves none when another payment replaced it and was not created either', async () => {
      const { old_id } = await orders.createPayable();
      await orders.claim(nextPayment, [old_id]);
      await orders.claim(nextPayment + 1, [old_id], { replaces: [nextPayment] });
      await giveUp(nextPayment + 1);
      expect(await named(old_id)).toBeNull();
    });

    it('leaves none after a crash, once payments is asked; a dead payment stays on the order', async () => {
      const [lost, dead] = [await orders.createPayable(), await orders.createPayable()];
      orders.neighbours.dead.add(nextPayment + 1);
      await orders.claim(nextPayment, [lost.old_id]);
      await orders.claim(nextPayment + 1, [dead.old_id]);
      orders.clock.advance(MINUTE_MS);
      for (const { old_id } of [lost, dead])
        await waitFor(async () => (await orders.holderOf(old_id)) === null);
      expect([await named(lost.old_id), await named(dead.old_id)]).toEqual([null, nextPayment + 1]);
    });
  });

  it('does not touch the consent', async () => {
    const { id, old_id } = await orders.createPayable();
    await orders.claim(nextPayment, [old_id]);
    expect((await orders.get(id)).consent).toEqual(CONTACTS);
  });
});
