import { stringifyJson } from '@fundrail/contracts';
import { setFaultHandler, waitFor, serviceToken } from '@fundrail/testing';
import { PaymentsStage } from '../testing/start-payments.ts';

describe('the claim of a creation', () => {
  let stage: PaymentsStage;
  beforeAll(async () => {
    stage = await PaymentsStage.start();
  });
  afterAll(() => stage.stop());
  beforeEach(() => {
    stage.neighbours.silent.clear();
    stage.neighbours.losesClaimAnswers = false;
  });

  const live = async (oldId: number) =>
    (
      await stage.rows<{ n: number }>(
        'SELECT count(*) AS n FROM payment_orders WHERE old_id = $1 AND live',
        oldId,
      )
    )[0]?.n;

  describe('when the claim has no answer', () => {
    it('is a 503 that leaves neither claim nor payment, and the next try succeeds', async () => {
      const order = stage.neighbours.anOrder();
      stage.neighbours.losesClaimAnswers = true;
      const answer = await stage.create([order], {}, { 'idempotency-key': 'lost' });
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
      expect(order.claimed_by).toBeNull();
      stage.neighbours.losesClaimAnswers = false;
      expect((await stage.create([order], {}, { 'idempotency-key': 'lost' })).status).toBe(200);
    });

    it('is released by the sweep of orders when orders is not reachable at all', async () => {
      const order = stage.neighbours.anOrder();
      stage.neighbours.silent.add('orders');
      expect((await stage.create([order])).status).toBe(503);
      const [row] = await stage.rows<{ kind: string }>(
        'SELECT kind FROM payment_ids ORDER BY id DESC LIMIT 1',
      );
      expect(row?.kind).toBe('void');
    });
  });

  it('a request that stalls between claim and insert creates no second payment', async () => {
    const order = stage.neighbours.anOrder();
    const stall = setFaultHandler('payments.claimed');
    const stalled = stage.create([order], {}, { 'idempotency-key': 'stalled' });
    await stall.reached;
    const voided = order.claimed_by ?? 0;
    const resolved = await resolve(stage, [voided]);
    expect(resolved).toEqual([{ payment_id: voided, kind: 'void' }]);
    order.claimed_by = null;
    const other = await stage.create([order]);
    expect(other.status).toBe(200);
    stall.resume();
    expect((await stalled).status).toBe(503);
    expect(await live(order.old_id)).toBe(1);
    expect(order.claimed_by).toBe(other.json<{ id: number }>().id);
    const again = await stage.create([order], {}, { 'idempotency-key': 'stalled' });
    expect([again.status, again.body]).toEqual([409, expect.stringContaining('PAYMENT_ALREADY_EXISTS')]);
  });

  it('reports existing payments to orders, for any order of the ids', async () => {
    const id = await stage.pay();
    const unknown = 90_000_001;
    const results = await resolve(stage, [unknown, id]);
    expect(results).toEqual(
      expect.arrayContaining([
        { payment_id: id, kind: 'payment' },
        { payment_id: unknown, kind: 'void' },
      ]),
    );
    expect((await stage.get(id)).status).toBe('PENDING');
  });

  it('makes orders release what a dead payment still holds: its claim may have arrived after the release', async () => {
    const order = stage.neighbours.anOrder();
    const dead = await stage.pay(order);
    await stage.send('POST', `/api/pg/payments/${dead}/cancel`);
    expect(await resolve(stage, [dead])).toEqual([{ payment_id: dead, kind: 'void' }]);
    expect((await stage.get(dead)).status).toBe('FAILED');
  });

  it('a retry right after the failure takes the old claim over', async () => {
    const order = stage.neighbours.anOrder();
    const dead = await stage.pay(order);
    expect((await stage.send('POST', `/api/pg/payments/${dead}/cancel`)).status).toBe(200);
    expect(order.claimed_by).toBe(dead);
    const answer = await stage.create([order]);
    expect(answer.status).toBe(200);
    expect(stage.neighbours.claims.at(-1)).toMatchObject({ replaces: [dead] });
    expect(order.claimed_by).toBe(answer.json<{ id: number }>().id);
  });

  it('does not take over the claim of a live payment', async () => {
    const order = stage.neighbours.anOrder();
    const living = await stage.pay(order);
    const answer = await stage.create([order]);
    expect([answer.status, answer.body]).toEqual([409, expect.stringContaining('PAYMENT_ALREADY_EXISTS')]);
    expect(order.claimed_by).toBe(living);
  });

  it('is refused by the database when orders has lost the claim of a live payment (DATA-4, PAY-4)', async () => {
    const order = stage.neighbours.anOrder();
    await stage.pay(order);
    order.claimed_by = null;
    const answer = await stage.create([order]);
    expect([answer.status, answer.body]).toEqual([409, expect.stringContaining('PAYMENT_ALREADY_EXISTS')]);
    expect([order.claimed_by, await live(order.old_id)]).toEqual([null, 1]);
  });

  it('keeps the claim when the payment was written and only the answer failed', async () => {
    const order = stage.neighbours.anOrder();
    const stall = setFaultHandler('payments.created');
    const creation = stage.create([order]);
    await stall.reached;
    stall.fail(new Error('the connection is lost'));
    expect((await creation).status).toBe(500);
    expect(order.claimed_by).not.toBeNull();
    expect(await resolve(stage, [order.claimed_by ?? 0])).toMatchObject([{ kind: 'payment' }]);
  });

  it('does not release id and claim when another request took over its Idempotency-Key while it stalled', async () => {
    const order = stage.neighbours.anOrder();
    const key = { 'idempotency-key': 'taken-over' };
    const first = setFaultHandler('payments.claimed');
    const stalled = stage.create([order], {}, key);
    await first.reached;
    await stage.rows(
      "UPDATE idempotency_keys SET held_until = now() - interval '1 s' WHERE key = 'taken-over'",
    );
    const second = setFaultHandler('payments.claimed');
    const other = stage.create([order], {}, key);
    await second.reached;
    first.resume();
    expect((await stalled).status).toBeGreaterThanOrEqual(400);
    second.resume();
    expect((await other).status).toBe(200);
    expect(order.claimed_by).toBe((await other).json<{ id: number }>().id);
  });

  it('sees an order submitted while the creation is being written (PAY-35)', async () => {
    const order = stage.neighbours.anOrder();
    const stall = setFaultHandler('payments.claimed');
    const creation = stage.create([order], {}, { 'idempotency-key': 'slow-write' });
    await stall.reached;
    // The creation's statement completes the key last: it has written everything else and waits for this row.
    const holder = stage.service.database.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query("SELECT 1 FROM idempotency_keys WHERE key = 'slow-write' FOR UPDATE");
    stall.resume();
    await waiting(stage, 1);
    const published = stage.orderBecomes(order, 'submitted');
    await waiting(stage, 2);
    await holder.commitTransaction();
    await holder.release();
    await published;
    await stage.until((await creation).json<{ id: number }>().id, ({ upi }) => upi?.uri !== null);
  });

  it('does not take over a claim of an unknown payment', async () => {
    const order = stage.neighbours.anOrder({ claimed_by: 80_000_001 });
    expect((await stage.create([order])).status).toBe(409);
    expect(order.claimed_by).toBe(80_000_001);
  });

  it('requests the URI immediately when all orders are already submitted, but the answer has none (FLOW-7)', async () => {
    const order = stage.neighbours.anOrder({ state: 'submitted' });
    const answer = await stage.create([order]);
    expect(answer.body).toContain('"uri":null');
    const payment = await stage.until(answer.json<{ id: number }>().id, ({ upi }) => upi?.uri !== null);
    expect(payment.upi?.uri).toMatch(/^upi:\/\/pay\?/);
  });

  it('prefers a newer state of an order to the one in the claim’s answer (PAY-35)', async () => {
    const order = stage.neighbours.anOrder();
    const stall = setFaultHandler('payments.claimed');
    const creation = stage.create([order]);
    await stall.reached;
    await stage.orderBecomes(order, 'submitted');
    stall.resume();
    const { id } = (await creation).json<{ id: number }>();
    await stage.until(id, ({ upi }) => upi?.uri !== null);
  });

  it('fails immediately when its order ended between claim and insert', async () => {
    const order = stage.neighbours.anOrder();
    const stall = setFaultHandler('payments.claimed');
    const creation = stage.create([order]);
    await stall.reached;
    await stage.orderBecomes(order, 'failed', 'mf_purchase.failed');
    stall.resume();
    const { id } = (await creation).json<{ id: number }>();
    expect((await stage.until(id, ({ status }) => status === 'FAILED')).failure_code).toBe('payment_failed');
  });
});

/** Waits until `count` statements wait for a lock. */
async function waiting(stage: PaymentsStage, count: number): Promise<void> {
  const text = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await waitFor(async () => (await stage.rows(text)).length === count, { what: `${count} waiting` });
}

async function resolve(stage: PaymentsStage, payment_ids: number[]): Promise<unknown> {
  const answer = await stage.service.fastify.inject({
    method: 'POST',
    url: '/internal/payments/resolve',
    headers: { authorization: serviceToken('orders'), 'content-type': 'application/json' },
    payload: stringifyJson({ payment_ids }),
  });
  return answer.json<{ results: unknown }>().results;
}
