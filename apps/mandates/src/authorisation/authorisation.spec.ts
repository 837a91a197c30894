import type { AuthorisationFact } from '@fundrail/contracts';
import { istInstant } from '@fundrail/contracts';
import { MANDATE_STATUSES } from '@fundrail/contracts';
import { aMandate, anApprovedMandate, NOW } from '../testing/mandate.builder.ts';
import { applyAuthorisationFact, decideAuthorisation } from './authorisation.ts';

const asked = (changes: object = {}) => ({
  tenant: 'demo',
  mandate_id: 1001,
  payment_id: 8001,
  replaces: [],
  ...changes,
});
const refusal = (code: string, held_by: number | null = null) => ({ outcome: 'refused', code, held_by });

describe('starting an authorisation', () => {
  it('of a CREATED mandate without a running authorisation is accepted', () => {
    expect(decideAuthorisation(aMandate(), asked(), NOW).outcome).toBe('begun');
  });

  it('of an unknown mandate is a 400 with its field', () => {
    expect(decideAuthorisation(null, asked(), NOW)).toMatchObject({
      ...refusal('BAD_REQUEST_ERROR'),
      errors: [{ field: 'mandate_id' }],
    });
  });

  it('that the same payment requests again gets the same answer', () => {
    expect(decideAuthorisation(aMandate({ authorising_payment: 8001 }), asked(), NOW).outcome).toBe('begun');
  });

  it('is refused while another one runs, unless that one is known to be dead', () => {
    const held = aMandate({ authorising_payment: 7999 });
    expect(decideAuthorisation(held, asked(), NOW)).toMatchObject(refusal('AUTH_IN_PROGRESS', 7999));
    expect(decideAuthorisation(held, asked({ replaces: [7998] }), NOW)).toMatchObject(
      refusal('AUTH_IN_PROGRESS', 7999),
    );
    expect(decideAuthorisation(held, asked({ replaces: [7999] }), NOW).outcome).toBe('begun');
  });

  it.each(MANDATE_STATUSES.filter((status) => status !== 'CREATED'))(
    'of a mandate that is %s is refused',
    (status) => {
      const waits = status === 'RECEIVED' || status === 'SUBMITTED';
      const result = decideAuthorisation(anApprovedMandate({ mandate_status: status }), asked(), NOW);
      expect(result).toMatchObject(refusal(waits ? 'AUTH_IN_PROGRESS' : 'ILLEGAL_TRANSITION'));
      if (!waits && result.outcome === 'refused')
        expect(result.message).toContain(`from "${status}" to "APPROVED"`);
    },
  );

  it.each([
    ['APPROVED', 'POST /api/pg/payments/nach'],
    ['PAUSED', 'only the investor can resume it'],
    ['REJECTED', 'POST /api/pg/mandates'],
    ['CANCELLED', 'POST /api/pg/mandates'],
    ['EXPIRED', 'POST /api/pg/mandates'],
  ] as const)('of a mandate that is %s is refused with the advice: %s', (mandate_status, advice) => {
    const result = decideAuthorisation(anApprovedMandate({ mandate_status }), asked(), NOW);
    expect(result.outcome === 'refused' && result.message).toContain(advice);
  });

  it('after the last day of its validity is a 400', () => {
    const row = aMandate({ valid_to: '2026-12-31' });
    expect(decideAuthorisation(row, asked(), istInstant('2026-12-31', '23:59')).outcome).toBe('begun');
    expect(decideAuthorisation(row, asked(), istInstant('2027-01-01'))).toMatchObject(
      refusal('BAD_REQUEST_ERROR'),
    );
  });
});

describe('a fact about an authorisation', () => {
  const fact = (status: AuthorisationFact['status'], changes: Partial<AuthorisationFact> = {}) => ({
    payment_id: 8001,
    mandate_id: 1001,
    status,
    mandate_token: 'tok_1',
    umrn: 'umrn_1',
    provider_id: null,
    rejected_reason: status === 'rejected' ? 'No.' : null,
    ...changes,
  });
  const outcomeOf = (status: (typeof MANDATE_STATUSES)[number], reported: AuthorisationFact) => {
    const row = aMandate({ mandate_status: status, mandate_token: status === 'CREATED' ? null : 'tok_1' });
    const finding = applyAuthorisationFact(row, reported, NOW);
    if (finding && 'step' in finding)
      return `${finding.step.row.mandate_status} ${finding.step.events.join()}`.trim();
    return finding ? Object.keys(finding)[0] : null;
  };

  // Rows: the mandate's status here. Columns: the reported state, with the token that is known here.
  it.each([
    [
      'CREATED',
      'RECEIVED mandate.received',
      'SUBMITTED mandate.submitted',
      'APPROVED mandate.approved',
      'REJECTED mandate.rejected',
    ],
    ['RECEIVED', 'RECEIVED', 'RECEIVED', 'APPROVED mandate.approved', 'REJECTED mandate.rejected'],
    ['SUBMITTED', 'SUBMITTED', 'SUBMITTED', 'APPROVED mandate.approved', 'REJECTED mandate.rejected'],
    ['APPROVED', null, null, null, 'contradiction'],
    ['PAUSED', null, null, null, 'contradiction'],
    ['CANCELLED', null, null, null, 'contradiction'],
    ['EXPIRED', null, null, null, 'contradiction'],
    ['REJECTED', null, null, null, null],
  ] as const)('%s: %s, %s, %s, %s', (status, ...expected) => {
    const facts = (['received', 'submitted', 'approved', 'rejected'] as const).map((word) => fact(word));
    expect(facts.map((one) => outcomeOf(status, one))).toEqual(expected);
  });

  it.each(['APPROVED', 'PAUSED', 'CANCELLED', 'EXPIRED', 'REJECTED'] as const)(
    'with a second token is a surplus when the mandate is %s',
    (status) => {
      expect(outcomeOf(status, fact('approved', { mandate_token: 'tok_2' }))).toBe('surplus');
    },
  );

  it('that approves keeps the known names and adds the new ones', () => {
    const row = aMandate({ mandate_status: 'SUBMITTED', umrn: 'umrn_0', provider_id: 'cust_0' });
    const finding = applyAuthorisationFact(row, fact('approved', { umrn: null }), NOW);
    expect(finding).toMatchObject({
      step: { row: { mandate_token: 'tok_1', umrn: 'umrn_0', provider_id: 'cust_0', approved_at: NOW } },
    });
  });

  it('that approves without a token is a contradiction', () => {
    expect(outcomeOf('CREATED', fact('approved', { mandate_token: null }))).toBe('contradiction');
  });

  it('that rejects an authorisation which another one has replaced changes nothing', () => {
    const row = aMandate({ authorising_payment: 8002 });
    expect(applyAuthorisationFact(row, fact('rejected'), NOW)).toBeNull();
    for (const mandate_status of ['RECEIVED', 'SUBMITTED'] as const)
      expect(applyAuthorisationFact({ ...row, mandate_status }, fact('rejected'), NOW)).toBeNull();
  });

  it('that is known already changes nothing', () => {
    const row = aMandate({ mandate_status: 'RECEIVED', mandate_token: 'tok_1', umrn: 'umrn_1' });
    expect(applyAuthorisationFact(row, fact('received'), NOW)).toBeNull();
  });
});
