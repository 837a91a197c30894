import { paymentReference } from '@fundrail/providers';
import { waitFor } from '@fundrail/testing';
import { DebitPlay, failed, HOUR_MS, QUESTIONS_MS } from '../testing/debits/debit-play.ts';
import { NONSENSE, NOT_FOUND, SILENCE } from '@fundrail/payments/testing';
import { capturedAs } from '@fundrail/payments/testing';

const YES = { kind: 'yes', value: null } as const;

/** The clock stands at 2026-12-21 10:00 IST; the first execution is planned for 2026-12-22 13:00. */
describe('an execution that is sent again', () => {
  let play: DebitPlay;
  const start = async (env?: Readonly<Record<string, string>>) => {
    play = await DebitPlay.start(env);
  };
  afterEach(() => play.stop());

  /** Waits until the status was queried again and the answer was processed. */
  const queried = async (afterMs: number) => {
    const { calls } = play.bank.onDebitStatus;
    await play.stage.pass(afterMs);
    await waitFor(() => play.bank.onDebitStatus.calls > calls);
    await play.stage.pass(0);
  };

  /** The same, because the provider has reported something that does not contain the status. */
  const reported = async (id: number, afterMs: number) => {
    const { calls } = play.bank.onDebitStatus;
    await play.stage.pass(afterMs);
    await play.stage.report({ reference: paymentReference(id), fact: null });
    await waitFor(() => play.bank.onDebitStatus.calls > calls);
    await play.stage.pass(0);
  };

  it('in a later window, is not sent once more within a minute: its own call may be under way', async () => {
    await start();
    play.bank.onExecute.set(SILENCE);
    play.bank.onDebitStatus.set(SILENCE, SILENCE, SILENCE, SILENCE, SILENCE, SILENCE, NOT_FOUND);
    const id = await play.executed();
    for (const ms of [...QUESTIONS_MS, HOUR_MS, HOUR_MS, HOUR_MS]) await queried(ms);
    await play.passUntil('2026-12-22 21:30');
    await waitFor(() => play.bank.executed.length === 2);
    for (const ms of [5_000, 30_000]) await reported(id, ms);
    expect(play.bank.executed).toHaveLength(2);
    await reported(id, 300_000);
    expect(play.bank.executed).toHaveLength(3);
  });

  it('is sent once, even if another worker takes the same work meanwhile', async () => {
    // The other worker must end within its own lease, on a busy machine too.
    await start({ DUE_LEASE_MS: '2000' });
    play.bank.onExecute.set(SILENCE, YES);
    play.bank.onDebitStatus.set(NOT_FOUND);
    const id = await play.executed();
    const answered = Promise.withResolvers<void>();
    play.bank.beforeAnswer = () => answered.promise;
    const { calls } = play.bank.onDebitStatus;
    try {
      await play.stage.pass(90_000);
      await waitFor(() => play.bank.executed.length === 2);
      // One query by the worker whose call is under way, one by the other.
      await waitFor(() => play.bank.onDebitStatus.calls >= calls + 2);
      await waitFor(async () => (await play.dueAt('debit.status'))! > play.stage.clock.now());
      expect(play.bank.executed).toHaveLength(2);
    } finally {
      answered.resolve();
    }
    await play.status(id, 'SUBMITTED');
    expect(play.bank.executed).toHaveLength(2);
  });

  describe('at a provider where an attempt recorded as failed can bring its money late', () => {
    /** A second attempt with an unusable answer of the provider. */
    const second = async () => {
      await start();
      play.mandate = await play.anApproved({ provider_name: 'SDKVENDOR' });
      const id = await play.executed();
      await play.reportAttempt(id, 1, failed('insufficient_funds'));
      play.bank.onExecute.set(NONSENSE);
      await play.passUntil('2026-12-22 21:30');
      await waitFor(() => play.bank.executed.length === 2);
      return id;
    };
    const answers = (first: 'captured' | 'silent') => {
      play.bank.debitStatus = (debit) => {
        play.bank.statusQueries.push(debit);
        if (debit.attempt === 2) return Promise.resolve(NOT_FOUND);
        return Promise.resolve(
          first === 'silent' ? SILENCE : { kind: 'yes', value: capturedAs('pay_1', '5000') },
        );
      };
    };

    it('given the first one did, then the payment succeeds, and nothing is sent or refunded', async () => {
      const id = await second();
      answers('captured');
      await play.stage.pass(90_000);
      await play.stage.until(id, ({ status }) => status === 'SUCCESS' || status === 'INITIATED');
      await play.stage.pass(60_000);
      await play.stage.pass(300_000);
      await play.untilRows('SELECT 1 FROM debit_attempts WHERE number = 2 AND ended_at IS NOT NULL');
      expect(play.bank.executed).toHaveLength(2);
      expect((await play.stage.get(id)).refunds).toEqual([]);
    });

    it('given no answer about the first one, then none is sent', async () => {
      await second();
      answers('silent');
      for (const ms of QUESTIONS_MS.slice(0, 2)) {
        await play.stage.pass(ms);
        await play.stage.pass(0);
      }
      expect(play.bank.statusQueries.length).toBeGreaterThan(2);
      expect(play.bank.executed).toHaveLength(2);
    });
  });
});
