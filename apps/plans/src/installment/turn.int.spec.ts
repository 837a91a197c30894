import { PlansUnderTest } from '../testing/plans-under-test.ts';
import { GenerateInstallments } from './generate-installments.ts';

describe('schedulers that find installments due', () => {
  let stage: PlansUnderTest;
  beforeAll(async () => {
    stage = await PlansUnderTest.start();
  });
  afterAll(() => stage.stop());

  it('generate a batch one at a time: the one without the turn generates nothing, and gets the turn after the other ends', async () => {
    const plan = await stage.createActive();
    const other = stage.service.database.dataSource.createQueryRunner();
    await other.query("BEGIN; SELECT pg_advisory_xact_lock(hashtext('swp.generation'))");
    stage.clock.set('2027-01-05T00:05:00.000+05:30');
    const lane = stage.service.app.get(GenerateInstallments);
    expect(await lane.run(await stage.service.database.now())).toBe(0);
    expect(await stage.published(plan.id)).toEqual([]);
    await other.query('ROLLBACK');
    await other.release();
    await stage.settled();
    expect(await stage.published(plan.id)).toHaveLength(1);
  });
});
