import { createBankAccount } from './bank-account.dto.ts';
import { createInvestorProfile } from './investor-profile.dto.ts';

describe('the closed values of an investor', () => {
  it.each([
    ['resident_individual', true],
    ['nri', true],
    ['NRI', false],
    ['huf', false],
  ])('given tax_status %s, then it is taken: %s (INV-2)', (value, taken) => {
    expect(createInvestorProfile.shape.tax_status.safeParse(value).success).toBe(taken);
  });

  it.each([
    ...['savings', 'current', 'nre', 'nro'].map((value) => [value, true] as const),
    ...['SAVINGS', 'salary', ''].map((value) => [value, false] as const),
  ])('given the type "%s" of a bank account, then it is taken: %s (INV-5)', (value, taken) => {
    expect(createBankAccount.shape.type.safeParse(value).success).toBe(taken);
  });
});
