import { z } from 'zod';
import { debitRules, debitVariables } from './config.ts';

const HOUR_MS = 3_600_000;

describe('the variables of debits', () => {
  const read = (env: Record<string, string>) => z.object(debitVariables).safeParse(env);

  it('have the values of the policies by default, and each can be changed (POL-5)', () => {
    expect(debitRules(z.object(debitVariables).parse({}))).toMatchObject({
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
    expect(debitRules(z.object(debitVariables).parse(env))).toMatchObject({
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
