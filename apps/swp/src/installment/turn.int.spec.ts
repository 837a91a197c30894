import { SwpUnderTest } from '../testing/swp-under-test.ts';
import { GenerateInstallments } from './generate-installments.ts';

describe('schedulers that find installments due', () => {
  let swp: SwpUnderTest;
  beforeAll(async () => {
    swp = await SwpUnderTest.start();
  });
  afterAll(() => swp.stop());

  it('generate a batch one at a time: the one without the turn generates nothing, and gets the turn after the other ends', async () => {
    const plan = await swp.createActive();
    const other = swp.service.database.dataSource.createQueryRunner();
    await other.query("BEGIN; SELECT pg_advisory_xact_lock(hashtext('swp.generation'))");
    swp.clock.set('2027-01-05T00:05:00.000+05:30');
    const lane = swp.service.app.get(GenerateInstallments);
    expect(await lane.run(await swp.service.database.now())).toBe(0);
    expect(await swp.published(plan.id)).toEqual([]);
    await other.query('ROLLBACK');
    await other.release();
    await swp.settled();
    expect(await swp.published(plan.id)).toHaveLength(1);
  });
});
