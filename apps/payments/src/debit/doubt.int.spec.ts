import { istInstant } from '@fundrail/contracts';
import { waitFor } from '@fundrail/testing';
import type { FakeMandate } from '../testing/fake-mandates.ts';
import type { FakeOrder } from '../testing/fake-neighbours.ts';
import { PaymentsStage } from '../testing/start-payments.ts';

/** The clock stands at 2026-12-21 10:00 IST; the first execution is planned for 2026-12-22 13:00. */
describe('a debit without a permit of mandates', () => {
  let stage: PaymentsStage;
  let mandate: FakeMandate;
  let order: FakeOrder;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
    mandate = stage.neighbours.mandates.anApproved();
    order = stage.neighbours.anOrder();
  });
  afterEach(() => stage.stop());

  const bank = () => stage.provider.mandates;
  const raised = async (): Promise<number> =>
    (await stage.debit(mandate.id, order)).json<{ id: number }>().id;
  const passUntil = (date: string, time: string) =>
    stage.pass(istInstant(date, time).getTime() - stage.clock.now().getTime());
  const noticeOut = () => stage.untilRows('SELECT 1 FROM debits WHERE notified_at IS NOT NULL');

  it('given a mandate in doubt, then a debit is refused with 503, the order is free, and the next request is accepted', async () => {
    stage.neighbours.mandates.doubted.add(mandate.id);
    const refused = await stage.debit(mandate.id, order);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
    expect(order.claimed_by).toBeNull();
    stage.neighbours.mandates.doubted.clear();
    expect((await stage.debit(mandate.id, order)).status).toBe(200);
  });

  it('given a mandate in doubt, then the notice waits until the doubt is resolved', async () => {
    const id = await raised();
    stage.neighbours.mandates.doubted.add(mandate.id);
    await stage.orderBecomes(order, 'submitted');
    await stage.untilRows('SELECT 1 FROM debits WHERE notice_begun_at IS NOT NULL');
    await stage.pass(5_000);
    expect(bank().notices).toEqual([]);
    stage.neighbours.mandates.doubted.clear();
    await stage.pass(30_000);
    await noticeOut();
    expect(bank().notices).toHaveLength(1);
    expect((await stage.get(id)).status).toBe('PENDING');
  });

  it('given a mandate in doubt for a day, then the debit fails before its notice', async () => {
    const id = await raised();
    stage.neighbours.mandates.doubted.add(mandate.id);
    await stage.orderBecomes(order, 'submitted');
    await stage.untilRows('SELECT 1 FROM debits WHERE notice_begun_at IS NOT NULL');
    for (const hours of [12, 11]) {
      await stage.pass(hours * 3_600_000);
      await stage.pass(0);
    }
    expect((await stage.get(id)).status).toBe('PENDING');
    await stage.pass(2 * 3_600_000);
    const payment = await stage.until(id, ({ status }) => status === 'FAILED');
    expect([payment.failure_code, bank().notices]).toEqual(['pg_timeout', []]);
  });

  it('given a mandate in doubt at the execution, then the same attempt is made after the doubt is resolved', async () => {
    const id = await raised();
    await stage.orderBecomes(order, 'submitted');
    await noticeOut();
    stage.neighbours.mandates.doubted.add(mandate.id);
    await passUntil('2026-12-22', '13:00');
    await stage.untilRows('SELECT 1 FROM debit_attempts');
    for (const ms of [5_000, 30_000, 5_000]) await stage.pass(ms);
    expect(bank().executed).toEqual([]);
    stage.neighbours.mandates.doubted.clear();
    await stage.pass(40_000);
    await stage.until(id, ({ status }) => status === 'SUBMITTED');
    expect(bank().executed).toMatchObject([{ attempt: 1 }]);
  });

  it('given a mandate that ends before the planned day, then the debit fails before its notice', async () => {
    mandate.valid_to = '2026-12-22';
    const id = await raised();
    stage.clock.advance(24 * 3_600_000);
    await stage.orderBecomes(order, 'submitted');
    const payment = await stage.until(id, ({ status }) => status === 'FAILED');
    expect(payment.failure_code).toBe('mandate_cancelled');
    expect(bank().notices).toEqual([]);
    await waitFor(() => stage.neighbours.mandates.open.size === 0);
  });
});
