import { z } from 'zod';
import { DEBIT_POLICY, minutesOf, readWindows } from './debit-policy.ts';
import type { DebitRules } from './debit-policy.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Each window is longer, so that every debit finds one. */
const MOST_MARGIN_MINUTES = 30;

const hours = (least: number, value: number) =>
  z.coerce.number('must be a number of hours').min(least).max(720).default(value);
const windows = z
  .string()
  .default(DEBIT_POLICY.windows.default)
  .transform((text, context) => {
    const read = readWindows(text);
    if (read?.every((window) => minutesOf(window) > MOST_MARGIN_MINUTES)) return read;
    const message = `must be like ${DEBIT_POLICY.windows.default}, each over ${MOST_MARGIN_MINUTES} minutes`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be like 10:00');

/** The variables of the debit policy; times of day are IST. */
export const debitVariables = {
  DEBIT_NOTICE_HOURS: hours(DEBIT_POLICY.notice.least_hours, DEBIT_POLICY.notice.default_hours),
  DEBIT_WINDOWS: windows,
  DEBIT_WINDOW_MARGIN_MINUTES: z.coerce
    .number('must be a number of minutes')
    .min(0)
    .max(MOST_MARGIN_MINUTES)
    .default(5),
  DEBIT_MOST_ATTEMPTS: z.coerce
    .number('must be a number')
    .int()
    .min(1)
    .max(DEBIT_POLICY.windows.most_attempts)
    .default(DEBIT_POLICY.windows.most_attempts),
  DEBIT_RESULT_HOURS: hours(1, DEBIT_POLICY.result.default_hours),
  EMANDATE_DEBIT_FROM: timeOfDay.default(DEBIT_POLICY.e_mandate.default_from),
  EMANDATE_RETRY_DAYS: z.coerce
    .number('must be a number of days')
    .int()
    .min(0)
    .max(10)
    .default(DEBIT_POLICY.e_mandate.default_retry_days),
};

export function debitRules(env: z.output<z.ZodObject<typeof debitVariables>>): DebitRules {
  return {
    noticeMs: env.DEBIT_NOTICE_HOURS * HOUR_MS,
    windows: env.DEBIT_WINDOWS,
    windowMarginMs: env.DEBIT_WINDOW_MARGIN_MINUTES * MINUTE_MS,
    mostAttempts: env.DEBIT_MOST_ATTEMPTS,
    resultWithinMs: env.DEBIT_RESULT_HOURS * HOUR_MS,
    emandateFrom: env.EMANDATE_DEBIT_FROM,
    emandateRetryDays: env.EMANDATE_RETRY_DAYS,
  };
}
