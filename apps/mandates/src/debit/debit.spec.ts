import { istInstant, MANDATE_STATUSES, type TakePermit } from '@fundrail/contracts';
import { anAdmission, anApprovedMandate, rupees, STRANGER } from '../testing/mandate.builder.ts';
import { decideDebit, decidePermit, type Debit } from './debit.ts';

const aDebit = (changes: Partial<Debit> = {}): Debit => ({
  payment_id: 9001,
  mandate_id: 1001,
  tenant: 'demo',
  old_id: 501,
  amount: rupees('1000'),
  debit_date: '2026-12-23',
  state: 'admitted',
  ...changes,
});
const VALID = { valid_from: '2026-12-22', valid_to: '2026-12-31', mandate_limit: rupees('5000') };

const PERMIT = {
  tenant: 'demo',
  mandate_id: 1001,
  payment_id: 9001,
  step: 'execute',
  attempt: 1,
  execute_on: '2026-12-23',
} as const;

describe('the admission of a debit', () => {
  const decide = (changes: object = {}, row: object = {}, others: object = {}) =>
    decideDebit(
      { mandate: anApprovedMandate({ ...VALID, ...row }), own: null, other: null, ...others },
      anAdmission(changes),
    );

  it('of the investor, in time and within the limit, is granted', () => {
    expect(decide().outcome).toBe('admitted');
  });

  it.each([
    ['of an unknown mandate', {}, {}, { mandate: null }, 'BAD_REQUEST_ERROR'],
    ['of another investor', { investor_profile: STRANGER }, {}, {}, 'BAD_REQUEST_ERROR'],
    ['a day too early', { debit_date: '2026-12-21' }, {}, {}, 'MANDATE_NOT_APPROVED'],
    ['a day too late', { debit_date: '2027-01-01' }, {}, {}, 'MANDATE_NOT_APPROVED'],
    ['a paisa above the limit', { amount: rupees('5000.01') }, {}, {}, 'MANDATE_LIMIT_EXCEEDED'],
    [
      'of an order that is already debited',
      {},
      {},
      { other: aDebit({ payment_id: 9000 }) },
      'PAYMENT_ALREADY_EXISTS',
    ],
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
    expect(decide({ debit_date }).outcome).toBe('admitted');
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

  it.each(['admitted', 'succeeded'] as const)(
    'replaces the debit of a dead payment that is %s here, and no other one',
    (state) => {
      const other = aDebit({ payment_id: 9000, state });
      expect(decide({ replaces: [9000] }, {}, { other }).outcome).toBe('admitted');
      expect(decide({ replaces: [8999] }, {}, { other })).toMatchObject({ held_by: 9000 });
    },
  );

  it('under a mandate in doubt is decided later, unless it is refused in any case or was granted before', () => {
    const doubted = { doubted_at: new Date() };
    expect(decide({}, doubted)).toEqual({ outcome: 'later' });
    expect(decide({ amount: rupees('5000.01') }, doubted).outcome).toBe('refused');
    expect(decide({}, doubted, { own: aDebit() }).outcome).toBe('admitted');
  });
});

describe('a permit', () => {
  const now = istInstant('2026-12-23', '09:00');
  const decide = (asked: Partial<TakePermit> = {}, row: object = {}, others: object = {}, at = now) =>
    decidePermit(
      { mandate: anApprovedMandate({ ...VALID, ...row }), debit: aDebit(), isOpen: false, ...others },
      { ...PERMIT, ...asked },
      at,
    );

  it('for an admitted debit of an approved mandate is granted', () => {
    expect(decide().outcome).toBe('granted');
  });

  it.each(MANDATE_STATUSES)('under a mandate that is %s: only when it is APPROVED', (mandate_status) => {
    const expected = mandate_status === 'APPROVED' ? 'granted' : 'refused';
    for (const step of ['notify', 'execute'] as const)
      expect(decide({ step }, { mandate_status }).outcome).toBe(expected);
  });

  it.each<[string, object]>([
    ['of no mandate', { mandate: null }],
    ['of no debit', { debit: null }],
    ['of another mandate’s debit', { debit: aDebit({ mandate_id: 1002 }) }],
    ['of a debit that failed', { debit: aDebit({ state: 'failed' }) }],
    ['of a debit that succeeded', { debit: aDebit({ state: 'succeeded' }) }],
  ])('%s is refused', (_what, others) => {
    expect(decide({}, {}, others)).toEqual({ outcome: 'refused', code: 'mandate_cancelled' });
  });

  it('above the limit is refused by its own code', () => {
    const debit = aDebit({ amount: rupees('5000.01') });
    expect(decide({}, {}, { debit })).toEqual({ outcome: 'refused', code: 'mandate_limit_exceeded' });
  });

  it('that is open is granted again for an execution after a cancel, but not for a notice', () => {
    const after = [{ mandate_status: 'CANCELLED' }, { isOpen: true }] as const;
    expect(decide({ step: 'execute' }, ...after).outcome).toBe('granted');
    expect(decide({ step: 'notify' }, ...after).outcome).toBe('refused');
    expect(decide({ step: 'execute', resend: true }, ...after).outcome).toBe('refused');
  });

  it.each(['notify', 'execute'] as const)('to %s under a mandate in doubt is decided later', (step) => {
    const doubted = { doubted_at: now };
    expect(decide({ step }, doubted)).toEqual({ outcome: 'later' });
    expect(decide({ step }, { mandate_status: 'PAUSED' }).outcome).toBe('refused');
  });

  it('that is open is granted again for an execution in doubt, which may be at the bank', () => {
    const after = [{ doubted_at: now }, { isOpen: true }] as const;
    expect(decide({ step: 'execute' }, ...after).outcome).toBe('granted');
    expect(decide({ step: 'execute', resend: true }, ...after).outcome).toBe('later');
  });

  it.each([
    ['2026-12-21', 'refused'],
    ['2026-12-22', 'granted'],
    ['2026-12-31', 'granted'],
    ['2027-01-01', 'refused'],
  ] as const)('for a notice to the investor of a debit on %s is %s', (execute_on, outcome) => {
    expect(decide({ step: 'notify', execute_on }).outcome).toBe(outcome);
  });

  it.each([
    ['execute', '2026-12-21', '23:59', 'refused'],
    ['execute', '2026-12-22', '00:00', 'granted'],
    ['execute', '2026-12-31', '23:59', 'granted'],
    ['execute', '2027-01-01', '00:00', 'refused'],
    ['notify', '2026-12-21', '23:59', 'granted'],
    ['notify', '2027-01-01', '00:00', 'refused'],
  ] as const)('for %s on %s at %s IST is %s', (step, date, time, outcome) => {
    expect(decide({ step }, {}, {}, istInstant(date, time)).outcome).toBe(outcome);
  });
});
