import { aDebit, anApprovedMandate, anAttempt, NOW } from '../testing/mandate.builder.ts';
import { RULES } from '../testing/debit-rules.ts';
import { beginAttempt, putOffAttempt } from './attempt.ts';
import type { AttemptRow, Debit } from './debit.table.ts';

const minutesLater = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
const mandate = anApprovedMandate();
const attempt = anAttempt();
const debitWith = (row: AttemptRow): Debit =>
  aDebit({
    ...{ state: 'attempting', execute_at: NOW, notice_begun_at: minutesLater(-1500), attempts: [row] },
    ...{ notified_at: minutesLater(-1500), notice_reference: 'n', notice_proof: 'p', notice_execute_at: NOW },
  });

describe('a postponed attempt', () => {
  const from = minutesLater(1);
  const putOffOf = (debit: Debit) =>
    putOffAttempt({ debit, mandate }, attempt, { rules: RULES, now: NOW }, from);
  const putOff = (row: AttemptRow) => putOffOf(debitWith(row)).debit.attempts;

  it('does not count: the next one has its number', () => {
    expect(putOff(attempt)).toEqual([]);
    expect(putOffOf(debitWith(attempt)).debit.state).toBe('planned');
  });

  it.each(['mandate_cancelled', 'payment_failed'] as const)(
    'ends its debit immediately when it was stopped meanwhile, with %s',
    (code) => {
      const { debit: after, due } = putOffOf({ ...debitWith(attempt), stop_code: code });
      expect(after).toMatchObject({ state: 'failed', failure_code: code, attempts: [] });
      expect(due.map(({ kind }) => kind)).toContain('debit.withdraw');
    },
  );

  it.each([
    ['was accepted by the provider meanwhile', { ...attempt, state: 'accepted', accepted_at: NOW } as const],
    ['has ended meanwhile', { ...attempt, state: 'unreceived', ended_at: NOW } as const],
    ['was sent before, so that an earlier call may have arrived', { ...attempt, called_at: minutesLater(1) }],
    ['was started again meanwhile, under the same number', { ...attempt, started_at: minutesLater(1) }],
  ])('stays when it is one that %s', (_what, row) => {
    expect(putOff(row)).toEqual([row]);
  });
});

describe('a planned attempt', () => {
  const ended = { ...attempt, state: 'failed', ended_at: NOW, failure_code: 'insufficient_funds' } as const;
  const begin = (mostAttempts: number) =>
    beginAttempt(
      { debit: { ...debitWith(ended), state: 'planned' }, mandate },
      { rules: { ...RULES, mostAttempts }, now: NOW },
    ).debit;

  it('is not made when the rule of this moment allows fewer than that of its planning (POL-5)', () => {
    expect(begin(2)).toMatchObject({ state: 'planned', attempts: [ended] });
    expect(begin(1)).toMatchObject({
      state: 'failed',
      failure_code: 'insufficient_funds',
      attempts: [ended],
    });
  });
});
