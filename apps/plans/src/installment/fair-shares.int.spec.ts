import { waitFor } from '@fundrail/testing';
import { PlansUnderTest } from '../testing/plans-under-test.ts';

const BATCH = 8;
const [MANY, FEW] = [40, 3];

/** The small tenant's plans are the last ones created, so each index that is in this order has them last. */
describe('the plans of a small tenant that are due at the same time as many of another', () => {
  let stage: PlansUnderTest;
  let few: string[];
  beforeEach(async () => {
    stage = await PlansUnderTest.start(1, { PLANS_GENERATION_BATCH: String(BATCH) });
    const plans: string[] = [];
    for (let left = MANY + FEW; left > 0; left -= 1) plans.push((await stage.createActive()).id);
    few = plans.slice(MANY);
    for (const table of ['redemption_plans', 'plan_courses'])
      await stage.rows(
        `UPDATE ${table} SET tenant = 'small' WHERE ${table === 'plan_courses' ? 'plan_id' : 'id'} = ANY ($1)`,
        few,
      );
  });
  afterEach(() => stage.stop());

  const made = () =>
    stage.rows<{ tenant: string; plan_id: string }>(
      "SELECT tenant, aggregate_id AS plan_id FROM outbox WHERE type LIKE '%installment_generated' ORDER BY id",
    );

  it('are generated in the first turn, and each plan once (PLAN-16)', async () => {
    await stage.at('2027-01-05T00:05');
    const rows = await made();
    const first = rows.slice(0, BATCH).filter(({ tenant }) => tenant === 'small');
    expect(first.map(({ plan_id }) => plan_id).sort()).toEqual(few.toSorted());
    expect(new Set(rows.map(({ plan_id }) => plan_id)).size).toBe(MANY + FEW);
    expect(rows).toHaveLength(MANY + FEW);
  });

  it('do not wait for one that cannot be written, which is set aside (PLAN-16)', async () => {
    const [broken = '', ...rest] = few;
    const count = 'UPDATE plan_courses SET event_seq = event_seq + $2 WHERE plan_id = $1';
    await stage.rows(count, broken, -1);
    await stage.at('2027-01-05T00:05');
    const rows = await made();
    expect(
      rows
        .filter(({ tenant }) => tenant === 'small')
        .map(({ plan_id }) => plan_id)
        .sort(),
    ).toEqual(rest.toSorted());
    expect(rows).toHaveLength(MANY + FEW - 1);
    expect(stage.log.filter((line) => line.includes('is set aside'))).toHaveLength(1);
  });

  it('do not hold up a plan that is due a minute later while transactions have locked them', async () => {
    const [later = ''] = few;
    await stage.rows(
      "UPDATE plan_courses SET generate_at = generate_at + interval '1 minute' WHERE plan_id = $1",
      later,
    );
    const other = stage.service.database.dataSource.createQueryRunner();
    try {
      await other.query('BEGIN');
      await other.query('SELECT FROM plan_courses WHERE plan_id <> $1 FOR UPDATE', [later]);
      stage.clock.set('2027-01-05T00:06:00.000+05:30');
      const rows = await waitFor(
        async () => {
          stage.wake();
          const found = await made();
          return found.length > 0 ? found : null;
        },
        { what: 'the plan that is not locked to be generated' },
      );
      expect(rows.map(({ plan_id }) => plan_id)).toEqual([later]);
    } finally {
      await other.query('ROLLBACK');
      await other.release();
    }
    await stage.settled();
    expect(await made()).toHaveLength(MANY + FEW);
  });
});
