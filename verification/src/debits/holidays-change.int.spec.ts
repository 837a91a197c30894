import { istInstant } from '@fundrail/contracts';
import { waitFor } from '@fundrail/testing';
import { DebitPlay, no } from '../testing/debits/debit-play.ts';
import { SILENCE } from '@fundrail/payments/testing';

/** The clock stands at Monday 2026-12-21 10:00 IST. */
describe('debits after a change of the holiday list', () => {
  let play: DebitPlay;
  let replaced = 0;
  beforeEach(async () => {
    play = await DebitPlay.start();
    replaced = 0;
  });
  afterEach(() => play.stop());

  const replace = async (...dates: readonly string[]) => {
    const year = { object: 'holiday_year', year: 2026, dates, source: 'a test', plans_moved: 0 };
    const object = { ...year, replaced_at: '2026-12-21T10:00:00.000+05:30' };
    const event = { about: 'holiday_year_2026', sequence: (replaced += 1) };
    await play.stage.consume('holiday_year.replaced', object, event);
    // Lets the work that follows the list finish.
    await play.stage.pass(0);
  };
  /** Until when the debit waits for its order. */
  const waits = async () => {
    const kind = 'debit.unconfirmed';
    const rows = await play.stage.rows<{ due_at: Date }>('SELECT due_at FROM due_work WHERE kind = $1', kind);
    return rows[0]?.due_at ?? null;
  };
  const updates = async (id: number) =>
    (await play.stage.events(id)).filter((type) => type === 'payment.updated').length;

  describe('that wait for the confirmation of their order', () => {
    it('wait two days longer for two holidays that are added later, and one day less for one that is removed (CONV-35)', async () => {
      await replace('2026-12-25');
      await play.raised();
      expect(await waits()).toEqual(istInstant('2027-01-01'));
      await replace('2026-12-22', '2026-12-23', '2026-12-25');
      expect(await waits()).toEqual(istInstant('2027-01-05'));
      await replace('2026-12-23', '2026-12-25');
      expect(await waits()).toEqual(istInstant('2027-01-04'));
    });

    it('end immediately when their day is over according to the new list, and not before', async () => {
      await replace('2026-12-22', '2026-12-23', '2026-12-25');
      const id = await play.raised();
      await play.passUntil('2027-01-02 00:00');
      expect((await play.stage.get(id)).status).toBe('PENDING');
      await replace();
      expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'payment_expired' });
    });
  });

  describe('of an e-mandate, planned for a day', () => {
    beforeEach(async () => {
      play.mandate = await play.anApproved({ mandate_type: 'E_MANDATE' });
    });
    const planned = async () => {
      const id = await play.raised();
      await play.stage.orderBecomes(play.order, 'submitted');
      await play.untilRows("SELECT 1 FROM mandate_debits WHERE state = 'planned'");
      return id;
    };

    it('that becomes a holiday, then the next business day is published to the client, and nothing is debited before it', async () => {
      const id = await planned();
      const before = await updates(id);
      await replace('2026-12-22', '2026-12-23', '2026-12-25');
      expect((await play.stage.get(id)).debit_date).toBe('2026-12-24');
      expect(await updates(id)).toBe(before + 1);
      await play.passUntil('2026-12-22 10:00');
      await play.passUntil('2026-12-24 09:59');
      await play.stage.pass(0);
      expect(play.bank.executed).toEqual([]);
      expect(await updates(id)).toBe(before + 1);
      await play.passUntil('2026-12-24 10:00');
      await waitFor(() => play.bank.executed.length === 1);
    });

    it('that is no longer a holiday, then they are planned for it, and other changes of the list change nothing', async () => {
      await replace('2026-12-22', '2026-12-25');
      const id = await planned();
      expect((await play.stage.get(id)).debit_date).toBe('2026-12-23');
      const before = await updates(id);
      await replace('2026-12-22', '2026-12-24', '2026-12-25');
      expect([await updates(id), (await play.stage.get(id)).debit_date]).toEqual([before, '2026-12-23']);
      await replace('2026-12-25');
      expect((await play.stage.get(id)).debit_date).toBe('2026-12-22');
    });

    it('and a list that changes twice, each published twice, then each new day is published once', async () => {
      const id = await planned();
      const before = await updates(id);
      for (let times = 0; times < 2; times += 1) await replace('2026-12-22', '2026-12-25');
      for (let times = 0; times < 2; times += 1) await replace('2026-12-22', '2026-12-23', '2026-12-25');
      expect(await updates(id)).toBe(before + 2);
    });

    it.each([
      ['refused', no('insufficient_funds')],
      ['open', SILENCE],
    ])(
      'and an attempt that is %s, then its days do not change: NACH runs on every day',
      async (_, answer) => {
        play.bank.onExecute.set(answer);
        const id = await planned();
        await play.passUntil('2026-12-22 10:00');
        await waitFor(() => play.bank.executed.length === 1);
        if (answer.kind === 'no')
          await play.untilRows('SELECT 1 FROM debit_attempts WHERE ended_at IS NOT NULL');
        const { debit_date } = await play.stage.get(id);
        await replace('2026-12-22', '2026-12-23', '2026-12-24', '2026-12-25');
        expect((await play.stage.get(id)).debit_date).toBe(debit_date);
      },
    );
  });

  it('of UPI Autopay, then the day in the notice stays, also when it becomes a holiday', async () => {
    const id = await play.notified();
    await replace('2026-12-22', '2026-12-25');
    expect((await play.stage.get(id)).debit_date).toBe('2026-12-22');
    await play.passUntil('2026-12-22 13:00');
    await waitFor(() => play.bank.executed.length === 1);
    expect(play.bank.notices).toHaveLength(1);
  });
});
