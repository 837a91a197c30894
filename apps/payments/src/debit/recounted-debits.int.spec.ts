import { istInstant } from '@fundrail/contracts';
import { setFaultHandler, waitFor } from '@fundrail/testing';
import { RecountedDebits1900000000052 } from '../migrations/recounted-debits.migration.ts';
import type { FakeOrder } from '../testing/fake-neighbours.ts';
import { PaymentsStage } from '../testing/start-payments.ts';

const KIND = 'debit.unconfirmed';

/** The clock stands at Monday 2026-12-21 10:00 IST, and the debit waits until 2027-01-01. */
describe('the recounted deadline of a debit that waits for its order', () => {
  let stage: PaymentsStage;
  let order: FakeOrder;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
    order = stage.neighbours.anOrder();
  });
  afterEach(() => stage.stop());

  const raised = async () =>
    (await stage.debit(stage.neighbours.mandates.anApproved().id, order)).json<{ id: number }>().id;
  const dueAt = async (kind: string) => {
    const rows = await stage.rows<{ due_at: Date }>('SELECT due_at FROM due_work WHERE kind = $1', kind);
    return rows[0]?.due_at ?? null;
  };
  const passUntil = (day: string) => stage.pass(istInstant(day).getTime() - stage.clock.now().getTime());

  const replace = async (dates: readonly string[]) => {
    const year = { object: 'holiday_year', year: 2026, dates, source: 'a test', plans_moved: 0 };
    const object = { ...year, replaced_at: '2026-12-21T10:00:00.000+05:30' };
    await stage.consume('holiday_year.replaced', object, { about: 'holiday_year_2026' });
    await stage.pass(0);
  };

  it('does not change once orders has marked the order, even if the answer was lost and the list has changed', async () => {
    const id = await raised();
    const stopped = setFaultHandler('payments.give_up_answered');
    await passUntil('2027-01-04');
    await stopped.reached;
    expect(order.given_up_by).toBe(id);
    stopped.fail(new Error('the answer is lost'));
    await stage.untilRows(`SELECT 1 FROM due_work WHERE kind = '${KIND}' AND attempts > 0`);
    const next = await dueAt(KIND);
    await replace(['2026-12-22', '2026-12-23', '2026-12-24', '2026-12-25']);
    await stage.pass(0);
    expect(await dueAt(KIND)).toEqual(next);
    await stage.pass(60_000);
    expect(await stage.until(id, ({ status }) => status === 'FAILED')).toMatchObject({
      failure_code: 'payment_expired',
    });
  });

  it('follows the rule of a new release, once, and is not started when no debit waits', async () => {
    const { database } = stage.service;
    const runner = database.dataSource.createQueryRunner();
    const migration = new RecountedDebits1900000000052();
    const rows = (kind: string) =>
      stage.rows<{ key: string }>('SELECT key FROM due_work WHERE kind = $1', kind);
    await migration.up(runner);
    expect(await rows('deadlines.recount')).toEqual([]);
    await raised();
    const counted = await dueAt(KIND);
    await stage.rows(`UPDATE due_work SET due_at = $1 WHERE kind = '${KIND}'`, istInstant('2026-12-30'));
    await migration.up(runner);
    await migration.up(runner);
    await runner.release();
    await waitFor(async () => (await dueAt(KIND))?.getTime() === counted?.getTime());
  });
});
