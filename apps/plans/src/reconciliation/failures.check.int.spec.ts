import type { ReconciliationCheck } from '@fundrail/service-kit/reconciliation';
import { PurchasesUnderTest } from '../testing/purchases-under-test.ts';
import { failuresCheck } from './failures.check.ts';

const WINDOW = { from: new Date(0), to: new Date(0), wallFrom: new Date(0), wallTo: new Date(0) };

describe('the failures that a plan has counted, against its installments (SIP-17)', () => {
  let purchases: PurchasesUnderTest;
  let check: ReconciliationCheck;
  beforeAll(async () => {
    purchases = await PurchasesUnderTest.start();
    check = purchases.stage.service.app.get(failuresCheck.provide);
  });
  afterAll(() => purchases.stage.stop());

  it('differ, are counted again, and then end a plan that has too many', async () => {
    const { stage } = purchases;
    const { id } = await purchases.createActive();
    for (const month of ['01', '02', '03']) await stage.at(`2027-${month}-28T12:00`);
    const installments = await purchases.published(id);
    for (const installment of installments.slice(0, 2)) await purchases.unpaid(installment);
    expect((await check.page(null, WINDOW)).found).toEqual([]);

    await stage.rows(
      `UPDATE plan_installments SET ended_at = now(), outcome = 'unpaid' WHERE plan_id = $1 AND installment_number = 3`,
      id,
    );
    const { found } = await check.page(null, WINDOW);
    expect(found).toEqual([
      { kind: 'failures_differ', object: id, tenant: 'demo', facts: { counted: 2, failed: 3 } },
    ]);
    for (const finding of found) expect(await check.repair(finding)).toBe(true);
    expect(await purchases.get(id)).toMatchObject({ state: 'cancelled', auto_cancelled: true });
    expect(await check.again(found)).toEqual([]);
  });
});
