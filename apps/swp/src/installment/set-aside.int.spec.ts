import { SwpUnderTest } from '../testing/swp-under-test.ts';

const BATCH = '6';
const PLANS_DUE = 14;

describe('a plan whose installment cannot be written', () => {
  let swp: SwpUnderTest;
  beforeAll(async () => {
    swp = await SwpUnderTest.start(1, { SWP_GENERATION_BATCH: BATCH });
  });
  afterAll(() => swp.stop());

  it('is set aside and logged; all others are generated, and it is generated once after its repair', async () => {
    const plans = await Promise.all(Array.from({ length: PLANS_DUE }, () => swp.createActive()));
    const broken = plans.filter((_, index) => index % 6 === 2).map(({ id }) => id);
    // As in a course restored from a backup, one event behind its outbox.
    const count = 'UPDATE plan_courses SET event_seq = event_seq + $2 WHERE plan_id = ANY ($1)';
    await swp.rows(count, broken, -1);

    await swp.at('2027-01-05T00:05');
    const made = async () => {
      const rows = await swp.rows<{ plan_id: string }>('SELECT plan_id FROM plan_installments');
      return rows.map((row) => row.plan_id).sort();
    };
    const ids = plans.map(({ id }) => id).sort();
    expect(await made()).toEqual(ids.filter((id) => !broken.includes(id)));
    const lines = swp.log.filter((line) => line.includes('is set aside'));
    expect(lines.map((line) => (JSON.parse(line) as { plan_id: string }).plan_id).sort()).toEqual(
      broken.toSorted(),
    );

    await swp.rows(count, broken, 1);
    await swp.at('2027-01-05T01:04');
    expect(await made()).toHaveLength(PLANS_DUE - broken.length);
    await swp.at('2027-01-05T01:05');

    expect(await made()).toEqual(ids);
    const [first = ''] = broken;
    expect(await swp.published(first)).toMatchObject([{ installment_number: 1, date: '2027-01-05' }]);
    expect((await swp.get(first)).next_installment_date).toBe('2027-02-05');
  });
});
