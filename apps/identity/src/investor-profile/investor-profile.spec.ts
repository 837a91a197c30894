import { createInvestorProfile, ValidationFailed } from '@fundrail/contracts';
import { newInvestorProfile } from './investor-profile.ts';

/** The message that refuses the birth date, or null. */
function refusalOf(date_of_birth: string, at: string): string | null {
  const input = createInvestorProfile.parse({ name: 'Asha Rao', pan: 'ABCPR1234K', date_of_birth });
  try {
    newInvestorProfile(input, { id: 'invp_1', tenant: 'demo', now: new Date(at) });
    return null;
  } catch (error) {
    if (!(error instanceof ValidationFailed)) throw error;
    expect(error.errors.map(({ field }) => field)).toEqual(['date_of_birth']);
    return error.errors[0]?.message ?? '';
  }
}

it.each([
  ['2008-11-28', '2026-11-27T23:59:59.999+05:30', /18 or more/],
  ['2008-11-28', '2026-11-28T00:00:00.000+05:30', null],
  ['2008-02-29', '2026-02-28T12:00:00.000+05:30', /18 or more/],
  ['2008-02-29', '2026-03-01T12:00:00.000+05:30', null],
  ['2026-11-27', '2026-11-28T12:00:00.000+05:30', /18 or more/],
  ['2026-11-28', '2026-11-28T12:00:00.000+05:30', /from 1900-01-01 to yesterday/],
  ['2026-11-29', '2026-11-28T12:00:00.000+05:30', /from 1900-01-01 to yesterday/],
  ['1899-12-31', '2026-11-28T12:00:00.000+05:30', /from 1900-01-01 to yesterday/],
  ['1900-01-01', '2026-11-28T12:00:00.000+05:30', null],
])('an investor born on %s at %s is refused: %s (INV-21)', (birth, at, refusal) => {
  const message = refusalOf(birth, at);
  if (refusal) expect(message).toMatch(refusal);
  else expect(message).toBeNull();
});
