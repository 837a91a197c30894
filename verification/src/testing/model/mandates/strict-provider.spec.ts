import { Decimal } from '@fundrail/contracts';
import type { ProviderDebit } from '@fundrail/providers';
import { attempt, DEBIT, DUE_AT, EVENING, ID, ofEmandate, PlayedDebit, NOTIFIED_AT } from './played-debit.ts';

type Act = (played: PlayedDebit) => Promise<void> | void;
const notifiedThen =
  (time: string, debit: ProviderDebit = DEBIT): Act =>
  async (played) => {
    await played.notify();
    played.at(time);
    await played.execute(debit);
  };

const emandateAt =
  (admitted: string, time: string): Act =>
  async (played) => {
    played.world.admissions.set(ID, new Date(admitted));
    played.at(time);
    await played.execute(ofEmandate(DEBIT));
  };

/** Breaches of the rules, and the fault that has to be reported. */
const BREACHES: readonly (readonly [string, Act])[] = [
  [
    'is notified less than 24 hours before',
    (played) => {
      played.at('2026-12-21T13:00:00.001+05:30');
      return played.notify();
    },
  ],
  [
    'is notified again with another amount',
    async (played) => {
      await played.notify();
      await played.notify({ ...DEBIT, amount: Decimal.parse('1000.01') });
    },
  ],
  [
    'is made within 24 hours of its notice',
    async (played) => {
      played.at('2026-12-21T13:00:00+05:30');
      await notifiedThen('2026-12-22T12:59:59.999+05:30')(played);
    },
  ],
  [
    'is made before the time in the notice',
    async (played) => {
      played.at('2026-12-21T08:00:00+05:30');
      await notifiedThen('2026-12-22T09:00:00+05:30')(played);
    },
  ],
  ['is made on another day', notifiedThen('2026-12-23T13:00:00+05:30')],
  ['is of another amount', notifiedThen(DUE_AT, { ...DEBIT, amount: Decimal.parse('999.99') })],
  ['is made in the peak hours', notifiedThen('2026-12-22T17:00:00+05:30')],
  ['is above the limit', notifiedThen(DUE_AT, { ...DEBIT, amount: Decimal.parse('5000.01') })],
  [
    'is outside of the validity',
    async (played) => {
      played.at('2026-12-31T10:00:00+05:30');
      await played.notify({ ...DEBIT, execute_at: new Date('2027-01-01T13:00:00+05:30') });
      played.at('2027-01-01T13:00:00+05:30');
      await played.execute();
    },
  ],
  [
    'has no notice',
    (played) => {
      played.at(DUE_AT);
      return played.execute();
    },
  ],
  [
    'is made on a notice that was taken back',
    async (played) => {
      await played.notify();
      await played.provider.withdrawNotice(DEBIT);
      played.at(DUE_AT);
      await played.execute();
    },
  ],
  [
    'is made on a notice that did not arrive',
    async (played) => {
      await played.notify();
      for (const notice of played.world.notices.values()) notice.failed = true;
      played.at(DUE_AT);
      await played.execute();
    },
  ],
  [
    'is of a mandate that was never authorised',
    (played) => {
      played.world.tokens.clear();
      return played.notify();
    },
  ],
  [
    'was sent after CANCELLED was reported to the caller',
    async (played) => {
      await played.notify();
      played.world.book.close(9, 'CANCELLED', []);
      played.at(DUE_AT);
      await played.execute();
      played.world.book.judge(9, 0);
    },
  ],
  [
    'is made while attempt 1 is open',
    async (played) => {
      await played.tried(null);
      played.at(EVENING);
      await played.execute(attempt(2));
    },
  ],
  [
    'is made while P1A1 is on its way',
    async (played) => {
      played.world.isSlow = true;
      await played.tried(null);
      played.at(EVENING);
      await played.execute(attempt(2));
    },
  ],
  [
    'is made while the outcome of P1A1 is unknown',
    async (played) => {
      await played.unanswered();
      played.at(EVENING);
      await played.execute(attempt(2));
    },
  ],
  [
    'is made after investor_bank_declined',
    async (played) => {
      await played.tried('investor_bank_declined');
      played.at(EVENING);
      await played.execute(attempt(2));
    },
  ],
  [
    'is made again in the same window',
    async (played) => {
      await played.tried('insufficient_funds');
      played.at('2026-12-22T16:59:59+05:30');
      await played.execute(attempt(2));
    },
  ],
  ['is one attempt too many', notifiedThen(DUE_AT, attempt(5))],
  [
    'comes after attempt 2',
    async (played) => {
      await played.notify();
      played.at(DUE_AT);
      await played.execute(attempt(2));
      await played.execute(attempt(1));
    },
  ],
  [
    'is sent again without a query whether it arrived',
    async (played) => {
      played.world.mood = 'silent';
      await played.tried(null);
      await played.provider.debitStatus(DEBIT);
      await played.execute();
    },
  ],
  ['was never admitted', (played) => played.execute(ofEmandate(DEBIT))],
  ['on the day of its admission', emandateAt('2026-12-22T00:00:00+05:30', DUE_AT)],
  ['before 10:00', emandateAt(NOTIFIED_AT, '2026-12-22T09:59:59+05:30')],
  ['on a holiday', emandateAt('2026-12-24T10:00:00+05:30', '2026-12-25T10:00:00+05:30')],
  [
    'after its days of retries',
    async (played) => {
      played.world.refusal = 'insufficient_funds';
      await emandateAt(NOTIFIED_AT, DUE_AT)(played);
      played.at('2026-12-25T10:00:00+05:30');
      await played.execute(ofEmandate(attempt(2)));
    },
  ],
];

/** Debits that keep every rule. */
const KEPT: readonly (readonly [string, Act])[] = [
  ['in the 24th hour after its notice, on the day in the notice', notifiedThen(DUE_AT)],
  [
    'again in a later window after an empty account',
    async (played) => {
      await played.tried('insufficient_funds');
      played.at(EVENING);
      await played.execute(attempt(2));
    },
  ],
  [
    'again on a holiday, when the call of its business day never arrived',
    async (played) => {
      played.world.mood = 'silent';
      await emandateAt('2026-12-23T10:00:00+05:30', '2026-12-24T10:00:00+05:30')(played);
      played.world.mood = 'well';
      await played.provider.debitStatus(ofEmandate(DEBIT));
      played.at('2026-12-25T10:00:00+05:30');
      await played.execute(ofEmandate(DEBIT));
    },
  ],
  [
    'again under its reference, after the provider has answered that it does not know it',
    async (played) => {
      await played.unanswered();
      await played.provider.debitStatus(DEBIT);
      await played.execute();
    },
  ],
  ['an e-mandate on the next business day', emandateAt(NOTIFIED_AT, '2026-12-22T10:00:00+05:30')],
];

describe('the provider that checks each call against the rules', () => {
  it.each(BREACHES)(
    'given a breach of one, when it is called, then it is reported: %s',
    async (says, act) => {
      const played = new PlayedDebit();
      await act(played);
      expect(played.world.broken.filter((fault) => fault.includes(says))).not.toEqual([]);
    },
  );

  it.each(KEPT)(
    'given a debit that keeps them, when it is executed %s, then nothing is reported',
    async (_, act) => {
      const played = new PlayedDebit();
      await act(played);
      expect(played.world.broken).toEqual([]);
    },
  );
});
