import { ApiError, istInstant, ValidationFailed } from '@fundrail/contracts';
import { aMandate, anApprovedMandate, aRequest, NOW, rupees } from '../testing/mandate.builder.ts';
import { createMandate, expireWhenDue, expiryOf, lawfulTerms, longestValidTo, toMandate } from './mandate.ts';

const origin = (now: Date) => ({
  id: 1,
  mandate_ref: `man_${'1'.repeat(32)}`,
  tenant: 'demo',
  investor_profile: 'invp_a',
  now,
});
const validityOf = (now: Date, valid_from: string | null, valid_to: string | null) => {
  const { row } = createMandate(aRequest({ valid_from, valid_to }), origin(now));
  return [row.valid_from, row.valid_to];
};

describe('the validity of a mandate (MAN-4)', () => {
  it.each([
    ['2026-12-21', '00:00', '2026-12-21', '2056-12-21'],
    ['2026-12-21', '23:59', '2026-12-21', '2056-12-21'],
    ['2028-02-29', '12:00', '2028-02-29', '2058-02-28'],
  ])('created on %s at %s IST runs from %s to %s', (date, time, from, to) => {
    expect(validityOf(istInstant(date, time), null, null)).toEqual([from, to]);
  });

  it('lasts 30 years from a later start', () => {
    expect(validityOf(NOW, '2027-01-01', null)).toEqual(['2027-01-01', '2057-01-01']);
    expect(validityOf(NOW, '2056-12-21', null)).toEqual(['2056-12-21', '2086-12-21']);
  });

  it.each([
    ['2026-12-20', null, 'valid_from'],
    ['2056-12-22', null, 'valid_from'],
    [null, '2026-12-20', 'valid_to'],
    [null, '2056-12-22', 'valid_to'],
    ['2027-01-02', '2027-01-01', 'valid_to'],
  ])('from %s to %s is a 400 with the field %s', (from, to, field) => {
    const refusal = expect(() => validityOf(NOW, from, to));
    refusal.toThrow(ValidationFailed);
    refusal.toThrow(expect.objectContaining({ errors: [expect.objectContaining({ field })] }));
  });

  it.each([
    ['2026-12-21', '2056-12-21'],
    ['2028-02-29', '2058-02-28'],
    ['2000-02-29', '2030-02-28'],
  ])('that starts on %s ends on %s at the latest', (from, to) => {
    expect(longestValidTo(from, 30)).toBe(to);
  });
});

describe('the limit of a mandate', () => {
  it.each([
    ['UPI', '100000', true],
    ['UPI', '100000.01', false],
    ['E_MANDATE', '10000000', true],
    ['E_MANDATE', '10000000.01', false],
  ] as const)('of type %s may be %s: %s', (mandate_type, limit, isAllowed) => {
    const create = () => createMandate(aRequest({ mandate_type, mandate_limit: rupees(limit) }), origin(NOW));
    if (isAllowed) expect(create().events).toEqual(['mandate.created']);
    else {
      expect(create).toThrow(ApiError);
      expect(create).toThrow(expect.objectContaining({ code: 'MANDATE_LIMIT_EXCEEDED' }));
    }
  });
});

describe('the terms that an issuer reports (MAN-26)', () => {
  const reported = { mandate_limit: rupees('150000'), valid_to: '2099-12-31' };
  const kept = (date: string) => {
    const terms = lawfulTerms(
      aMandate({ mandate_type: 'UPI', valid_from: '2023-11-01' }),
      reported,
      istInstant(date),
    );
    return [terms.mandate_limit.toString(), terms.valid_to];
  };

  it('are kept as far as the law of the day allows', () => {
    expect(kept('2026-12-21')).toEqual(['100000.0000', '2053-11-01']);
    expect(kept('2023-11-01')).toEqual(['15000.0000', '2053-11-01']);
  });
});

describe('the expiry (MAN-8)', () => {
  const lastDay = { valid_to: '2027-02-28' };

  it('is at 00:00 IST of the day after the last one', () => {
    expect(expiryOf(lastDay)).toEqual(istInstant('2027-03-01'));
  });

  it.each([
    ['2027-02-28', '23:59', null],
    ['2027-03-01', '00:00', 'EXPIRED'],
    ['2027-03-01', '00:01', 'EXPIRED'],
  ])('runs on %s at %s: %s', (date, time, status) => {
    const step = expireWhenDue(anApprovedMandate(lastDay), istInstant(date, time));
    expect(step?.row.mandate_status ?? null).toBe(status);
  });

  it.each(['CREATED', 'SUBMITTED', 'REJECTED', 'CANCELLED', 'EXPIRED'] as const)(
    'does not change a mandate that is %s',
    (mandate_status) => {
      const row = anApprovedMandate({ ...lastDay, mandate_status });
      expect(expireWhenDue(row, istInstant('2027-03-02'))).toBeNull();
    },
  );
});

it('a mandate in the API contains neither its authorising payment nor its owner', () => {
  const published = toMandate(aMandate({ authorising_payment: 8001 }));
  expect(Object.keys(published)).not.toContain('investor_profile');
  expect(JSON.stringify(published)).not.toContain('8001');
});
