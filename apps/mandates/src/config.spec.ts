import type { PolicyOverride } from '@fundrail/contracts';
import { readWindows, usePolicies } from '@fundrail/policies';
import { HolidayList } from '@fundrail/service-kit/holidays';
import { z } from 'zod';
import { debitRules, debitVariables } from './config.ts';
import { NOW } from './testing/mandate.builder.ts';

const HOUR_MS = 3_600_000;
const rulesBy = (env: Record<string, string>) =>
  debitRules(z.object(debitVariables).parse(env), new HolidayList());

describe('the variables of debits', () => {
  const read = (env: Record<string, string>) => z.object(debitVariables).safeParse(env);

  it('have the values of the policies by default, and each can be changed (POL-5)', () => {
    expect(rulesBy({})(NOW)).toMatchObject({
      noticeMs: 25 * HOUR_MS,
      mostAttempts: 4,
      firstStatusSeconds: 90,
    });
    const env = {
      DEBIT_NOTICE_HOURS: '30',
      DEBIT_WINDOWS: '01:00-02:00',
      DEBIT_MOST_ATTEMPTS: '2',
      EMANDATE_RETRY_DAYS: '0',
      UPI_STATUS_FIRST_SECONDS: '45',
    };
    expect(rulesBy(env)(NOW)).toMatchObject({
      noticeMs: 30 * HOUR_MS,
      windows: [{ from: 60, to: 120 }],
      mostAttempts: 2,
      emandateRetryDays: 0,
      firstStatusSeconds: 45,
    });
  });

  it.each([
    { DEBIT_NOTICE_HOURS: '23.9' },
    { DEBIT_MOST_ATTEMPTS: '5' },
    { DEBIT_WINDOWS: 'always' },
    { DEBIT_WINDOWS: '10:00-10:20' },
    { EMANDATE_DEBIT_FROM: '24:00' },
    { UPI_STATUS_FIRST_SECONDS: '44.9' },
    { UPI_STATUS_FIRST_SECONDS: '90.1' },
  ])('%p is refused', (env) => {
    expect(read(env).success).toBe(false);
  });

  it.each([
    '13:00-17:01',
    '09:00-10:01',
    '12:59-14:00',
    '21:29-23:00',
    '00:00-24:00',
    '21:30-10:00,11:00-12:00',
    '20:00-18:00',
  ])("refuse %s with a message that contains NPCI's peak hours", (windows) => {
    const { error } = read({ DEBIT_WINDOWS: windows });
    expect(error?.issues.map(({ message }) => message)).toEqual([
      "must leave out NPCI's peak hours 10:00-13:00,17:00-21:30 (IST), in which no mandate may be debited",
    ]);
  });

  it.each(['13:00-17:00', '21:30-10:00', '00:00-10:00', '21:30-24:00'])(
    'accept %s, which borders on the peak hours',
    (windows) => {
      expect(read({ DEBIT_WINDOWS: windows }).success).toBe(true);
    },
  );
});

describe('the rules of debits when an override of their policies expires (POL-5)', () => {
  const [last, next] = ['2099-12-31T23:59:59.999+05:30', '2100-01-01T00:00:00.000+05:30'].map(
    (at) => new Date(at),
  );
  const by = { reason: 'our acquirer has confirmed it in writing', by: 'A Person', expires_on: '2099-12-31' };
  const entry = (policy: string, version: string, parameters: PolicyOverride['parameters']) => ({
    ...{ policy, version, parameters, ...by },
    at: '2026-11-01T10:00:00.000+05:30',
  });
  const WINDOWS = readWindows('13:00-17:00,21:30-10:00');
  beforeEach(() => {
    usePolicies([
      entry('autopay_windows', '2025-08-01', { peak: '10:00-13:00', windows: '13:00-10:00', attempts: 6 }),
      entry('pre_debit_notice', '2026-04-21', { least_hours: 48 }),
      entry('upi_status_enquiry', '2025-04-26', { first_seconds: 60 }),
    ]);
  });
  afterEach(() => {
    usePolicies([]);
  });
  const around = (env: Record<string, string>) => {
    const rules = rulesBy(env);
    return [last, next].map((at) => {
      const { noticeMs, windows, mostAttempts, firstStatusSeconds } = rules(at ?? NOW);
      return [noticeMs / HOUR_MS, windows, mostAttempts, firstStatusSeconds];
    });
  };

  it('are those of the law from the next day on, without a restart', () => {
    expect(around({})).toEqual([
      [48, readWindows('13:00-10:00'), 6, 60],
      [25, WINDOWS, 4, 90],
    ]);
  });

  it('keep a variable as far as the law allows it, and its windows where one is in peak hours', () => {
    const env = { DEBIT_NOTICE_HOURS: '50', DEBIT_MOST_ATTEMPTS: '5', UPI_STATUS_FIRST_SECONDS: '50' };
    expect(around({ ...env, DEBIT_WINDOWS: '18:00-20:00' })).toEqual([
      [50, readWindows('18:00-20:00'), 5, 50],
      [50, WINDOWS, 4, 50],
    ]);
    expect(around({ DEBIT_WINDOWS: '14:00-15:00', DEBIT_MOST_ATTEMPTS: '2' })).toEqual([
      [48, readWindows('14:00-15:00'), 2, 60],
      [25, readWindows('14:00-15:00'), 2, 90],
    ]);
  });
});
