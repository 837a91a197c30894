import { DebitPlay } from '../testing/debits/debit-play.ts';

/** The clock stands at 2026-12-21 10:00 IST; the first execution is planned for 2026-12-22 13:00. */
describe('a debit whose mandate allows no call for now', () => {
  let play: DebitPlay;
  beforeEach(async () => {
    play = await DebitPlay.start();
  });
  afterEach(() => play.stop());

  it('given a mandate in doubt, then a debit is refused with 503, the order is free, and the next request is accepted', async () => {
    await play.doubt(true);
    const refused = await play.stage.debit(play.mandate.id, play.order);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
    expect(play.order.claimed_by).toBeNull();
    await play.doubt(false);
    expect((await play.stage.debit(play.mandate.id, play.order)).status).toBe(200);
  });

  it('given a mandate in doubt, then the notice waits until the doubt is resolved', async () => {
    const id = await play.raised();
    await play.doubt(true);
    await play.stage.orderBecomes(play.order, 'submitted');
    await play.untilRows('SELECT 1 FROM mandate_debits WHERE notice_begun_at IS NOT NULL');
    await play.stage.pass(5_000);
    expect(play.bank.notices).toEqual([]);
    await play.doubt(false);
    await play.stage.pass(30_000);
    await play.untilRows('SELECT 1 FROM mandate_debits WHERE notified_at IS NOT NULL');
    expect(play.bank.notices).toHaveLength(1);
    expect((await play.stage.get(id)).status).toBe('PENDING');
  });

  it('given a mandate in doubt for a day, then the debit fails before its notice', async () => {
    const id = await play.raised();
    await play.doubt(true);
    await play.stage.orderBecomes(play.order, 'submitted');
    await play.untilRows('SELECT 1 FROM mandate_debits WHERE notice_begun_at IS NOT NULL');
    for (const hours of [12, 11]) {
      await play.stage.pass(hours * 3_600_000);
      await play.stage.pass(0);
    }
    expect((await play.stage.get(id)).status).toBe('PENDING');
    await play.stage.pass(2 * 3_600_000);
    const payment = await play.stage.until(id, ({ status }) => status === 'FAILED');
    expect([payment.failure_code, play.bank.notices]).toEqual(['pg_timeout', []]);
  });

  it('given a mandate in doubt at the execution, then the same attempt is made after the doubt is resolved', async () => {
    const id = await play.raised();
    await play.stage.orderBecomes(play.order, 'submitted');
    await play.untilRows('SELECT 1 FROM mandate_debits WHERE notified_at IS NOT NULL');
    await play.doubt(true);
    await play.passUntil('2026-12-22 13:00');
    for (const ms of [5_000, 30_000, 5_000]) await play.stage.pass(ms);
    expect(play.bank.executed).toEqual([]);
    await play.doubt(false);
    await play.stage.pass(40_000);
    await play.stage.until(id, ({ status }) => status === 'SUBMITTED');
    expect(play.bank.executed).toMatchObject([{ attempt: 1 }]);
  });

  it('given a mandate that ends before the planned day, then the debit fails before its notice', async () => {
    await play.rows(`UPDATE mandates SET valid_to = '2026-12-22' WHERE id = $1`, play.mandate.id);
    const id = await play.raised();
    play.stage.clock.advance(24 * 3_600_000);
    await play.stage.orderBecomes(play.order, 'submitted');
    const payment = await play.stage.until(id, ({ status }) => status === 'FAILED');
    expect(payment.failure_code).toBe('mandate_cancelled');
    expect(play.bank.notices).toEqual([]);
  });
});
