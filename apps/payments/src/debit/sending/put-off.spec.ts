import { aPayment, minutesLater, NOW } from '../../testing/payments.builder.ts';
import { RULES } from '../../testing/debit-rules.ts';
import type { OrderStates } from '../../payment/orders-of-payment.ts';
import type { AttemptRow, Debit } from '../debit.tables.ts';
import { attemptUncalled, putOffAttempt } from './put-off.ts';

const payment = aPayment({ payment_type: 'NACH', status: 'PENDING' });
const attempt: AttemptRow = {
  ...{ payment_id: payment.id, number: 1, tenant: 'demo', reference: 'P000000001001A1', started_at: NOW },
  ...{ called_at: null, uncalled: false, accepted_at: null, ended_at: null, failure_code: null, never: null },
};
const debitWith = (row: AttemptRow): Debit => ({
  ...{ payment_id: payment.id, tenant: 'demo', mandate_id: 501, mandate_type: 'UPI', mandate_token: 't' },
  ...{
    provider_id: null,
    umrn: null,
    execute_at: NOW,
    planned_at: NOW,
    notice_begun_at: minutesLater(-1500),
  },
  ...{ notified_at: minutesLater(-1500), notice_reference: 'n', notice_proof: 'p', told_execute_at: NOW },
  ...{ notice_withdrawn_at: null, notice_number: 1, notice_called_at: null, notice_failed_at: null },
  ...{ mandate_ended_at: null, attempts: [row] },
});

describe('a postponed attempt', () => {
  const SUBMITTED: OrderStates = new Map(payment.orders.map(({ old_id }) => [old_id, 'submitted']));
  const from = minutesLater(1);
  const putOffOf = (debit: Debit, states = SUBMITTED) =>
    putOffAttempt(payment, debit, attempt, { states, rules: RULES, from, now: NOW });
  const putOff = (row: AttemptRow) => putOffOf(debitWith(row)).debit.attempts;
  const uncalled = (row: AttemptRow) => attemptUncalled(payment, debitWith(row), attempt, NOW).debit.attempts;

  it('does not count: the next one has its number', () => {
    expect(putOff(attempt)).toEqual([]);
    expect(putOffOf(debitWith(attempt)).outcome.payment.status).toBe('PENDING');
  });

  it.each([
    ['mandate', 'mandate_cancelled', { ...debitWith(attempt), mandate_ended_at: NOW }, SUBMITTED],
    ['notice', 'payment_failed', { ...debitWith(attempt), notice_failed_at: NOW }, SUBMITTED],
    [
      'order',
      'payment_failed',
      debitWith(attempt),
      new Map(payment.orders.map(({ old_id }) => [old_id, 'failed'] as const)),
    ],
  ])('ends its debit immediately when its %s has ended meanwhile, with %s', (_what, code, debit, states) => {
    const { outcome, debit: after } = putOffOf(debit, states);
    expect(outcome.payment).toMatchObject({ status: 'FAILED', failure_code: code });
    expect(after.attempts).toEqual([]);
    expect(outcome.due.map(({ kind }) => kind)).toContain('debit.withdraw');
  });

  it.each([
    ['was accepted by the provider meanwhile', { ...attempt, accepted_at: NOW }],
    ['has ended meanwhile', { ...attempt, ended_at: NOW }],
    ['was started again meanwhile, under the same number', { ...attempt, started_at: minutesLater(1) }],
  ])('stays when it is one that %s', (_what, row) => {
    expect(putOff(row)).toEqual([row]);
    expect(uncalled(row)).toEqual([row]);
  });
});
