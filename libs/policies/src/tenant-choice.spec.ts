import { istInstant } from '@fundrail/contracts';
import { choiceFaults } from './choice-faults.ts';
import { chosen, definePolicy, type Choice, type Policy } from './define-policy.ts';
import { describePolicy } from './describe-policy.ts';
import { POLICIES } from './policies.ts';

const ALL: readonly (readonly [string, Policy])[] = Object.entries(POLICIES);

describe('the choice of a tenant (POL-7)', () => {
  const NOW = istInstant('2026-12-21');
  const retention = 'personal_data_retention';
  const limit = 'upi_per_transaction_limit';

  it.each<[string, Choice, string, string]>([
    [limit, { max: 500_001 }, `policies.${limit}.max`, 'must be at most 500000'],
    [limit, { max: 0 }, `policies.${limit}.max`, 'must be at least 1'],
    [retention, { record_years: 7 }, `policies.${retention}.record_years`, 'must be at least 8'],
    [retention, { record_years: 101 }, `policies.${retention}.record_years`, 'must be at most 100'],
    [
      retention,
      { personal_data_days: 36_501 },
      `policies.${retention}.personal_data_days`,
      'must be at most 36500',
    ],
    [limit, { max: 'all' }, `policies.${limit}.max`, 'must be a number'],
    [limit, { verified_merchant: 1 }, `policies.${limit}.verified_merchant`, 'must be a boolean'],
    [limit, { max_unverified: 1 }, `policies.${limit}.max_unverified`, 'is not a parameter with a choice'],
    [limit, { toString: 'x' }, `policies.${limit}.toString`, 'is not a parameter with a choice'],
    [
      'validated_upi_handle',
      { mode: 'on' },
      'policies.validated_upi_handle.mode',
      'must be one of require, warn, off',
    ],
    ...['', 'MF', 'mf, brk', 'mf,', '@mf'].map((suffixes): [string, Choice, string, string] => [
      ...(['validated_upi_handle', { suffixes }, 'policies.validated_upi_handle.suffixes'] as const),
      'must be words of small letters and digits, separated by commas',
    ]),
    ['upi_daily_limit', { check: 'maybe' }, 'policies.upi_daily_limit.check', 'must be one of on, off'],
    ['upi_daily_limit', { check: true }, 'policies.upi_daily_limit.check', 'must be a string'],
    [
      'upi_collect',
      { exemption: 'none' },
      'policies.upi_collect.exemption',
      'must be one of mcc_6012, mcc_6211, ios_or_mobile_web',
    ],
    [
      'nach_debit_days',
      { first_on: 'sunday' },
      'policies.nach_debit_days.first_on',
      'must be one of business_day, calendar_day',
    ],
    ['autopay_afa_limit', {}, 'policies.autopay_afa_limit', 'is not a policy with a choice'],
    ['toString', {}, 'policies.toString', 'is not a policy with a choice'],
  ])('for %s of %j is refused (POL-9)', (name, choice, field, message) => {
    expect(choiceFaults(name, choice, NOW)).toEqual([{ field, message }]);
  });

  it('is taken up to the bound of its parameter, so each number has bounds (POL-9)', () => {
    expect(choiceFaults(retention, { personal_data_days: 36_500, record_years: 100 }, NOW)).toEqual([]);
    const open = ALL.flatMap(([name, { tenant, bounds, versions }]) =>
      Object.keys(tenant ?? {})
        .filter((parameter) => typeof versions[0].parameters[parameter] === 'number' && !bounds?.[parameter])
        .map((parameter) => `${name}.${parameter}`),
    );
    expect(open).toEqual([]);
  });

  it('is taken up to the law', () => {
    expect(choiceFaults(limit, { max: 500_000, verified_merchant: true }, NOW)).toEqual([]);
    expect(choiceFaults(limit, { max: 1 }, NOW)).toEqual([]);
    expect(choiceFaults('upi_daily_limit', { check: 'off' }, NOW)).toEqual([]);
    expect(choiceFaults('validated_upi_handle', { suffixes: 'mf,brk2' }, NOW)).toEqual([]);
  });
});

describe('a policy with two versions and a choice', () => {
  const source = [{ title: 'x', number: null, date: null, seen: 'text' }] as const;
  const version = (from: string, until: string | null, max: number) => ({
    ...{ from, until, source },
    parameters: { max, least: 2, mode: 'refuse' },
  });
  const two = definePolicy({
    ...{ name: 'two', rule: 'A rule.', refusal: null, applies_to: [] },
    versions: [version('2026-01-01', '2026-01-31', 500), version('2026-03-01', '2026-03-31', 300)],
    tenant: { max: 'at_most', least: 'at_least', mode: ['refuse', 'allow'] },
  });

  it.each([
    ['2025-12-31', 'ahead', '2026-01-01', 500],
    ['2026-01-01', 'in_force', '2026-01-01', 500],
    ['2026-01-31', 'in_force', '2026-01-01', 500],
    ['2026-02-01', 'ahead', '2026-03-01', 300],
    ['2026-03-31', 'in_force', '2026-03-01', 300],
    ['2026-04-01', 'ended', '2026-03-01', 300],
  ])('is on %s %s', (date, state, in_force_from, max) => {
    expect(describePolicy(two, date)).toMatchObject({ state, in_force_from, parameters: { max } });
  });

  it('takes a stricter choice, never a laxer one, and a free one as it is', () => {
    const law = two.versions[0].parameters;
    const own = (choice: Record<string, number | string>) => chosen(two, law, choice);
    expect(own({ max: 499, least: 3, mode: 'allow' })).toEqual({ max: 499, least: 3, mode: 'allow' });
    expect(own({ max: 501, least: 1, mode: 'perhaps' })).toEqual(law);
    // A choice of an earlier release that no longer fits.
    expect(own({ max: 'many', gone: 1 })).toEqual(law);
    expect(describePolicy(two, '2026-03-01', { max: 400 })).toMatchObject({
      tenant_parameters: { max: 300 },
    });
  });

  it.each([
    ['overlap', [version('2026-01-01', '2026-03-01', 1), version('2026-03-01', null, 2)] as const],
    ['follow one without an end', [version('2026-01-01', null, 1), version('2026-03-01', null, 2)] as const],
    ['are not sorted', [version('2026-03-01', null, 1), version('2026-01-01', null, 2)] as const],
    ['end before they begin', [version('2026-03-01', '2026-02-28', 1)] as const],
  ])('is refused when versions %s', (_, versions) => {
    expect(() => definePolicy({ ...two, versions })).toThrow('overlap or are not sorted');
  });
});
