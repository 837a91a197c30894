import { waitFor, yes } from '@fundrail/testing';
import { DebitPlay, failed, HOUR_MS } from '../testing/debits/debit-play.ts';
import { NOT_FOUND, SILENCE } from '@fundrail/payments/testing';
import { capturedAs, rupees } from '@fundrail/payments/testing';

const DAY_MS = 24 * HOUR_MS;
const once = capturedAs('pay_1', '5000');
const twice = {
  ...once,
  others: [{ provider_reference: 'pay_2', amount: rupees('5000'), currency: 'INR' }],
};

describe('status queries of a debit after its result', () => {
  let play: DebitPlay;
  beforeEach(async () => {
    play = await DebitPlay.start();
  });
  afterEach(() => play.stop());

  const reasons = async (id: number) => (await play.stage.get(id)).refunds.map(({ reason }) => reason);

  describe('at a provider that may process an attempt twice', () => {
    beforeEach(async () => {
      play.mandate = await play.anApproved({ provider_name: 'SDKVENDOR' });
    });

    it('given both captures are reported together, then the second goes back', async () => {
      const id = await play.executed();
      play.bank.onDebitStatus.set(yes(twice));
      await play.stage.pass(90_000);
      await waitFor(async () => (await reasons(id)).length > 0);
      expect(await reasons(id)).toEqual(['duplicate_payment']);
      expect((await play.stage.events(id)).filter((type) => type === 'payment.success')).toHaveLength(1);
    });

    it.each([
      ['36 hours', 36 * HOUR_MS],
      ['three days', 3 * DAY_MS],
    ])(
      'given the second capture comes late, then it is found after %s, and goes back',
      async (_what, after) => {
        const id = await play.executed();
        await play.reportAttempt(id, 1, once);
        play.bank.onDebitStatus.set(yes(once));
        await play.stage.pass(90_000);
        await play.stage.pass(0);
        if (after > 36 * HOUR_MS) {
          await play.stage.pass(36 * HOUR_MS);
          await waitFor(() => play.bank.onDebitStatus.calls === 1);
        }
        expect(await reasons(id)).toEqual([]);
        play.bank.onDebitStatus.set(yes(twice));
        await play.stage.pass(after);
        await waitFor(async () => (await reasons(id)).includes('duplicate_payment'));
      },
    );

    it('are made only twice', async () => {
      const id = await play.executed();
      await play.reportAttempt(id, 1, once);
      play.bank.onDebitStatus.set(yes(once));
      for (const ms of [90_000, 36 * HOUR_MS, 2 * DAY_MS, 3 * DAY_MS]) {
        await play.stage.pass(ms);
        await play.stage.pass(0);
      }
      expect(play.bank.onDebitStatus.calls).toBe(2);
      expect(await play.dueAt('debit.status')).toBeNull();
    });
  });

  it('are not made at other providers once it is paid', async () => {
    const id = await play.executed();
    await play.reportAttempt(id, 1, once);
    await play.stage.pass(90_000);
    await play.stage.pass(0);
    expect([play.bank.statusQueries.length, await play.dueAt('debit.status')]).toEqual([0, null]);
  });

  it('given it FAILED, then every attempt is queried, and once more after three days', async () => {
    const id = await play.executed();
    await play.reportAttempt(id, 1, failed('insufficient_funds'));
    await play.passUntil('2026-12-22 21:30');
    await waitFor(() => play.bank.executed.length === 2);
    await play.reportAttempt(id, 2, failed('invalid_bank_account'));
    await play.status(id, 'FAILED');
    play.bank.onDebitStatus.set(SILENCE);
    await play.stage.pass(3 * DAY_MS - 1_000);
    await play.stage.pass(0);
    play.bank.debitStatus = (debit) =>
      Promise.resolve(debit.attempt === 1 ? yes(once) : yes(failed('invalid_bank_account')));
    await play.stage.pass(HOUR_MS);
    await play.stage.until(id, ({ late_auth }) => late_auth);
    expect(await reasons(id)).toEqual(['late_authorization']);
    await waitFor(async () => (await play.dueAt('debit.status')) === null);
  });

  describe('given an execution that the provider does not know', () => {
    it('for a day, then it is given up, and its status is still queried', async () => {
      play.bank.onExecute.set(SILENCE);
      play.bank.onDebitStatus.set(NOT_FOUND);
      const id = await play.executed();
      // The day in its notice is over at midnight.
      for (let hours = 0; hours < 12; hours += 1) await play.stage.pass(HOUR_MS);
      expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'pg_timeout' });
      expect(await play.attempts(id)).toMatchObject([{ state: 'unreceived' }]);
      await waitFor(() => play.bank.withdrawn.length === 1);
      play.bank.onDebitStatus.set(yes(once));
      await play.stage.pass(HOUR_MS);
      await play.stage.until(id, ({ late_auth }) => late_auth);
    });

    it('and a mandate that it does not know, then the status of the mandate decides', async () => {
      play.bank.onExecute.set(NOT_FOUND);
      play.bank.onDebitStatus.set(NOT_FOUND);
      play.bank.onMandateStatus.set(NOT_FOUND);
      const id = await play.executed();
      await play.stage.pass(90_000);
      expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'mandate_cancelled' });
    });

    it('while it does not answer, then the debit does not fail: unknown is not failed', async () => {
      play.bank.onExecute.set(SILENCE);
      play.bank.onDebitStatus.set(SILENCE);
      const id = await play.executed();
      for (let days = 0; days < 10; days += 1) await play.stage.pass(DAY_MS);
      expect((await play.stage.get(id)).status).toBe('PENDING');
      expect(play.bank.executed).toHaveLength(1);
    });
  });
});
