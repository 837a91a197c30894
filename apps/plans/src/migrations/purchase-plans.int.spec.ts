import { PurchasePlans1700001080000 } from './purchase-plans.migration.ts';
import { PurchasesUnderTest } from '../testing/purchases-under-test.ts';

describe('the tables of two kinds of plans', () => {
  let purchases: PurchasesUnderTest;
  beforeAll(async () => {
    purchases = await PurchasesUnderTest.start();
  });
  afterAll(() => purchases.stage.stop());

  const down = async () => {
    const runner = purchases.stage.service.database.dataSource.createQueryRunner();
    await runner.startTransaction();
    try {
      await new PurchasePlans1700001080000().down(runner);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  };

  it('return to those of one kind while there is no purchase plan, and not after', async () => {
    await purchases.stage.create();
    await expect(down()).resolves.toBeUndefined();
    await purchases.create();
    await expect(down()).rejects.toThrow('there are purchase plans');
  });

  it('let a replica of the release before go on with redemption plans', async () => {
    const { stage } = purchases;
    const { id } = await stage.createActive({ installment_day: 6 });
    // It names none of the new columns.
    await stage.rows(
      `UPDATE plan_courses SET amount = NULL, payment_source = NULL, folio_number = NULL, kind = DEFAULT, frequency = DEFAULT
        WHERE plan_id = $1`,
      id,
    );
    const shown: unknown = JSON.parse(JSON.stringify(await stage.get(id)));
    expect(shown).toMatchObject({ amount: 1001, folio_number: '91047558203' });
    await stage.at('2027-01-06T00:05');
    expect(await stage.published(id)).toMatchObject([{ folio_number: '91047558203', state: 'under_review' }]);
  });
});
