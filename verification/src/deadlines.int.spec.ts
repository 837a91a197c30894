import { addDays, istDate, istInstant, type PaymentDto } from '@fundrail/contracts';
import type { ServiceTransport } from '@fundrail/service-kit/http';
import { setFaultHandler, waitFor } from '@fundrail/testing';
import { LaggingBus } from './testing/lagging-bus.ts';
import { referenceOf } from './testing/model/invariants.ts';
import { MODEL_GROUPS, ModelStage } from './testing/model/model-stage.ts';

const MINUTE_MS = 60_000;
const RACING = 200;
const CLIENTS = 8;
/** Time for hundreds of payments to finish on a busy machine. */
const MANY_LIMIT_MS = 120_000;
/** Longer than the first pauses before due work is retried. */
const SCHEDULE_STEP_MS = 5 * MINUTE_MS;
const CONFIRMED = new Set(['confirmed', 'submitted', 'successful']);

interface Bought {
  readonly old_id: number;
  readonly id: string;
  readonly payment: number;
}

/** Decision 0029 with the real orders and payments. The bus between them lags, and their connection may be cut. */
describe('money at 23:00', () => {
  const bus = new LaggingBus(MODEL_GROUPS);
  let isOrdersAway = false;
  let stage: ModelStage;

  beforeAll(async () => {
    stage = await ModelStage.start({ bus, through: cut });
    const generous = '{"rate_limits": {"reads_per_second": 5000, "writes_per_second": 5000}}';
    await stage.rows('identity', `UPDATE tenants SET settings = settings || '${generous}'`);
    // One token for all.
    await create([]);
  });
  afterAll(() => stage.stop());
  beforeEach(async () => {
    // Each test starts at ten in the evening of a day of its own; by then the work of earlier tests has ended.
    await goTo('22:00', 1);
  });
  afterEach(async () => {
    isOrdersAway = false;
    bus.letThrough('payments');
    // Everything under way arrives, so that no later test waits for days of status queries about it.
    for (const transfer of stage.world.transfers.values()) transfer.status = 'settled';
    for (const order of stage.world.orders.keys()) stage.world.orders.set(order, 'successful');
    await stage.quiet();
  });

  function cut(transport: ServiceTransport): ServiceTransport {
    return {
      request: (service, request) =>
        isOrdersAway && service === 'orders'
          ? Promise.reject(new Error('connect ECONNREFUSED'))
          : transport.request(service, request),
      close: () => transport.close(),
    };
  }

  /** Moves the clock to that time of today or of a later day, without waiting. */
  async function jumpTo(time: string, { days = 0, earlierMs = 0 } = {}): Promise<void> {
    const now = await stage.now();
    const at = istInstant(addDays(istDate(now), days), time).getTime() - earlierMs;
    await stage.move(at - now.getTime());
  }

  async function goTo(time: string, days = 0): Promise<void> {
    await jumpTo(time, { days });
    await stage.quiet();
  }

  /** Orders that are paid by SDK, each by a payment of its own, and not confirmed. */
  async function bought(count: number): Promise<Bought[]> {
    const orders = await stage.payableOrders(count);
    const all: Bought[] = [];
    for (let from = 0; from < count; from += CLIENTS)
      all.push(
        ...(await Promise.all(
          orders
            .slice(from, from + CLIENTS)
            .map(async (order) => ({ ...order, payment: await paid([order.old_id]) })),
        )),
      );
    return all;
  }

  async function paid(orders: readonly number[]): Promise<number> {
    const { status, body } = await create(orders);
    expect(status).toBe(200);
    const id = Number(body['id']);
    stage.world.pay(referenceOf(id));
    await stage.callBack('SDKVENDOR', referenceOf(id));
    return id;
  }

  const create = (orders: readonly number[]) =>
    stage.send('POST', '/api/pg/payments/netbanking', {
      amc_order_ids: orders,
      payment_postback_url: 'https://app.example/back',
    });

  const confirm = ({ id }: Pick<Bought, 'id'>) =>
    stage.send('PATCH', '/v2/mf_purchases', { id, state: 'confirmed' });

  async function paymentOf(id: number): Promise<PaymentDto> {
    const { body } = await stage.send('GET', `/api/pg/payments/${id}`);
    return body as PaymentDto & Record<string, unknown>;
  }

  const untilPayment = (id: number, status: PaymentDto['status']) =>
    waitFor(async () => (await paymentOf(id)).status === status, { what: `payment ${id} to be ${status}` });

  /** What must never happen: a confirmed order loses its money, or an order that lost it is confirmed. */
  async function brokenOrders(
    all: readonly Bought[],
    answers: ReadonlyMap<string, number>,
  ): Promise<string[]> {
    const found: string[] = [];
    const refunds = await stage.rows<{ payment_id: number }>(
      'payments',
      `SELECT payment_id FROM refunds WHERE reason = 'order_not_confirmed'`,
    );
    const refunded = new Set(refunds.map(({ payment_id }) => payment_id));
    const text = 'SELECT id, state FROM mf_orders';
    const orders = await stage.rows<{ id: string; state: string }>('orders', text);
    const states = new Map(orders.map(({ id, state }) => [id, state]));
    for (const one of all) {
      const isRefunded = refunded.has(one.payment);
      const state = states.get(one.id) ?? '';
      if (answers.get(one.id) === 200 && isRefunded) found.push(`${one.id}: confirmed, and refunded`);
      if (isRefunded && CONFIRMED.has(state)) found.push(`${one.id}: refunded, and ${state}`);
      if (!isRefunded && !CONFIRMED.has(state)) found.push(`${one.id}: not refunded, and ${state}`);
    }
    return found;
  }

  it('given a consumer that is held past 23:00, then confirmed orders keep their money', async () => {
    const all = await bought(8);
    await stage.quiet();
    bus.hold('payments');
    const answers = new Map<string, number>();
    for (const one of all.slice(0, 6)) answers.set(one.id, (await confirm(one)).status);
    // The gateway has them before 23:00, although payments does not know it.
    await stage.quiet();
    await goTo('23:01');
    const refunded = all.slice(6);
    // Payments asked orders for their states. Submitted orders go to the registrar although no event has arrived.
    for (const { payment } of all.slice(0, 6))
      expect(await paymentOf(payment)).toMatchObject({ status: 'INITIATED', refunds: [] });
    for (const { payment } of refunded) expect((await paymentOf(payment)).status).toBe('REJECTED');
    for (const one of refunded) answers.set(one.id, (await confirm(one)).status);

    bus.letThrough('payments');
    await stage.quiet();

    expect([...answers.values()]).toEqual([200, 200, 200, 200, 200, 200, 409, 409]);
    expect(await brokenOrders(all, answers)).toEqual([]);
  });

  it('given a payment of two orders, one confirmed without its event arriving, then only the other is refunded', async () => {
    const [one, other] = await stage.payableOrders(2);
    const payment = await paid([one!.old_id, other!.old_id]);
    await stage.quiet();
    bus.hold('payments');
    expect((await confirm(one!)).status).toBe(200);
    await stage.quiet();
    await goTo('23:01');

    const { status, refunds } = await paymentOf(payment);
    expect(status).toBe('INITIATED');
    expect(refunds).toMatchObject([{ reason: 'order_not_confirmed', amc_order_ids: [other!.old_id] }]);
    expect((await confirm(other!)).status).toBe(409);
    bus.letThrough('payments');
    // Its claim is freed as soon as the refund is recorded; a new payment makes it confirmable again.
    const again = await waitFor(async () => {
      const answer = await create([other!.old_id]);
      return answer.status === 200 ? answer : null;
    });
    expect([again.status, (await confirm(other!)).status]).toEqual([200, 200]);
  });

  it('given orders is down past 23:00, then nothing is given up, and it is asked again', async () => {
    const all = await bought(2);
    await goTo('22:58');
    isOrdersAway = true;
    await jumpTo('23:01');
    const asked = () =>
      stage.rows<{ n: number }>(
        'payments',
        `SELECT count(*)::int AS n FROM due_work WHERE kind = 'payment.sweep' AND attempts > 0 AND key = ANY($1)`,
        [all.map(({ payment }) => String(payment))],
      );
    await waitFor(async () => (await asked())[0]?.n === 2, { what: 'both to be asked about' });
    for (const { payment } of all)
      expect(await paymentOf(payment)).toMatchObject({ status: 'SUCCESS', refunds: [] });
    // Confirmed while payments could not ask: a confirmation is in time when it comes before the answer.
    expect((await confirm(all[0]!)).status).toBe(200);

    isOrdersAway = false;
    await stage.pass(SCHEDULE_STEP_MS);

    expect((await paymentOf(all[0]!.payment)).status).toBe('INITIATED');
    await untilPayment(all[1]!.payment, 'REJECTED');
    expect(await brokenOrders(all, new Map([[all[0]!.id, 200]]))).toEqual([]);
  });

  it('given payments stops before it records the answer, then the order does not change meanwhile, and the retry ends it', async () => {
    const [one] = await bought(1);
    await goTo('22:58');
    const stopped = setFaultHandler('payments.give_up_answered');
    await jumpTo('23:01');
    await stopped.reached;

    expect((await confirm(one!)).body).toMatchObject({ error: { code: 'PAYMENT_MISSING' } });
    expect((await create([one!.old_id])).body).toMatchObject({ error: { code: 'PAYMENT_ALREADY_EXISTS' } });
    const cancelled = await stage.send('POST', `/v2/mf_purchases/${one!.id}/cancel`);
    expect(cancelled.body).toMatchObject({ error: { code: 'PAYMENT_ALREADY_EXISTS' } });
    expect((await paymentOf(one!.payment)).status).toBe('SUCCESS');

    stopped.fail(new Error('the process is gone'));
    await stage.pass(SCHEDULE_STEP_MS);
    await untilPayment(one!.payment, 'REJECTED');
    expect((await create([one!.old_id])).status).toBe(200);
    expect((await confirm(one!)).status).toBe(200);
  });

  it('given the operator refunds before the answer is recorded, then the money is refunded once', async () => {
    const [one] = await bought(1);
    await goTo('22:58');
    const stopped = setFaultHandler('payments.give_up_answered');
    await jumpTo('23:01');
    await stopped.reached;
    const { status } = await stage.send('POST', `/api/pg/payments/${one!.payment}/refunds`, {}, true);
    stopped.resume();
    await stage.quiet();

    expect(status).toBe(200);
    const { refunds } = await paymentOf(one!.payment);
    expect(refunds).toMatchObject([{ reason: 'operator', amc_order_ids: [one!.old_id] }]);
  });

  it('given a refund whose event lags, then only the next payment can confirm the order', async () => {
    const [one] = await bought(1);
    await stage.quiet();
    bus.hold('orders');
    await goTo('23:01');
    await untilPayment(one!.payment, 'REJECTED');

    expect((await confirm(one!)).status).toBe(409);
    expect((await create([one!.old_id])).status).toBe(200);
    expect((await confirm(one!)).status).toBe(200);
    bus.letThrough('orders');
    await stage.quiet();
  });

  it('given 200 orders confirmed from 22:59:58 to 23:00:02, then each keeps its money or is never confirmed under it', async () => {
    const all = await bought(RACING + 2);
    await stage.anotherPayments();
    await stage.quiet(MANY_LIMIT_MS);
    const answers = new Map<string, number>();
    const racing = all.slice(0, RACING);
    // Two orders make sure that both outcomes occur on any machine: one in time, one too late.
    const [inTime, tooLate] = all.slice(RACING);
    answers.set(inTime!.id, (await confirm(inTime!)).status);
    await jumpTo('23:00', { earlierMs: 2_000 });
    const begin = (await stage.now()).getTime();
    const client = async (number: number) => {
      for (const [index, one] of racing.entries()) {
        if (index % CLIENTS !== number) continue;
        const from = begin + (index * 4_000) / racing.length;
        await waitFor(async () => (await stage.now()).getTime() >= from, { limitMs: 60_000 });
        answers.set(one.id, (await confirm(one)).status);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
    await stage.quiet(MANY_LIMIT_MS);
    answers.set(tooLate!.id, (await confirm(tooLate!)).status);

    expect(await brokenOrders(all, answers)).toEqual([]);
    expect([answers.get(inTime!.id), answers.get(tooLate!.id)]).toEqual([200, 409]);
    expect(new Set(answers.values())).toEqual(new Set([200, 409]));
    const refused = all.filter(({ id }) => answers.get(id) === 409);
    for (const { payment } of refused.slice(0, CLIENTS))
      expect((await paymentOf(payment)).status).toBe('REJECTED');
  }, 300_000);
});
