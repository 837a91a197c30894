import { istDate } from '@fundrail/contracts';
import { waitFor } from '@fundrail/testing';
import { DebitPlay, HOUR_MS } from '../testing/debit-play.ts';
import { NOT_FOUND } from '../testing/fake-provider.ts';

const MINUTE_MS = 60_000;

/** Debits with a notice for 2026-12-22 23:56 IST: four minutes later that day is over. */
describe('an attempt without a permit for its call', () => {
  let play: DebitPlay;
  beforeEach(async () => {
    play = await DebitPlay.start();
    play.bank.onDebitStatus.set(NOT_FOUND);
  });
  afterEach(() => play.end());

  const mandates = () => play.stage.neighbours.mandates;
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
  /** A notice with another day is sent, and the debit is made then. */
  const isNotifiedAgain = async (id: number) => {
    await waitFor(() => play.bank.notices.length === 2);
    expect(play.bank.executed).toEqual([]);
    await play.stage.untilRows('SELECT 1 FROM debits WHERE notice_number = 2 AND notified_at IS NOT NULL');
    await play.stage.pass(26 * HOUR_MS);
    await play.status(id, 'SUBMITTED');
    expect(play.bank.executed).toMatchObject([{ attempt: 1 }]);
    await waitFor(() => mandates().open.size === 1);
  };

  it('given mandates gives no answer for a moment, then it is made a little later on the day in the notice', async () => {
    const id = await notified();
    mandates().loses.add('permits/batch');
    await due();
    await play.stage.untilRows('SELECT 1 FROM debit_attempts WHERE uncalled');
    expect(mandates().open.size).toBe(1);
    mandates().loses.clear();
    await passing(5_000);
    // A permit that was granted in a lost answer is closed, so that a cancellation reports nothing in flight.
    expect([mandates().open.size, (await play.attempts(id)).length]).toEqual([0, 0]);
    await play.stage.pass(30_000);
    await play.status(id, 'SUBMITTED');
    expect(istDate(play.stage.clock.now())).toBe('2026-12-22');
    expect(play.bank.executed).toMatchObject([{ attempt: 1 }]);
    expect(play.bank.statusQueries).toEqual([]);
  });

  it('given mandates gives no answer until the day is over, then a notice with another day is sent', async () => {
    const id = await notified();
    for (const path of ['permits/batch', 'permits/close']) mandates().loses.add(path);
    await due();
    await play.stage.untilRows('SELECT 1 FROM debit_attempts WHERE uncalled');
    await passing(5_000, 30_000);
    mandates().loses.clear();
    await passing(5 * MINUTE_MS, 5 * MINUTE_MS);
    await isNotifiedAgain(id);
  });

  it('given a mandate that is in doubt until the day is over, then a notice with another day is sent', async () => {
    const id = await notified();
    mandates().doubted.add(play.mandate.id);
    let requests = 0;
    mandates().beforePermit = ({ step }) => {
      if (step === 'execute') requests += 1;
      return Promise.resolve();
    };
    await due();
    await play.stage.untilRows('SELECT 1 FROM debit_attempts WHERE uncalled');
    await passing(5_000, ...Array.from({ length: 14 }, () => 30_000));
    // The pauses get longer, instead of one every half minute.
    expect(requests).toBeLessThan(6);
    expect(await play.row(id)).toMatchObject({ notice_number: 2 });
    mandates().doubted.clear();
    await passing(5 * MINUTE_MS);
    await isNotifiedAgain(id);
  });

  it('given identity does not return the investor’s contact data, then neither mandates nor the provider is called, and it is made later', async () => {
    play.mandate = mandates().anApproved({ provider_name: 'SDKVENDOR' });
    const id = await notified();
    const { granted } = mandates();
    const before = granted.length;
    play.stage.neighbours.silent.add('identity');
    await due();
    await play.stage.untilRows('SELECT 1 FROM debit_attempts WHERE uncalled');
    expect([granted.length, play.bank.executed.length]).toEqual([before, 0]);
    play.stage.neighbours.silent.clear();
    await passing(5_000, 30_000);
    await play.status(id, 'SUBMITTED');
  });
});
