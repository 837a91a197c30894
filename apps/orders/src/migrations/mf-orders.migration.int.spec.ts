import { mfPurchaseMachine } from '@fundrail/state-machines';
import { sql } from '@fundrail/service-kit/db';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';

describe('the table of orders', () => {
  let orders: OrdersUnderTest;
  const run = <Row>(name: string, text: string, values: unknown[] = []) =>
    orders.running.database.query<Row>(sql(`test.${name}`, text), values);

  beforeAll(async () => {
    orders = await OrdersUnderTest.start();
  });
  afterAll(() => orders.stop());

  it('allows exactly the states of the machine', async () => {
    const [check] = await run<{ text: string }>(
      'check',
      `SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = 'mf_orders_state'`,
    );
    const allowed = [...(check?.text.matchAll(/'(\w+)'/g) ?? [])].map((match) => match[1]);
    expect(allowed.sort()).toEqual([...mfPurchaseMachine.states].sort());
  });

  it.each([
    [
      'a claim that the order does not show',
      'claimed_by = 2, claimed_at = now()',
      'mf_orders_claim_is_visible',
    ],
    ['a claim without its time', 'claimed_by = 1, payment_id = 1', 'mf_orders_claim_is_whole'],
    ['a confirmation without consent', "state = 'confirmed'", 'mf_orders_confirmed_has_consent'],
    ['a failure without a code', "state = 'failed'", 'mf_orders_failed_has_code'],
    ['an amount of nothing', 'amount = 0', 'mf_orders_amount_check'],
    ['an unknown state', "state = 'lost'", 'mf_orders_state'],
  ])('refuses %s', async (name, change, constraint) => {
    const { old_id } = await orders.create();
    const statement = `UPDATE mf_orders SET ${change} WHERE old_id = $1`;
    await expect(run(name, statement, [old_id])).rejects.toMatchObject({ constraint });
  });
});
