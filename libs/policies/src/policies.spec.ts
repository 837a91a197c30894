import {
  addDays,
  Decimal,
  istInstant,
  SEEDED_HOLIDAYS,
  TOPICS,
  type SchemeCategory,
} from '@fundrail/contracts';
import { FakeClock } from '@fundrail/testing';
import type { Choice, Policy } from './define-policy.ts';
import { nearestParameters, policiesOf } from './judge.ts';
import { retentionEnds } from './personal-data-retention.policy.ts';
import { POLICIES, type PolicyName } from './policies.ts';
import { isValidatedHandle } from './validated-upi-handle.policy.ts';

type Policies = ReturnType<typeof policiesOf>;
const ALL: readonly (readonly [string, Policy])[] = Object.entries(POLICIES);
const rupees = (text: string) => Decimal.parse(text);

/** The cases that claim a policy. Each is run with all policies, and once more without its own, where it must fail. */
const CROSSED = new Map<string, ((policies: Policies) => void)[]>();
function crosses(name: PolicyName, what: string, check: (policies: Policies) => void): void {
  CROSSED.set(name, [...(CROSSED.get(name) ?? []), check]);
  it(`${name}: ${what}`, () => {
    check(policiesOf(POLICIES));
  });
  it(`${name}, taken out, fails: ${what}`, () => {
    const { [name]: _, ...others } = POLICIES;
    expect(() => {
      check(policiesOf(others));
    }).toThrow();
  });
}

/** Every version of every policy a day earlier, a day later, and with each of its parameters changed. */
const MUTATIONS = ALL.flatMap(([name, policy]) =>
  policy.versions.flatMap((version) =>
    mutationsOf(version).map(
      ([change, mutated]) =>
        [name as PolicyName, `from ${version.from}`, change, withVersion(policy, version, mutated)] as const,
    ),
  ),
);

type Mutation = readonly [change: string, mutated: Policy['versions'][number]];

function mutationsOf(version: Policy['versions'][number]): Mutation[] {
  const moved = (days: number) => ({ ...version, from: addDays(version.from, days) });
  const changed = (name: string, value: Policy['versions'][number]['parameters'][string]): Mutation => [
    `with ${name} ${JSON.stringify(value)}`,
    { ...version, parameters: { ...version.parameters, [name]: value } },
  ];
  return [
    ['a day earlier', moved(-1)],
    ['a day later', moved(1)],
    ...Object.entries(version.parameters).flatMap(([name, value]) => {
      if (typeof value === 'number') return [changed(name, value - 1), changed(name, value + 1)];
      if (typeof value === 'boolean') return [changed(name, !value)];
      return [changed(name, Array.isArray(value) ? [...value, 'another'] : `not ${value}`)];
    }),
  ];
}

/** The version before ends the day before, so that it hides no change of the day between them. */
function withVersion(
  policy: Policy,
  old: Policy['versions'][number],
  by: Policy['versions'][number],
): Policy {
  const [first, ...others] = policy.versions;
  const swap = (version: Policy['versions'][number]) => {
    if (version === old) return by;
    return version.until === addDays(old.from, -1) ? { ...version, until: addDays(by.from, -1) } : version;
  };
  return { ...policy, versions: [swap(first), ...others.map(swap)] };
}

function withPolicy<R extends Readonly<Record<string, Policy>>>(registry: R, policy: Policy): R {
  const after: Record<string, Policy> = { ...registry, [policy.name]: policy };
  return after as R;
}

describe('the dates (POL-1)', () => {
  const EDGES = ALL.flatMap(([name, { versions }]) =>
    versions.map(({ from, until }) => [name as PolicyName, from, until] as const),
  );

  it.each(EDGES)('%s holds from 00:00 IST of %s to the last millisecond of %s', (name, from, until) => {
    const { policyAt } = policiesOf(POLICIES);
    const clock = new FakeClock(istInstant(from));
    const heldFrom = () => policyAt(name, clock.now())?.from ?? null;
    expect(heldFrom()).toBe(from);
    clock.advance(-1);
    expect(heldFrom()).not.toBe(from);
    if (until === null) return;
    clock.advance(istInstant(addDays(until, 1)).getTime() - clock.now().getTime() - 1);
    expect(heldFrom()).toBe(from);
    clock.advance(1);
    expect(heldFrom()).not.toBe(from);
  });
});

