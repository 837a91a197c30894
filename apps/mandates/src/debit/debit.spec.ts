import { istInstant, MANDATE_STATUSES } from '@fundrail/contracts';
import { mandateDebitMachine } from '@fundrail/state-machines';
import { aDebit, anApprovedMandate, anAttempt, rupees } from '../testing/mandate.builder.ts';
import { isLive, openAttempt, permissionOf, stopped, withdrawal } from './debit.ts';

const VALID = { valid_from: '2026-12-22', valid_to: '2026-12-31', mandate_limit: rupees('5000') };

describe('the permission for a call (DEB-5, DEB-6, DEB-7)', () => {
  const now = istInstant('2026-12-23', '09:00');
  const decide = (row: object = {}, day = '2026-12-23', at = now, debit = aDebit()) =>
    permissionOf({ mandate: anApprovedMandate({ ...VALID, ...row }), debit }, day, at);

  it.each(MANDATE_STATUSES)('under a mandate that is %s: only when it is APPROVED', (mandate_status) => {
    expect(decide({ mandate_status })).toBe(mandate_status === 'APPROVED' ? 'granted' : 'mandate_cancelled');
  });

  it('above the limit is refused by its own code', () => {
    expect(decide({}, '2026-12-23', now, aDebit({ amount: rupees('5000.01') }))).toBe(
      'mandate_limit_exceeded',
    );
    expect(decide({}, '2026-12-23', now, aDebit({ amount: rupees('5000') }))).toBe('granted');
  });

  it('under a mandate in doubt is decided later, unless it is refused in any case', () => {
    expect(decide({ doubted_at: now })).toBe('later');
    expect(decide({ doubted_at: now, mandate_status: 'PAUSED' })).toBe('mandate_cancelled');
  });

  it.each([
    ['2026-12-21', '2026-12-21', '23:59', 'mandate_cancelled'],
    ['2026-12-22', '2026-12-21', '23:59', 'granted'],
    ['2026-12-22', '2026-12-22', '00:00', 'granted'],
    ['2026-12-31', '2026-12-31', '23:59', 'granted'],
    ['2027-01-01', '2026-12-31', '23:59', 'mandate_cancelled'],
    ['2026-12-31', '2027-01-01', '00:00', 'mandate_cancelled'],
  ] as const)('for %s, on %s at %s IST, is %s', (day, date, time, permission) => {
    expect(decide({}, day, istInstant(date, time))).toBe(permission);
  });
});

describe('a debit', () => {
  it.each(mandateDebitMachine.states)('that is %s is live as long as it may take money', (state) => {
    expect(isLive({ state })).toBe(['admitted', 'notifying', 'planned', 'attempting'].includes(state));
  });

  it('that is stopped with an open attempt keeps the first reason, and goes on', () => {
    const debit = aDebit({ state: 'attempting', attempts: [anAttempt()] });
    const { debit: after, steps } = stopped(debit, 'mandate_cancelled', anAttempt().started_at);
    expect([after.stop_code, after.state, steps]).toEqual(['mandate_cancelled', 'attempting', []]);
    expect(stopped(after, 'payment_failed', anAttempt().started_at).debit).toBe(after);
  });

  it('that is stopped without one fails immediately, and an ended one does not change', () => {
    const { debit, steps } = stopped(aDebit(), 'payment_failed', anAttempt().started_at);
    expect([debit.state, debit.failure_code]).toEqual(['failed', 'payment_failed']);
    expect(steps.flatMap(({ events }) => events)).toEqual(['mandate_debit.failed']);
    expect(stopped(debit, 'mandate_cancelled', anAttempt().started_at).debit).toBe(debit);
  });

  it.each([
    ['begun', 0],
    ['accepted', 0],
    ['failed', 0],
    ['succeeded', 0],
    ['unreceived', 1],
  ] as const)('with an attempt that is %s has %i notices to withdraw', (state, notices) => {
    const at = anAttempt().started_at;
    const debit = aDebit({ notice_begun_at: at, attempts: [anAttempt({ state })] });
    expect(withdrawal(debit, at)).toHaveLength(notices);
    expect(openAttempt(debit) === null).toBe(!['begun', 'accepted'].includes(state));
  });
});
