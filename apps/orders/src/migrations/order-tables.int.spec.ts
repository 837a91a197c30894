import { mfPurchaseMachine } from '@fundrail/state-machines';
import { sql } from '@fundrail/persistence';
import { CollectionsWithoutMark1900000000050 } from './collections-without-mark.migration.ts';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';

describe('the table of orders', () => {
  let orders: OrdersUnderTest;
  const run = <Row>(name: string, text: string, values: unknown[] = []) =>
    orders.running.database.query<Row>(sql(`test.${name}`, text), values);

  beforeAll(async () => {
    orders = await OrdersUnderTest.start();
  });
  afterAll(() => orders.stop());

  it('allows exactly the states of the machine (DATA-4)', async () => {
    const [check] = await run<{ text: string }>(
      'check',
      `SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = 'mf_orders_state'`,
    );
    const allowed = [...(check?.text.matchAll(/'(\w+)'/g) ?? [])].map((match) => match[1]);
    expect(allowed.sort()).toEqual([...mfPurchaseMachine.states].sort());
  });

  it('marks installments that a previous release may have sent, each once, and no others', async () => {
    const [due, marked, other] = await Promise.all([1, 2, 3].map(() => orders.createPayable()));
    const ids = [due?.id, marked?.id, other?.id];
    await run(
      'collected',
      `UPDATE mf_orders SET state = 'confirmed', collected_at = '2026-12-20T00:00Z' WHERE id = ANY ($1)`,
      [ids],
    );
    await run('marked', `UPDATE mf_orders SET submission_called_at = '2026-12-21T00:00Z' WHERE id = $1`, [
      marked?.id,
    ]);
    await run(
      'due',
      `INSERT INTO due_work (kind, key, tenant, due_at)
       SELECT 'installment.submit', unnest($1::text[]), 'demo', '2100-01-01T00:00Z'`,
      [[due?.id, marked?.id]],
    );
    const runner = orders.running.database.dataSource.createQueryRunner();
    const migration = new CollectionsWithoutMark1900000000050();
    await migration.up(runner);
    await migration.up(runner);
    await runner.release();
    const rows = await run<{ id: string; called: Date | null; over: Date | null }>(
      'marks',
      `SELECT id, submission_called_at AS called, submission_over_at AS over FROM mf_orders WHERE id = ANY ($1)`,
      [ids],
    );
    const before = new Date('2026-12-20T00:00Z');
    expect(new Map(rows.map(({ id, called, over }) => [id, [called, over]]))).toEqual(
      new Map([
        [due?.id, [before, before]],
        [marked?.id, [new Date('2026-12-21T00:00Z'), null]],
        [other?.id, [null, null]],
      ]),
    );
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
