import type { PolicyOverride } from '@fundrail/contracts';
import { Decimal, istInstant, SEEDED_HOLIDAYS } from '@fundrail/contracts';
import { choiceFaults } from './choice-faults.ts';
import type { Policy } from './define-policy.ts';
import { describePolicy } from './describe-policy.ts';
import {
  expectedNavDate,
  isUpiQuestionTaken,
  judge,
  logDaysAt,
  nearestParameters,
  nextUpiQuestion,
  policiesInUse,
  policyAt,
  usePolicies,
} from './judge.ts';
import { overridePolicies } from './override-policies.ts';
import { POLICIES } from './policies.ts';

const REASON = 'our acquirer has confirmed it in writing';
const about = (policy: string, version: string, changes: Partial<PolicyOverride>): PolicyOverride => ({
  ...{ policy, version, reason: REASON, by: 'A Person', at: '2026-11-01T10:00:00.000+05:30' },
  ...changes,
});
const limit = (changes: Partial<PolicyOverride>) => about('autopay_afa_limit', '2023-12-12', changes);
const messageOf = (...overrides: readonly PolicyOverride[]): string => {
  try {
    overridePolicies(POLICIES, overrides);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return '';
};

describe('overrides of policies (POL-11)', () => {
  afterEach(() => {
    usePolicies([]);
  });

  const refused = (rupees: string, date = '2026-12-21') =>
    judge('autopay_afa_limit', istInstant(date), null, { mandate_limit: Decimal.parse(rupees) });

  it('change the figure of a refusal, and nothing of the law', () => {
    usePolicies([limit({ parameters: { max: 150_000 } })]);
    expect([refused('150000'), refused('150000.01')?.message]).toEqual([
      null,
      expect.stringContaining('1,50,000'),
    ]);
    expect(POLICIES.autopay_afa_limit.versions.at(-1)?.parameters.max).toBe(100_000);
    usePolicies([]);
    expect(refused('150000')?.code).toBe('MANDATE_LIMIT_EXCEEDED');
  });

  it('change the dates of a version', () => {
    usePolicies([limit({ from: '2026-12-22', until: '2026-12-23' })]);
    const dates = ['2026-12-21', '2026-12-22', '2026-12-23', '2026-12-24'];
    expect(dates.map((date) => refused('100001', date)?.code ?? null)).toEqual([
      ...[null, 'MANDATE_LIMIT_EXCEEDED'],
      ...['MANDATE_LIMIT_EXCEEDED', null],
    ]);
  });

  it('hold for variables and for the choices of tenants too', () => {
    usePolicies([
      about('autopay_windows', '2025-08-01', { parameters: { peak: '10:00-13:00', attempts: 2 } }),
      about('upi_per_transaction_limit', '2025-09-15', { parameters: { max: 700_000 } }),
    ]);
    expect(nearestParameters('autopay_windows', istInstant('2026-12-21'))).toMatchObject({
      peak: '10:00-13:00',
      attempts: 2,
    });
    expect([
      choiceFaults('upi_per_transaction_limit', { max: 600_000 }, istInstant('2026-12-21')),
      choiceFaults('upi_per_transaction_limit', { max: 700_001 }, istInstant('2026-12-21')),
    ]).toEqual([[], [expect.objectContaining({ message: 'must be at most 700000' })]]);
  });

  it('are shown with their reason and time, without the person', () => {
    usePolicies([limit({ parameters: { max: 150_000 } })]);
    const [shown, other] = ['autopay_afa_limit', 'upi_collect'].map((name) => {
      const policy = policiesInUse().find((one) => one.name === name);
      return policy && describePolicy(policy, '2026-12-21');
    });
    expect(shown).toMatchObject({
      parameters: { max: 150_000 },
      override: { reason: REASON, at: '2026-11-01T10:00:00.000+05:30' },
    });
    expect([JSON.stringify(shown).includes('A Person'), other?.override]).toEqual([false, null]);
  });

  it('change a time of day, such as the cut-off of a day', () => {
    usePolicies([about('nav_cut_off', '2025-06-01', { parameters: { purchase: '12:30' } })]);
    const at = istInstant('2026-12-21', '12:31');
    const order = { category: 'other', accepted: at, funds: { at, by: null } } as const;
    expect(expectedNavDate(order, SEEDED_HOLIDAYS)).toBe('2026-12-22');
  });

  it('move the day between two versions, in either order', () => {
    const overrides = [
      about('two_factor_consent', '2022-06-01', { until: '2023-04-30' }),
      about('two_factor_consent', '2023-04-01', { from: '2023-05-01' }),
    ];
    for (const both of [overrides, overrides.toReversed()]) {
      usePolicies(both);
      const from = ['2023-04-30', '2023-05-01'].map(
        (date) => policyAt('two_factor_consent', istInstant(date))?.from,
      );
      expect(from).toEqual(['2022-06-01', '2023-05-01']);
    }
  });

  it('change only the version that they name', () => {
    const second = about('two_factor_consent', '2023-04-01', { parameters: { max_age_minutes: 10 } });
    usePolicies([second]);
    const ages = ['2023-03-31', '2023-04-01'].map(
      (date) => policyAt('two_factor_consent', istInstant(date))?.parameters.max_age_minutes,
    );
    expect(ages).toEqual([30, 10]);
  });

  it('state themselves first among the sources of a refusal', () => {
    usePolicies([limit({ parameters: { max: 150_000 } })]);
    expect(refused('150001')?.policy?.source).toEqual([
      { title: `The operator of this deployment: ${REASON}`, number: null, date: '2026-11-01', seen: 'text' },
      ...(POLICIES.autopay_afa_limit.versions[1]?.source ?? []),
    ]);
  });

  it('end after the day on which they expire, and then the law holds again', () => {
    usePolicies([limit({ parameters: { max: 150_000 }, expires_on: '2026-12-21' })]);
    const [last, next] = ['2026-12-21T23:59:59.999+05:30', '2026-12-22T00:00:00+05:30'].map((at) =>
      judge('autopay_afa_limit', new Date(at), null, { mandate_limit: Decimal.parse('150000') }),
    );
    expect([last, next?.code]).toEqual([null, 'MANDATE_LIMIT_EXCEEDED']);
    expect(JSON.stringify(next?.policy?.source)).not.toContain(REASON);
  });

  it.each<[string, number, readonly (readonly [beforeEnd: number, seconds: number])[]]>([
    [
      'sooner than the law',
      30,
      [
        [30_001, 30],
        [30_000, 90],
        [1, 90],
        [0, 90],
      ],
    ],
    [
      'later than the law',
      120,
      [
        [120_001, 120],
        [90_001, 120],
        [90_000, 90],
        [1, 90],
        [0, 90],
      ],
    ],
  ])('that ask about UPI %s plan a first question after their end by the law', (_, own, cases) => {
    const parameters = { first_seconds: own, first_seconds_least: Math.min(own, 45) };
    usePolicies([about('upi_status_enquiry', '2025-04-26', { parameters, expires_on: '2026-12-21' })]);
    const end = istInstant('2026-12-22').getTime();
    for (const [beforeEnd, seconds] of cases) {
      const start = new Date(end - beforeEnd);
      const at = new Date(start.getTime() + seconds * 1000);
      const planned = nextUpiQuestion({ start, asked: 0 }, start);
      expect([beforeEnd, planned]).toEqual([beforeEnd, { at, position: 1 }]);
      expect([beforeEnd, isUpiQuestionTaken({ start }, { at, position: 1 })]).toEqual([beforeEnd, false]);
    }
  });

  it('that ask about UPI later than the law ask a second question after their end, unless an operator did', () => {
    const parameters = { second_minutes: 15 };
    usePolicies([about('upi_status_enquiry', '2025-04-26', { parameters, expires_on: '2026-12-21' })]);
    const start = new Date(istInstant('2026-12-22').getTime() - 12 * 60_000);
    const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
    const planned = nextUpiQuestion({ start, asked: 1 }, after(2));
    expect(planned).toEqual({ at: after(15), position: 2 });
    const second = { at: after(15), position: 2 };
    expect(isUpiQuestionTaken({ start }, second)).toBe(false);
    expect(isUpiQuestionTaken({ start, early: [after(13)] }, second)).toBe(true);
  });

  it.each<[string, Partial<PolicyOverride>, readonly (readonly [string, string | null])[]]>([
    [
      'after its own end',
      { until: '2026-12-01', expires_on: '2026-12-31' },
      [
        ['2025-09-15', '2026-12-01'],
        ['2027-01-01', null],
      ],
    ],
    [
      'before the start that the law has',
      { from: '2025-01-01', expires_on: '2025-06-30' },
      [
        ['2025-01-01', '2025-06-30'],
        ['2025-09-15', null],
      ],
    ],
  ])('that expire %s leave these versions', (_, changes, versions) => {
    const entry = about('upi_daily_limit', '2025-09-15', { parameters: { max: 1 }, ...changes });
    const { upi_daily_limit } = overridePolicies(POLICIES, [entry]);
    expect(upi_daily_limit.versions.map(({ from, until }) => [from, until])).toEqual(versions);
  });

  it('hold for every reader of the nearest version until they expire, and not after', () => {
    const expires_on = '2027-06-30';
    usePolicies([
      about('autopay_windows', '2025-08-01', {
        parameters: { peak: '10:00-13:00', attempts: 2 },
        expires_on,
      }),
      about('upi_per_transaction_limit', '2025-09-15', { parameters: { max: 700_000 }, expires_on }),
      about('personal_data_retention', '2027-05-13', {
        ...{ parameters: { log_days: 400, record_years: 10 }, expires_on },
      }),
    ]);
    const read = (at: string) => {
      const now = new Date(at);
      const { peak, attempts } = nearestParameters('autopay_windows', now);
      const faults = choiceFaults('upi_per_transaction_limit', { max: 600_000 }, now);
      const [fewer] = choiceFaults('personal_data_retention', { record_years: 9 }, now);
      return [peak, attempts, faults.length, fewer?.message ?? null, logDaysAt(now)];
    };
    const changed = ['10:00-13:00', 2, 0, 'must be at least 10', 400];
    expect(read('2026-12-21T10:00:00+05:30')).toEqual(changed);
    expect(read('2027-06-30T23:59:59.999+05:30')).toEqual(changed);
    expect(read('2027-07-01T00:00:00+05:30')).toEqual(['10:00-13:00,17:00-21:30', 4, 1, null, 366]);
  });

  it('that move the day between two versions may expire before the new day, in either order', () => {
    const expires_on = '2023-04-15';
    const overrides = [
      about('two_factor_consent', '2022-06-01', { until: '2023-04-30', expires_on }),
      about('two_factor_consent', '2023-04-01', { from: '2023-05-01', expires_on }),
    ];
    for (const both of [overrides, overrides.toReversed()]) {
      const { two_factor_consent } = overridePolicies(POLICIES, both);
      expect(
        two_factor_consent.versions.map(({ from, until, override }) => [from, until, !override]),
      ).toEqual([
        ['2022-06-01', '2023-04-15', false],
        ['2023-04-16', null, true],
      ]);
    }
  });

  it('that move the day between two versions earlier may expire between both days, in either order', () => {
    const expires_on = '2023-03-15';
    const overrides = [
      about('two_factor_consent', '2022-06-01', { until: '2023-02-28', expires_on }),
      about('two_factor_consent', '2023-04-01', { from: '2023-03-01', expires_on }),
    ];
    for (const both of [overrides, overrides.toReversed()]) {
      const { two_factor_consent } = overridePolicies(POLICIES, both);
      const versions = two_factor_consent.versions.map((version) => {
        const { from, until, override, parameters } = version;
        return [from, until, !override, parameters.orders.length];
      });
      expect(versions).toEqual([
        ['2022-06-01', '2023-02-28', false, 1],
        ['2023-03-01', '2023-03-15', false, 2],
        ['2023-03-16', '2023-03-31', true, 1],
        ['2023-04-01', null, true, 2],
      ]);
    }
  });

  it.each<readonly [string | undefined, string | undefined, string]>([
    [undefined, '2023-03-15', '2022-06-01 does not expire, and from 2023-04-01 expires on 2023-03-15'],
    ['2023-03-15', undefined, '2022-06-01 expires on 2023-03-15, and from 2023-04-01 does not expire'],
    [
      '2023-03-10',
      '2023-03-15',
      '2022-06-01 expires on 2023-03-10, and from 2023-04-01 expires on 2023-03-15',
    ],
  ])('that move the day between two versions expire together: not on %s and %s', (first, second, both) => {
    const overrides = [
      about('two_factor_consent', '2022-06-01', { until: '2023-02-28', expires_on: first }),
      about('two_factor_consent', '2023-04-01', { from: '2023-03-01', expires_on: second }),
    ];
    const message = `two_factor_consent from ${both}: they move the day between both versions, so give them the same expires_on`;
    expect([messageOf(...overrides), messageOf(...overrides.toReversed())]).toEqual([message, message]);
  });

  it('may expire each on its own day when they move none', () => {
    const { two_factor_consent } = overridePolicies(POLICIES, [
      about('two_factor_consent', '2022-06-01', { until: '2023-03-31', expires_on: '2023-01-31' }),
      about('two_factor_consent', '2023-04-01', { from: '2023-04-01', expires_on: '2023-04-30' }),
    ]);
    expect(two_factor_consent.versions.map(({ from, until }) => [from, until])).toEqual([
      ['2022-06-01', '2023-01-31'],
      ['2023-02-01', '2023-03-31'],
      ['2023-04-01', '2023-04-30'],
      ['2023-05-01', null],
    ]);
  });

  it('leave figures of the law that fit together', () => {
    const faults = Object.values<Policy>(POLICIES).flatMap(({ unfit, versions }) =>
      versions.map(({ parameters }) => unfit?.(parameters) ?? null),
    );
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
  });

  it('may change every number within bounds, which the law keeps to itself', () => {
    const faults = Object.values<Policy>(POLICIES).flatMap(({ name, versions, bounds }) =>
      versions.flatMap(({ parameters }) =>
        Object.entries(parameters).flatMap(([parameter, value]) => {
          if (typeof value !== 'number') return [];
          const [least, most] = bounds?.[parameter] ?? [Infinity, -Infinity];
          return least <= value && value <= most ? [] : [`${name}.${parameter}`];
        }),
      ),
    );
    expect(faults).toEqual([]);
  });

  it.each([
    ['an unknown policy', [about('toString', '2023-12-12', {})], 'toString is not a policy'],
    [
      'an unknown version',
      [about('autopay_afa_limit', '2023-12-13', {})],
      'autopay_afa_limit has no version from 2023-12-13',
    ],
    ['two for one version', [limit({}), limit({})], 'autopay_afa_limit from 2023-12-12 is overridden twice'],
    [
      'an unknown parameter',
      [limit({ parameters: { least: 1 } })],
      'autopay_afa_limit.least is not a parameter',
    ],
    ['another type', [limit({ parameters: { max: '1' } })], 'autopay_afa_limit.max must be a number'],
    [
      'a figure of 0',
      [limit({ parameters: { max: 0 } })],
      'autopay_afa_limit.max must be from 1 to 10000000',
    ],
    [
      'a figure without sense',
      [limit({ parameters: { max: 10_000_001 } })],
      'autopay_afa_limit.max must be from 1 to 10000000',
    ],
    [
      'logs of less than a year',
      [about('personal_data_retention', '2027-05-13', { parameters: { log_days: 364 } })],
      'personal_data_retention.log_days must be from 365 to 36500',
    ],
    [
      'a notice of less than a day',
      [about('pre_debit_notice', '2026-04-21', { parameters: { least_hours: 23 } })],
      'pre_debit_notice.least_hours must be from 24 to 168',
    ],
    ...[
      { first_seconds_least: 91 },
      { first_seconds: 600 },
      { second_minutes: 60 },
      { third_minutes: 121 },
      { within_minutes: 126 },
    ].map((parameters): [string, PolicyOverride[], string] => [
      `questions about UPI out of their order: ${Object.keys(parameters).join()}`,
      [about('upi_status_enquiry', '2025-04-26', { parameters })],
      'upi_status_enquiry from 2025-04-26: must rise in this order: first_seconds_least, first_seconds, second_minutes, third_minutes, within_minutes, hourly_from_minutes',
    ]),
    [
      'more days for a redemption at home than overseas',
      [about('redemption_payout', '2023-01-14', { parameters: { working_days: 6 } })],
      'redemption_payout from 2023-01-14: working_days must be at most working_days_overseas',
    ],
    [
      'more failures of quarterly plans',
      [about('sip_auto_cancellation', '2024-04-01', { parameters: { failures: 1 } })],
      'sip_auto_cancellation from 2024-04-01: failures_quarterly_or_longer must be at most failures',
    ],
    ...[
      { peak: '09:00-13:00,17:00-21:30' },
      { windows: '12:59-17:00' },
      { windows: '13:00-17:00,21:29-10:00' },
    ].map((parameters): [string, PolicyOverride[], string] => [
      `windows in peak hours: ${JSON.stringify(parameters)}`,
      [about('autopay_windows', '2025-08-01', { parameters })],
      `autopay_windows from 2025-08-01: windows must leave out the hours of peak: ${parameters.peak ?? '10:00-13:00,17:00-21:30'}`,
    ]),
    ...['13:00-13:03', '13:00-17:00,21:30-22:00'].map((windows): [string, PolicyOverride[], string] => [
      `a window that is too short: ${windows}`,
      [about('autopay_windows', '2025-08-01', { parameters: { windows } })],
      'autopay_windows from 2025-08-01: each of windows must be over 30 minutes',
    ]),
    [
      'an end before its version begins',
      [limit({ parameters: { max: 1 }, expires_on: '2023-12-11' })],
      'autopay_afa_limit from 2023-12-12 expires on 2023-12-11, before it begins on 2023-12-12',
    ],
    [
      'an end before its own start',
      [limit({ from: '2027-01-01', expires_on: '2026-12-31' })],
      'autopay_afa_limit from 2023-12-12 expires on 2026-12-31, before it begins on 2027-01-01',
    ],
    [
      'a word that is none',
      [about('upi_daily_limit', '2025-09-15', { parameters: { check: 'maybe' } })],
      'upi_daily_limit.check must be one of on, off',
    ],
    [
      'times that are none',
      [about('autopay_windows', '2025-08-01', { parameters: { peak: 'noon' } })],
      'autopay_windows.peak must be like 10:00-13:00,17:00-21:30',
    ],
    [
      'times that no clock shows',
      [about('autopay_windows', '2025-08-01', { parameters: { peak: '10:00-13:60' } })],
      'autopay_windows.peak must be like 10:00-13:00,17:00-21:30',
    ],
    [
      'windows for one time',
      [about('nav_cut_off', '2025-06-01', { parameters: { purchase: '09:00-15:00' } })],
      'nav_cut_off.purchase must be like 15:00',
    ],
    [
      'a text that code reads',
      [about('debit_opt_out', '2026-04-21', { parameters: { mandate: 'gone' } })],
      'debit_opt_out.mandate cannot be overridden',
    ],
    [
      'a list',
      [about('two_factor_consent', '2023-04-01', { parameters: { orders: 'purchase' } })],
      'two_factor_consent.orders must be a list, and cannot be overridden',
    ],
    [
      'an end of a rule that the product needs',
      [about('nach_debit_days', '2021-08-01', { until: '2026-12-31' })],
      'nach_debit_days must have a version on every day from 2021-08-01 on',
    ],
    [
      'a later begin of such a rule',
      [about('sip_auto_cancellation', '2024-04-01', { from: '2027-01-01' })],
      'sip_auto_cancellation must have a version on every day from 2024-04-01 on',
    ],
    [
      'versions that overlap',
      [about('two_factor_consent', '2023-04-01', { from: '2023-03-31' })],
      'the versions of two_factor_consent overlap or are not sorted: 2023-03-31',
    ],
    ...[{}, { expires_on: '2020-06-30' }].map((expiry): [string, PolicyOverride[], string] => [
      `a version that comes before an earlier one: ${JSON.stringify(expiry)}`,
      [about('two_factor_consent', '2023-04-01', { from: '2020-01-01', until: '2020-12-31', ...expiry })],
      'the versions of two_factor_consent overlap or are not sorted: 2020-01-01',
    ]),
    [
      'two versions that change their places',
      [
        about('two_factor_consent', '2022-06-01', { from: '2024-01-01', until: null }),
        about('two_factor_consent', '2023-04-01', { until: '2023-12-31', expires_on: '2023-06-30' }),
      ],
      'the versions of two_factor_consent overlap or are not sorted: 2023-04-01',
    ],
  ])('do not fit: %s', (_, overrides, message) => {
    expect(messageOf(...overrides)).toBe(message);
  });
});
