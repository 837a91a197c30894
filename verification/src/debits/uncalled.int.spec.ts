import { istDate } from '@fundrail/contracts';
import { NOT_FOUND } from '@fundrail/payments/testing';
import { waitFor } from '@fundrail/testing';
import { DebitPlay, HOUR_MS } from '../testing/debits/debit-play.ts';

const MINUTE_MS = 60_000;

/** Debits with a notice for 2026-12-22 23:56 IST: four minutes later that day is over. */
describe('an attempt whose call cannot be made', () => {
  let play: DebitPlay;
  beforeEach(async () => {
    play = await DebitPlay.start();
    play.bank.onDebitStatus.set(NOT_FOUND);
  });
  afterEach(() => play.stop());

  /** Notified 25 hours before. */
  const notified = async () => {
    await play.passUntil('2026-12-21 22:56');
    return play.notified();
  };
  const due = () => play.passUntil('2026-12-22 23:56');
  const passing = async (...pauses: readonly number[]) => {
    for (const ms of pauses) {
      await play.stage.pass(ms);
      await play.stage.pass(0);
    }
  };

  it('given a mandate that is in doubt for a moment, then it is made a little later on the day in the notice', async () => {
    const id = await notified();
    await play.doubt(true);
    await due();
    await passing(5_000);
    expect([await play.attempts(id), play.bank.executed]).toEqual([[], []]);
    await play.doubt(false);
    await passing(30_000);
    await play.status(id, 'SUBMITTED');
    expect(istDate(play.stage.clock.now())).toBe('2026-12-22');
    expect(play.bank.executed).toMatchObject([{ attempt: 1 }]);
    expect(play.bank.statusQueries).toEqual([]);
  });

  it('given a mandate that is in doubt until the day is over, then a notice with another day is sent', async () => {
    const id = await notified();
    await play.doubt(true);
    await due();
    await passing(...Array.from({ length: 14 }, () => 30_000));
    expect(await play.row(id)).toMatchObject({ notice_number: 2 });
    await play.doubt(false);
    await passing(5 * MINUTE_MS);
    await waitFor(() => play.bank.notices.length === 2);
    expect(play.bank.executed).toEqual([]);
    await play.untilRows('SELECT 1 FROM mandate_debits WHERE notice_number = 2 AND notified_at IS NOT NULL');
    await play.stage.pass(26 * HOUR_MS);
    await play.status(id, 'SUBMITTED');
    expect(play.bank.executed).toMatchObject([{ attempt: 1 }]);
  });

  it('given identity does not return the investor’s contact data, then the provider is not called, and it is made later', async () => {
    play.mandate = await play.anApproved({ provider_name: 'SDKVENDOR' });
    const id = await notified();
    play.stage.neighbours.silent.add('identity');
    await due();
    await play.untilRows(
      `SELECT 1 FROM due_work WHERE kind LIKE 'debit.execute%' AND due_at > '2026-12-22T23:56:00+05:30'`,
    );
    expect([await play.attempts(id), play.bank.executed]).toEqual([[], []]);
    play.stage.neighbours.silent.clear();
    await passing(30_000);
    await play.status(id, 'SUBMITTED');
  });
});
