import { newId, type PlanInstallment } from '@fundrail/contracts';
import { listParked } from '@fundrail/messaging';
import { sql } from '@fundrail/persistence';
import { setFaultHandler } from '@fundrail/testing';
import { anInstallment } from '../testing/installment.builder.ts';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';

const GENERATED = 'mf_redemption_plan.installment_generated';
const COMMIT = 'orders.installments.before_commit';
const PLANS = 30;

const madeBy = sql(
  'test.made_by',
  'SELECT id, xmin::text AS made_by FROM mf_orders WHERE plan = ANY ($1) ORDER BY id',
);
const inTurn = sql(
  'test.in_turn',
  'SELECT installment_number FROM mf_orders WHERE plan = $1 ORDER BY old_id',
);
const endIdle = sql(
  'test.end_idle',
  `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'idle in transaction'`,
);

describe('installments of many plans at the same time', () => {
  let orders: OrdersUnderTest;
  beforeAll(async () => {
    orders = await OrdersUnderTest.start();
  });
  afterAll(() => orders.stop());

  const deliver = ({ plan, ...rest }: PlanInstallment, at = orders) =>
    at.deliver(GENERATED, plan, { plan, ...rest }, `evt_of_${rest.redemption}`);
  const installments = () => Array.from({ length: PLANS }, () => anInstallment());
  const madeOf = (all: readonly { readonly plan: string }[]) =>
    orders.running.database.query<{ id: string; made_by: string }>(madeBy, [all.map(({ plan }) => plan)]);
  const expectOnce = async (all: readonly PlanInstallment[]) => {
    const ids = (await madeOf(all)).map(({ id }) => id);
    expect(ids).toEqual(all.map(({ redemption }) => redemption).sort());
    for (const { redemption } of all) expect(await orders.eventsOf(redemption)).toEqual(['created']);
  };

  it('share transactions', async () => {
    const all = installments();
    await Promise.all(all.map((one) => deliver(one)));

    await expectOnce(all);
    const transactions = new Set((await madeOf(all)).map(({ made_by }) => made_by));
    expect(transactions.size).toBeLessThan(PLANS / 2);
  });

  it('are created although one of them cannot be, and only that one is parked', async () => {
    const all = installments();
    const sick = { ...anInstallment(), scheme: 5 };
    const ofSick = () => orders.deliver(GENERATED, sick.plan, sick, 'evt_sick');
    await Promise.all([
      ...all.slice(0, 20).map((one) => deliver(one)),
      ofSick(),
      ...all.slice(20).map((one) => deliver(one)),
    ]);

    await expectOnce(all);
    expect(await madeOf([sick])).toEqual([]);
    const parked = await listParked(orders.running.database);
    expect(parked).toMatchObject([{ event_id: 'evt_sick', aggregate_id: sick.plan, status: 'failed' }]);
  });

  it.each(['fails before its commit', 'loses its database'])(
    'are each created once when the transaction of many %s',
    async (what) => {
      const all = installments();
      const [first = anInstallment(), second = anInstallment(), ...rest] = all;
      // Two transactions are in progress, so the others gather, and are handled together when one of them ends.
      const one = setFaultHandler(COMMIT);
      const ends = [deliver(first)];
      await one.reached;
      const two = setFaultHandler(COMMIT);
      ends.push(deliver(second));
      await two.reached;
      ends.push(...rest.map((installment) => deliver(installment)));
      const many = setFaultHandler(COMMIT);
      one.resume();
      await many.reached;
      if (what === 'loses its database') await orders.running.database.query(endIdle);
      else many.fail(new Error('broken off'));
      for (const fault of [two, many]) fault.resume();
      await Promise.all(ends);

      await expectOnce(all);
    },
  );

  it('are created once and in the order of each plan by two replicas that receive the same events', async () => {
    const other = await orders.replica();
    const plans = Array.from({ length: PLANS }, () => newId('redemptionPlan'));
    const all = [1, 2].flatMap((installment_number) =>
      plans.map((plan) => anInstallment({ plan, installment_number })),
    );
    await Promise.all([orders, other].flatMap((at) => all.map((one) => deliver(one, at))));
    await other.stop();

    await expectOnce(all);
    for (const plan of plans) {
      const made = await orders.running.database.query<{ installment_number: number }>(inTurn, [plan]);
      expect(made.map(({ installment_number }) => installment_number)).toEqual([1, 2]);
    }
  });
});
