import { PlansUnderTest } from '../testing/plans-under-test.ts';

const BATCH = '6';
const PLANS_DUE = 14;

describe('a plan whose installment cannot be written', () => {
  let stage: PlansUnderTest;
  beforeAll(async () => {
    stage = await PlansUnderTest.start(1, { PLANS_GENERATION_BATCH: BATCH });
  });
  afterAll(() => stage.stop());

  it('is set aside and logged; all others are generated, and it is generated once after its repair', async () => {
    const plans = await Promise.all(Array.from({ length: PLANS_DUE }, () => stage.createActive()));
    const broken = plans.filter((_, index) => index % 6 === 2).map(({ id }) => id);
    // As in a course restored from a backup, one event behind its outbox.
    const count = 'UPDATE plan_courses SET event_seq = event_seq + $2 WHERE plan_id = ANY ($1)';
    await stage.rows(count, broken, -1);

    await stage.at('2027-01-05T00:05');
    const made = async () => {
      const rows = await stage.rows<{ plan_id: string }>('SELECT plan_id FROM plan_installments');
      return rows.map((row) => row.plan_id).sort();
    };
    const ids = plans.map(({ id }) => id).sort();
    expect(await made()).toEqual(ids.filter((id) => !broken.includes(id)));
    const lines = stage.log.filter((line) => line.includes('is set aside'));
    expect(lines.map((line) => (JSON.parse(line) as { plan_id: string }).plan_id).sort()).toEqual(
      broken.toSorted(),
    );

    await stage.rows(count, broken, 1);
    await stage.at('2027-01-05T01:04');
    expect(await made()).toHaveLength(PLANS_DUE - broken.length);
    await stage.at('2027-01-05T01:05');

    expect(await made()).toEqual(ids);
    const [first = ''] = broken;
    expect(await stage.published(first)).toMatchObject([{ installment_number: 1, date: '2027-01-05' }]);
    expect((await stage.get(first)).next_installment_date).toBe('2027-02-05');
  });
});