describe('what each policy decides, on both sides of its day and its limit (POL-2)', () => {
  /** The last millisecond without the rule, and the first with it. */
  const edge = (from: string) => {
    const first = istInstant(from);
    return [new Date(first.getTime() - 1), first] as const;
  };

  crosses(
    'upi_per_transaction_limit',
    'a UPI payment is at most ₹5,00,000, ₹2,00,000 unverified, to the paisa',
    (p) => {
      const [last, first] = edge('2025-09-15');
      const [before, begun] = edge('2020-04-01');
      const refused = (at: Date, amount: string, choice: Choice | null) =>
        p.judge('upi_per_transaction_limit', at, choice, { amount: rupees(amount) });
      const codes = (choice: Choice | null, ...amounts: string[]) =>
        amounts.map((amount) => refused(first, amount, choice)?.code ?? null);
      const [over, verified] = ['UPI_LIMIT_EXCEEDED', { verified_merchant: true }];
      expect(codes(verified, '499999.99', '500000', '500000.01')).toEqual([null, null, over]);
      expect(codes(null, '199999.99', '200000', '200000.01')).toEqual([null, null, over]);
      expect(codes({ ...verified, max: 100_000 }, '99999.99', '100000', '100000.01')).toEqual([
        null,
        null,
        over,
      ]);
      expect(codes({ max: 100_000 }, '100000', '100000.01')).toEqual([null, over]);
      expect(p.parametersFor('upi_per_transaction_limit', last, null)).toEqual({
        ...{ max: 200_000, max_unverified: 200_000, verified_merchant: false },
      });
      for (const at of [begun, last])
        expect(
          ['199999.99', '200000', '200000.01'].map((amount) => refused(at, amount, verified)?.code ?? null),
        ).toEqual([null, null, over]);
      expect([begun, last].map((at) => refused(at, '200000.01', { max: 300_000 })?.code)).toEqual([
        over,
        over,
      ]);
      expect(refused(before, '200000.01', verified)).toBeNull();
      expect(refused(first, '1334567.50', verified)).toMatchObject({
        message:
          'UPI takes at most ₹5,00,000 in one payment (from 2025-09-15), not ₹13,34,567.50. Leave out `method` and `upi`, or pay fewer orders at once.',
        policy: {
          investor: {
            en: 'UPI payments are limited to ₹5,00,000. Please use net banking.',
            hi: 'UPI से एक बार में अधिकतम ₹5,00,000 का भुगतान हो सकता है। कृपया नेट बैंकिंग से भुगतान करें।',
          },
        },
      });
    },
  );

  crosses(
    'upi_daily_limit',
    'the UPI payments of 24 hours are at most ₹10,00,000, to the paisa, where they are checked',
    (p) => {
      const [before, first] = edge('2025-09-15');
      const codes = (at: Date, choice: Choice | null) =>
        ['999999.99', '1000000', '1000000.01'].map(
          (total) => p.judge('upi_daily_limit', at, choice, { total: rupees(total) })?.code ?? null,
        );
      expect(codes(first, null)).toEqual([null, null, 'UPI_DAILY_LIMIT_EXCEEDED']);
      expect(codes(first, { check: 'off' })).toEqual([null, null, null]);
      expect(p.judge('upi_daily_limit', first, null, { total: rupees('1000000.01') })?.message).toBe(
        'The account would pay ₹10,00,000.01 by UPI in 24 hours; the limit is ₹10,00,000 (from 2025-09-15). Leave out `method` and `upi`, or pay later.',
      );
      expect(codes(before, null)).toEqual([null, null, null]);
      expect(p.parametersFor('upi_daily_limit', first, null)?.check).toBe('on');
      expect(p.parametersFor('upi_daily_limit', before, { check: 'off' })).toBeNull();
      expect(p.parametersFor('upi_daily_limit', first, { check: 'off' })).toMatchObject({ check: 'off' });
    },
  );

  crosses(
    'upi_collect',
    'collect ends on 28 February 2026, except where the operator has enabled it and names the exemption',
    (p) => {
      const [before, first] = edge('2026-02-28');
      /** By the API, and on the page of a phone. */
      const asked = (at: Date, exemption: string | null, upi_collect_enabled = true) =>
        [false, true].map((on_ios_or_mobile_web) => {
          const facts = { upi_collect_enabled, on_ios_or_mobile_web };
          return p.judge('upi_collect', at, exemption === null ? null : { exemption }, facts)?.code ?? null;
        });
      const refused = 'UPI_COLLECT_DISABLED';
      expect([asked(before, null, false), asked(before, null)]).toEqual([
        [null, null],
        [null, null],
      ]);
      expect(asked(first, null)).toEqual([refused, refused]);
      const facts = { upi_collect_enabled: false, on_ios_or_mobile_web: false };
      expect(p.judge('upi_collect', first, null, facts)?.message).toContain(
        'ended on 2026-02-28, except for mcc_6012, mcc_6211 (IPO, secondary market), ios_or_mobile_web (until further notice). ',
      );
      expect(p.parametersFor('upi_collect', first, null)?.exemption).toBe('none');
      for (const category of ['mcc_6012', 'mcc_6211']) {
        expect(asked(first, category)).toEqual([null, null]);
        expect(asked(first, category, false)).toEqual([refused, refused]);
      }
      expect(asked(first, 'ios_or_mobile_web')).toEqual([refused, null]);
      expect(asked(first, 'ios_or_mobile_web', false)).toEqual([refused, refused]);
    },
  );

  crosses(
    'validated_upi_handle',
    'money is collected at name.<suffix>@valid<bank> from 1 October 2025',
    (p) => {
      const [before, first] = edge('2025-10-01');
      expect(p.policyAt('validated_upi_handle', before)).toBeNull();
      const rule = (choice: Choice | null) => p.parametersFor('validated_upi_handle', first, choice);
      expect([rule(null)?.mode, rule({ mode: 'require' })?.mode]).toEqual(['warn', 'require']);
      expect(rule(null)?.earlier_ids_end).toBe('2025-12-08');
      const fits = (upiId: string, choice: Choice | null = null) =>
        isValidatedHandle(upiId, rule(choice)?.suffixes);
      expect(['acme.mf@validhdfc', 'acme.in.mf@validsbi', 'acme9.mf@valid1'].map((id) => fits(id))).toEqual([
        true,
        true,
        true,
      ]);
      const wrong = ['acme@hdfc', 'acme.mf@hdfc', 'acme.mf@valid', 'mf@validhdfc', '.mf@validhdfc'];
      const other = ['acme.brk@validhdfc', 'acme.mf@validhdfc ', 'Acme.mf@validhdfc', 'x@y.mf@validhdfc'];
      expect([...wrong, ...other].filter((id) => fits(id))).toEqual([]);
      expect(fits('acme.brk@validhdfc', { suffixes: 'mf,brk' })).toBe(true);
      expect(isValidatedHandle('acme.brk@validhdfc')).toBe(true);
    },
  );

  crosses('autopay_afa_limit', 'a UPI mandate is at most ₹1,00,000, to the paisa (POL-4)', (p) => {
    const [last, first] = edge('2023-12-12');
    const [before, begun] = edge('2022-06-16');
    const refusal = (at: Date, limit: string) =>
      p.judge('autopay_afa_limit', at, null, { mandate_limit: rupees(limit) });
    expect(['99999.99', '100000', '100000.01'].map((limit) => refusal(first, limit)?.code ?? null)).toEqual([
      null,
      null,
      'MANDATE_LIMIT_EXCEEDED',
    ]);
    for (const at of [begun, last])
      expect(['14999.99', '15000', '15000.01'].map((limit) => refusal(at, limit)?.code ?? null)).toEqual([
        ...[null, null, 'MANDATE_LIMIT_EXCEEDED'],
      ]);
    expect(refusal(before, '15000.01')).toBeNull();
    expect(refusal(first, '100000.01')).toMatchObject({
      status: 422,
      message: 'A UPI mandate is at most ₹1,00,000 (from 2023-12-12), not ₹1,00,000.01; use `E_MANDATE`.',
      policy: {
        name: 'autopay_afa_limit',
        in_force_from: '2023-12-12',
        investor: {
          en: 'A UPI mandate can allow ₹1,00,000 at most. Choose a mandate at your bank.',
          hi: 'UPI मैंडेट अधिकतम ₹1,00,000 का हो सकता है। अपने बैंक का मैंडेट चुनें।',
        },
      },
    });
  });

  crosses('mandate_validity', 'an e-mandate is at most ₹1,00,00,000, to the paisa, and 30 years', (p) => {
    const [before, first] = edge('2023-10-01');
    const asked = (at: Date, limit: string) =>
      p.judge('mandate_validity', at, null, { mandate_limit: rupees(limit) })?.code ?? null;
    expect(['9999999.99', '10000000', '10000000.01'].map((limit) => asked(first, limit))).toEqual([
      null,
      null,
      'MANDATE_LIMIT_EXCEEDED',
    ]);
    expect(asked(before, '10000000.01')).toBeNull();
    expect(p.policyAt('mandate_validity', first)?.parameters.years).toBe(30);
  });

  crosses('autopay_windows', 'the peak hours and the attempts come from 1 August 2025', (p) => {
    const [before, first] = edge('2025-08-01');
    expect(p.policyAt('autopay_windows', before)).toBeNull();
    expect(p.policyAt('autopay_windows', first)?.parameters).toEqual({
      peak: '10:00-13:00,17:00-21:30',
      windows: '13:00-17:00,21:30-10:00',
      attempts: 4,
    });
  });

  crosses(
    'pre_debit_notice',
    'a day lies between debit and notice, which has five facts, from 21 April 2026',
    (p) => {
      const [before, first] = edge('2026-04-21');
      expect(p.policyAt('pre_debit_notice', before)).toBeNull();
      const facts = ['merchant', 'amount', 'time', 'mandate reference', 'reason'];
      expect(p.policyAt('pre_debit_notice', first)?.parameters).toEqual({ least_hours: 24, facts });
    },
  );

  crosses('debit_opt_out', 'the payer refuses one debit and keeps the mandate from 21 April 2026', (p) => {
    const [before, first] = edge('2026-04-21');
    expect(p.policyAt('debit_opt_out', before)).toBeNull();
    expect(p.policyAt('debit_opt_out', first)?.parameters).toEqual({ until: 'execution', mandate: 'kept' });
  });

  crosses('mandate_modification', 'the payer changes limit and validity from 21 April 2026', (p) => {
    const [before, first] = edge('2026-04-21');
    expect(p.policyAt('mandate_modification', before)).toBeNull();
    const parameters = { at: 'issuer', changes: ['mandate_limit', 'valid_to'] };
    expect(p.policyAt('mandate_modification', first)?.parameters).toEqual(parameters);
  });

  crosses(
    'mandate_subscriptions_only',
    'no mandate pays a withdrawal from 1 July 2022 where so chosen',
    (p) => {
      const [before, first] = edge('2022-07-01');
      const asked = (at: Date, choice: Choice | null, by_mandate = true) =>
        p.judge('mandate_subscriptions_only', at, choice, { by_mandate })?.code ?? null;
      const refuse = { mode: 'refuse' };
      expect([asked(before, refuse), asked(first, refuse)]).toEqual([null, 'MANDATE_FOR_SUBSCRIPTIONS_ONLY']);
      expect([asked(first, refuse, false), asked(first, null), asked(first, { mode: 'allow' })]).toEqual([
        null,
        null,
        null,
      ]);
    },
  );

  crosses('nach_debit_days', 'a retry needs no business day from 1 August 2021', (p) => {
    const [before, first] = edge('2021-08-01');
    expect(p.policyAt('nach_debit_days', before)).toBeNull();
    expect(p.policyAt('nach_debit_days', first)?.parameters.retries_on).toBe('calendar_day');
    const firstOn = (choice: Choice | null) => p.parametersFor('nach_debit_days', first, choice)?.first_on;
    expect(firstOn(null)).toBe('business_day');
    expect(firstOn({ first_on: 'calendar_day' })).toBe('calendar_day');
  });

  crosses('third_party_payment', 'no account of another person pays from 1 July 2022', (p) => {
    const [before, first] = edge('2022-07-01');
    expect(p.policyAt('third_party_payment', before)).toBeNull();
    expect(p.policyAt('third_party_payment', first)?.parameters.exceptions).toEqual([]);
  });

  crosses(
    'two_factor_consent',
    'a redemption from 1 June 2022, a purchase from 1 April 2023, needs its proof',
    (p) => {
      const [[before, first], [last, second]] = [edge('2022-06-01'), edge('2023-04-01')];
      const asked = (
        at: Date,
        order: string,
        choice: Choice | null = { evidence: 'required' },
        has_evidence = false,
      ) => p.judge('two_factor_consent', at, choice, { order, has_evidence })?.code ?? null;
      const missing = 'TWO_FACTOR_MISSING';
      expect([before, first].map((at) => asked(at, 'redemption'))).toEqual([null, missing]);
      expect([last, second].map((at) => asked(at, 'purchase'))).toEqual([null, missing]);
      expect(asked(second, 'redemption')).toBe(missing);
      expect([
        asked(second, 'purchase', null),
        asked(second, 'purchase', { evidence: 'required' }, true),
      ]).toEqual([null, null]);
      expect(asked(first, 'redemption', null)).toBeNull();
      for (const [at, orders] of [
        [first, ['redemption']],
        [second, ['purchase', 'redemption']],
      ] as const) {
        const own = (max_age_minutes: number) =>
          p.parametersFor('two_factor_consent', at, { max_age_minutes });
        expect([own(31)?.max_age_minutes, own(29)?.max_age_minutes]).toEqual([30, 29]);
        expect(own(30)?.orders).toEqual(orders);
      }
    },
  );
  crosses('sip_auto_cancellation', 'a purchase plan ends after 3 unpaid installments, 2 rare ones', (p) => {
    const [before, first] = edge('2024-04-01');
    expect(p.policyAt('sip_auto_cancellation', before)).toBeNull();
    expect(p.policyAt('sip_auto_cancellation', first)?.parameters).toEqual({
      failures: 3,
      failures_quarterly_or_longer: 2,
    });
  });

  crosses('personal_data_retention', 'personal data stays a year, records of orders eight', (p) => {
    const [before, first] = edge('2027-05-13');
    const figures = (at: Date, choice: Choice | null) =>
      p.parametersFor('personal_data_retention', at, choice);
    const law = { personal_data_days: 365, log_days: 366, record_years: 8 };
    expect(figures(before, null)).toBeNull();
    expect(figures(first, null)).toEqual(law);
    expect(figures(first, { personal_data_days: 364, log_days: 999, record_years: 7 })).toEqual(law);
    const longer = { personal_data_days: 366, record_years: 9 };
    expect(figures(first, longer)).toEqual({ ...law, ...longer });
  });

  it('personal_data_retention: the last day is kept to its end, also that of a leap year', () => {
    const figures = { personal_data_days: 365, record_years: 8 };
    const ends = (processed: string, ordered: string | null) =>
      retentionEnds(figures, {
        processedAt: new Date(processed),
        orderedAt: ordered === null ? null : new Date(ordered),
      });
    expect(ends('2027-06-01T23:59:59.999+05:30', null)).toEqual({ personal: '2028-06-01', records: null });
    expect(ends('2027-06-02T00:00:00.000+05:30', null)).toEqual({ personal: '2028-06-02', records: null });
    expect(ends('2029-01-01T10:00:00.000+05:30', '2028-02-29T10:00:00.000+05:30')).toEqual({
      ...{ personal: '2030-01-02', records: '2036-03-01' },
    });
  });

  it('personal_data_retention: events have left every topic before a person can be erased', () => {
    const days = Math.max(...TOPICS.map(({ retentionMs }) => retentionMs)) / 86_400_000;
    expect(days).toBeLessThan(
      nearestParameters('personal_data_retention', istInstant('2026-12-21')).personal_data_days,
    );
  });

  crosses(
    'nav_cut_off',
    'an order gets the NAV of its day up to 15:00 (13:30, 19:00) from 1 February 2021 and 1 June 2025',
    (p) => {
      const [before, first] = edge('2021-02-01');
      const [last, second] = edge('2025-06-01');
      const other = (accepted: Date) => p.navDate({ category: 'other', accepted, funds: null }, new Map());
      expect([other(before), other(first)]).toEqual([null, '2021-02-01']);
      const times = [last, second].map(
        (at) => p.policyAt('nav_cut_off', at)?.parameters.redemption_overnight,
      );
      expect(times).toEqual(['15:00', '19:00']);
      // Monday, 2 June 2025, and Friday, 5 March 2021: each time, one millisecond before, at it, and after.
      const crossing = (day: string, time: string, category: SchemeCategory, isPurchase: boolean) =>
        [-1, 0, 1].map((ms) => {
          const at = new Date(istInstant(day, time).getTime() + ms);
          const funds = isPurchase ? { at, by: null } : null;
          return p.navDate({ category, accepted: at, funds }, new Map());
        });
      const [monday, tuesday] = ['2025-06-02', '2025-06-03'];
      expect(crossing(monday, '15:00', 'other', true)).toEqual([monday, monday, tuesday]);
      expect(crossing(monday, '13:30', 'liquid', true)).toEqual(['2025-06-01', '2025-06-01', monday]);
      expect(crossing(monday, '15:00', 'other', false)).toEqual([monday, monday, tuesday]);
      expect(crossing(monday, '19:00', 'overnight', false)).toEqual([monday, monday, tuesday]);
      const [friday, next] = ['2021-03-05', '2021-03-08'];
      expect(crossing(friday, '15:00', 'overnight', false)).toEqual(['2021-03-07', '2021-03-07', next]);
      expect(crossing(friday, '15:00', 'other', true)).toEqual([friday, friday, next]);
      expect(crossing(friday, '15:00', 'other', false)).toEqual([friday, friday, next]);
      expect(crossing(friday, '13:30', 'overnight', true)).toEqual([
        '2021-03-04',
        '2021-03-04',
        '2021-03-07',
      ]);
    },
  );

  crosses(
    'redemption_payout',
    'a redemption is paid out within 3 working days, 5 overseas, from 14 January 2023',
    (p) => {
      const [before, first] = edge('2023-01-14');
      expect(p.policyAt('redemption_payout', before)).toBeNull();
      expect(p.policyAt('redemption_payout', first)?.parameters.interest_percent).toBe(15);
      const due = (traded_on: string, is_overseas = false) =>
        p.payoutDay({ traded_on, is_overseas }, SEEDED_HOLIDAYS);
      expect([due('2023-01-13'), due('2023-01-16'), due('2023-01-16', true)]).toEqual([
        null,
        '2023-01-19',
        '2023-01-23',
      ]);
      // Over a weekend and Tuesday, 10 November 2026, a holiday.
      expect([due('2026-11-06'), due('2026-11-06', true)]).toEqual(['2026-11-12', '2026-11-16']);
    },
  );

  crosses(
    'upi_status_enquiry',
    'a UPI transaction is asked about after 90 s, 10 and 60 min, then hourly',
    (p) => {
      const [before, first] = edge('2025-04-26');
      const question = (asked: number, elapsedMs: number, firstSeconds?: number) => {
        const next = p.upiQuestion(
          { start: first, asked, firstSeconds },
          new Date(first.getTime() + elapsedMs),
        );
        return next && [(next.at.getTime() - first.getTime()) / 1000, next.position];
      };
      expect(p.upiQuestion({ start: before, asked: 0 }, before)).toBeNull();
      const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
      // Each time, one millisecond before, at it, and after: without a question the place in the row follows from the time.
      for (const [at, next] of [
        [90_000, [600, 2]],
        [10 * MINUTE_MS, [3_600, 3]],
        [60 * MINUTE_MS, [7_500, 4]],
        [125 * MINUTE_MS, [11_100, 4]],
        [125 * MINUTE_MS + 20 * HOUR_MS, [7_500 + 21 * 3_600, 4]],
      ] as const) {
        expect(question(0, at - 1)?.[0]).toBe(at / 1000);
        expect([question(0, at), question(0, at + 1)]).toEqual([next, next]);
      }
      expect(question(0, 0)).toEqual([90, 1]);
      expect([question(0, 44_999, 45), question(0, 45_000, 45)]).toEqual([
        [45, 1],
        [600, 2],
      ]);
      // A question that was asked early takes the place of the next one.
      expect([1, 2, 3, 4].map((asked) => question(asked, 0))).toEqual([
        [600, 2],
        [3_600, 3],
        [7_500, 4],
        [7_500, 4],
      ]);
      // One that an operator asked takes the place of the next planned one, however the row counts.
      const instant = (elapsedMs: number) => new Date(first.getTime() + elapsedMs);
      const early = [3, 5].map((minutes) => instant(minutes * MINUTE_MS));
      const asked = { start: first, early };
      const allowed = (elapsedMs: number) =>
        (p.upiAllowedFrom(asked, instant(elapsedMs)).getTime() - first.getTime()) / 1000;
      expect([allowed(89_999), allowed(90_000)]).toEqual([90, 90]);
      expect([allowed(5 * MINUTE_MS - 1), allowed(5 * MINUTE_MS)]).toEqual([299.999, 7_200]);
      // A client's cancellation asks nothing before the first question, and leaves the last one to the schedule.
      const mayCancel = (ms: number, earlier: readonly Date[] = []) =>
        p.mayUpiCancellationAsk({ start: first, early: earlier }, instant(ms));
      expect([89_999, 90_000, 10 * MINUTE_MS - 1, 10 * MINUTE_MS].map((ms) => mayCancel(ms))).toEqual([
        ...[false, true, true, false],
      ]);
      const once = [instant(3 * MINUTE_MS)];
      expect([3 * MINUTE_MS - 1, 3 * MINUTE_MS].map((ms) => mayCancel(ms, once))).toEqual([true, false]);
      expect([2 * HOUR_MS - 1, 2 * HOUR_MS].map((ms) => mayCancel(ms, early))).toEqual([false, true]);
      expect([allowed(2 * HOUR_MS - 1), allowed(2 * HOUR_MS)]).toEqual([7_200, 7_200]);
      expect(p.upiQuestion({ ...asked, asked: 0 }, instant(6 * MINUTE_MS))).toEqual({
        at: instant(125 * MINUTE_MS),
        position: 4,
      });
      const taken = (minutes: number, position: number) =>
        p.isUpiTaken(asked, { at: instant(minutes * MINUTE_MS), position });
      expect([taken(1.5, 1), taken(5, 3), taken(10, 2), taken(10, 0), taken(60, 3), taken(125, 4)]).toEqual([
        ...[false, false, true, false, true, false],
      ]);
      expect(p.parametersFor('upi_status_enquiry', first, null)).toMatchObject({
        first_seconds_least: 45,
        most: 3,
        within_minutes: 120,
      });
    },
  );

  it('has a case for every policy (POL-6)', () => {
    expect([...CROSSED.keys()].sort()).toEqual(Object.keys(POLICIES).sort());
  });

  it.each(MUTATIONS)('fails a case when %s %s is %s (POL-6)', (name, _version, _change, changed) => {
    const mutated = policiesOf(withPolicy(POLICIES, changed));
    const failed = (CROSSED.get(name) ?? []).filter((check) => {
      try {
        check(mutated);
        return false;
      } catch {
        return true;
      }
    });
    expect(failed.length).toBeGreaterThan(0);
  });
});
