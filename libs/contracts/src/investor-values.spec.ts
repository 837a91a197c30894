import { createBankAccount } from './bank-account.dto.ts';
import {
  changeUpstreamProfile,
  createInvestorProfile,
  createUpstreamProfile,
  residencyFaults,
} from './investor-profile.dto.ts';

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

  it.each([
    ...['guardian_name', 'guardian_date_of_birth', 'guardian_pan'].flatMap((field) => [
      [field, null, true] as const,
      [field, 'ABCPR1234K', false] as const,
      [field, '', false] as const,
    ]),
    ...([null, 'not_applicable'] as const).map((value) => ['pep_details', value, true] as const),
    ...['pep_exposed', 'pep_related', '', true].map((value) => ['pep_details', value, false] as const),
    ...[null, '1234'].map((value) => ['aadhaar_number', value, true] as const),
    ...['123412341234', 1234, 'XXXXXXXX1234'].map((value) => ['aadhaar_number', value, false] as const),
    ...['first', 'second', 'third', 'fourth'].flatMap((nth) => [
      [`${nth}_tax_residency`, null, true] as const,
      [
        `${nth}_tax_residency`,
        { country: 'IN', taxid_type: 'pan', taxid_number: 'ABCPR1234K' },
        true,
      ] as const,
      [`${nth}_tax_residency`, { country: 'in' }, true] as const,
      [`${nth}_tax_residency`, { taxid_type: 'tin' }, false] as const,
      [`${nth}_tax_residency`, 'US', false] as const,
    ]),
  ])('given %s %j of a client of the upstream, then it is taken: %s (COMP-15)', (field, value, taken) => {
    const person = { name: 'Asha Rao', pan: 'ABCPR1234K', date_of_birth: '1991-02-03' };
    const checks = [
      createUpstreamProfile.safeParse({ ...person, [field]: value }),
      changeUpstreamProfile.safeParse({ [field]: value }),
    ];
    expect(checks.map(({ success }) => success)).toEqual([taken, taken]);
    for (const { error } of checks) expect(error?.issues[0]?.path[0]).toBe(taken ? undefined : field);
  });

  it.each(['first', 'second', 'third', 'fourth'])(
    'given a client of the upstream, then the %s tax residency may be elsewhere, of a non-resident alone (COMP-15)',
    (nth) => {
      const person = { name: 'Asha Rao', pan: 'ABCPR1234K', date_of_birth: '1991-02-03' };
      const field = `${nth}_tax_residency`;
      const sent = { [field]: { country: 'US', taxid_type: 'tin', taxid_number: '1' } };
      for (const tax_status of ['nri', 'resident_individual', undefined]) {
        const { error } = createUpstreamProfile.safeParse({ ...person, tax_status, ...sent });
        const path = tax_status === 'nri' ? undefined : [field, 'country'];
        expect([tax_status, error?.issues[0]?.path]).toEqual([tax_status, path]);
        const faults = residencyFaults(
          tax_status ?? 'resident_individual',
          changeUpstreamProfile.parse(sent),
        );
        expect(faults.map((fault) => fault.field)).toEqual(path ? [`${field}.country`] : []);
      }
    },
  );
});
