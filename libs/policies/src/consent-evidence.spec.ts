import { consentInput, recordedConsent, type ConsentInput } from '@fundrail/contracts';
import { refuseEvidence } from './consent-evidence.ts';

const NOW = new Date('2026-12-21T10:30:00.000+05:30');
const EVIDENCE = {
  ...{ method: 'otp', channel: 'sms', reference: 'otp-check-5521', verified_by: 'tenant' },
  ...{ sent_at: '2026-12-21T10:00:00.000+05:30', verified_at: '2026-12-21T10:00:00.000+05:30' },
} as const;
const consent = (changes: object): ConsentInput =>
  consentInput.parse({ mobile: '9800012345', evidence: { ...EVIDENCE, ...changes } });
const faultOf = (changes: object, at = NOW) =>
  refuseEvidence(consent(changes), 'purchase', null, at)?.errors[0]?.message ?? null;

describe('the proof of a consent (ORD-32)', () => {
  it.each<[string, object, string | null]>([
    ['exactly 30 minutes ago', {}, null],
    [
      '30 minutes and a millisecond ago',
      { sent_at: '2026-12-21T09:59:59.999+05:30', verified_at: '2026-12-21T09:59:59.999+05:30' },
      'must be at most 30 minutes ago',
    ],
    ['now', { verified_at: '2026-12-21T05:00:00Z' }, null],
    ['in the future', { verified_at: '2026-12-21T10:30:00.001+05:30' }, 'must not be in the future'],
    ['before it was sent', { verified_at: '2026-12-21T09:59:59.999+05:30' }, 'must not be before sent_at'],
  ])('that was made %s', (_, changes, message) => {
    expect(faultOf(changes)).toBe(message);
  });

  it.each([
    ['4821', '482193', '48219377'],
    ['482193 ', '482 193', '482-193', '४८२१९३', 'OTP 482193'],
    ['9800012345', '+91 9800012345', 'a@example.com', ''],
  ])('never has an OTP or a contact as its reference: %s, %s, %s', (...references) => {
    for (const reference of references) expect(() => consent({ reference })).toThrow('must name the check');
    const forms = ['4821a', 'otp-check:5521/7', '9f1c2d3e-77aa-4c1f-b0de-1f2e3d4c5b6a', 'a'.repeat(100)];
    for (const reference of forms) expect(consent({ reference }).evidence?.reference).toBe(reference);
    expect(() => consent({ reference: 'a'.repeat(101) })).toThrow();
  });

  it.each(['sent_at', 'verified_at'])('has a %s of at most 35 characters, after 1969', (field) => {
    const long = (zeros: number) => `2026-12-21T10:00:00.${'0'.repeat(zeros)}+05:30`;
    expect(consentInput.safeParse(consent({ [field]: long(9) })).success).toBe(true);
    for (const text of [long(10), `${long(9).slice(0, -6)}Z${' '.repeat(6)}`, '0000-01-01T00:00:00Z'])
      expect(() => consent({ [field]: text })).toThrow(field);
    expect(() => consent({ [field]: '1969-12-31T23:59:59.999Z' })).toThrow('must be a time after 1969');
  });

  it('is recorded with its times in our form (CONV-30)', () => {
    const times = { sent_at: '2026-12-21T04:29:00Z', verified_at: '2026-12-21T10:00:00.123456789+05:30' };
    expect(recordedConsent(consent(times)).evidence).toMatchObject({
      sent_at: '2026-12-21T09:59:00.000+05:30',
      verified_at: '2026-12-21T10:00:00.123+05:30',
    });
  });

  it('names a channel whose contact the consent names', () => {
    expect(() => consent({ channel: 'email' })).toThrow('must be that of a contact which the consent names');
    expect(consentInput.safeParse({ email: 'a@example.com', evidence: EVIDENCE }).success).toBe(false);
  });

  it('is recorded with the contacts, and absent where there was none', () => {
    const contacts = { email: null, isd_code: null, mobile: '9800012345' };
    expect(recordedConsent(consent({}))).toEqual({ ...contacts, evidence: EVIDENCE });
    expect(recordedConsent({ mobile: '9800012345', evidence: null })).toEqual(contacts);
  });

  it('is required where the operator chose so, and may be younger then', () => {
    const without: ConsentInput = { mobile: '9800012345' };
    const choice = { evidence: 'required', max_age_minutes: 29 };
    expect(refuseEvidence(without, 'redemption', null, NOW)).toBeNull();
    expect(refuseEvidence(without, 'redemption', choice, NOW)).toMatchObject({
      code: 'TWO_FACTOR_MISSING',
      policy: { investor: { en: 'Please confirm with the OTP sent to you.' } },
    });
    expect(refuseEvidence(consent({}), 'redemption', choice, NOW)?.errors).toEqual([
      { field: 'consent.evidence.verified_at', message: 'must be at most 29 minutes ago' },
    ]);
  });
});
