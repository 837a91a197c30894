import { MANDATE_STATUSES } from '@fundrail/contracts';
import { aDebit, anAdmission, anApprovedMandate, rupees, STRANGER } from '../testing/mandate.builder.ts';
import { decideAdmission } from './admission.ts';

const VALID = { valid_from: '2026-12-22', valid_to: '2026-12-31', mandate_limit: rupees('5000') };

describe('the admission of a debit', () => {
  const decide = (changes: object = {}, row: object = {}, others: object = {}) =>
    decideAdmission(
      {
        ...{ mandate: anApprovedMandate({ ...VALID, ...row }), own: null, holder: null },
        debit_date: '2026-12-23',
        ...others,
      },
      anAdmission(changes),
    );

  it('of the investor, in time and within the limit, is granted', () => {
    expect(decide().outcome).toBe('admitted');
  });

  it.each([
    ['of an unknown mandate', {}, {}, { mandate: null }, 'BAD_REQUEST_ERROR'],
    ['of another investor', { investor_profile: STRANGER }, {}, {}, 'BAD_REQUEST_ERROR'],
    ['a day too early', {}, {}, { debit_date: '2026-12-21' }, 'MANDATE_NOT_APPROVED'],
    ['a day too late', {}, {}, { debit_date: '2027-01-01' }, 'MANDATE_NOT_APPROVED'],
    ['a paisa above the limit', { amount: rupees('5000.01') }, {}, {}, 'MANDATE_LIMIT_EXCEEDED'],
    ['of an order that is already debited', {}, {}, { holder: 9000 }, 'PAYMENT_ALREADY_EXISTS'],
    ['that ended before', {}, {}, { own: aDebit({ state: 'failed' }) }, 'PAYMENT_ALREADY_EXISTS'],
    [
      'for another order under the same id',
      {},
      {},
      { own: aDebit({ old_id: 502 }) },
      'PAYMENT_ALREADY_EXISTS',
    ],
  ])('%s is refused', (_what, changes, row, others, code) => {
    expect(decide(changes, row, others)).toMatchObject({ outcome: 'refused', code });
  });

  it.each(['2026-12-22', '2026-12-31'])('on the first and the last day (%s) is granted', (debit_date) => {
    expect(decide({}, {}, { debit_date }).outcome).toBe('admitted');
  });

  it('of exactly the limit is granted', () => {
    expect(decide({ amount: rupees('5000') }).outcome).toBe('admitted');
  });

  it.each(MANDATE_STATUSES)('under a mandate that is %s: only when it is APPROVED', (mandate_status) => {
    const expected = mandate_status === 'APPROVED' ? 'admitted' : 'refused';
    expect(decide({}, { mandate_status }).outcome).toBe(expected);
  });

  it('stays granted when it is requested again, after any change', () => {
    expect(decide({}, { mandate_status: 'CANCELLED' }, { own: aDebit() }).outcome).toBe('admitted');
  });

  it('released before is decided again', () => {
    const others = { own: aDebit({ state: 'released' }) };
    expect(decide({}, {}, others).outcome).toBe('admitted');
    expect(decide({}, { mandate_status: 'PAUSED' }, others).outcome).toBe('refused');
  });

  it('replaces the debit of a dead payment, and no other one', () => {
    expect(decide({ replaces: [9000] }, {}, { holder: 9000 }).outcome).toBe('admitted');
    expect(decide({ replaces: [8999] }, {}, { holder: 9000 })).toMatchObject({ held_by: 9000 });
  });

  it('under a mandate in doubt is decided later, unless it is refused in any case or was granted before', () => {
    const doubted = { doubted_at: new Date() };
    expect(decide({}, doubted)).toEqual({ outcome: 'later' });
    expect(decide({ amount: rupees('5000.01') }, doubted).outcome).toBe('refused');
    expect(decide({}, doubted, { own: aDebit() }).outcome).toBe('admitted');
  });
});
