import { PROVIDER_NAMES, type Holidays, type ProviderName } from '@fundrail/contracts';
import {
  areInPeak,
  minutesOf,
  MOST_MARGIN_MINUTES,
  nearestParameters,
  readWindows,
  type DebitWindow,
} from '@fundrail/policies';
import { providerVariables, type ProviderEnvironment } from '@fundrail/providers';
import { baseUrlVariable, configProvider, numberVariable, wholeNumber } from '@fundrail/service-kit';
import { HolidayList } from '@fundrail/service-kit/holidays';
import { z } from 'zod';
import type { DebitRules } from './debit/debit-policy.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** The rules by which variables are checked, on the day of the start by the computer's clock: no business time is known yet (POL-5). */
const autopay = () => nearestParameters('autopay_windows', new Date());
const notice = () => nearestParameters('pre_debit_notice', new Date());
const asking = () => nearestParameters('upi_status_enquiry', new Date());
/** The extra hour allows for a notice that reaches the investor late. Razorpay too debits in the 25th hour. */
const NOTICE_HOURS = 25;
/**
 * Razorpay: the result of a debit can take 36 hours
 * (https://razorpay.com/docs/payments/payment-gateway/s2s-integration/recurring-payments/upi/subsequent-payments).
 */
const RESULT_HOURS = 36;

const hours = (least: number | (() => number)) => numberVariable(least, 720, 'number of hours');
const windows = z.string().transform((text, context) => {
  const read = readWindows(text);
  const fault = windowsFault(read);
  if (read && !fault) return read;
  context.addIssue({ code: 'custom', message: fault ?? '' });
  return z.NEVER;
});

/** Why these windows are not allowed for debits, or null. */
function windowsFault(read: DebitWindow[] | null): string | null {
  const { windows: usual, peak } = autopay();
  if (!read?.every((window) => minutesOf(window) > MOST_MARGIN_MINUTES))
    return `must be like ${usual}, each over ${MOST_MARGIN_MINUTES} minutes`;
  return areInPeak(read, peak)
    ? `must leave out NPCI's peak hours ${peak} (IST), in which no mandate may be debited`
    : null;
}

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be like 10:00');

/** The variables of debits; times of day are IST. The defaults for e-mandates are those of DEB-12 and DEB-13. */
export const debitVariables = {
  DEBIT_NOTICE_HOURS: hours(() => notice().least_hours).optional(),
  DEBIT_WINDOWS: windows.optional(),
  DEBIT_WINDOW_MARGIN_MINUTES: numberVariable(0, MOST_MARGIN_MINUTES, 'number of minutes').prefault('5'),
  DEBIT_MOST_ATTEMPTS: wholeNumber(1, () => autopay().attempts).optional(),
  DEBIT_RESULT_HOURS: hours(1).prefault(String(RESULT_HOURS)),
  UPI_STATUS_FIRST_SECONDS: numberVariable(
    () => asking().first_seconds_least,
    () => asking().first_seconds,
    'number of seconds',
  ).optional(),
  EMANDATE_DEBIT_FROM: timeOfDay.default('10:00'),
  EMANDATE_RETRY_DAYS: wholeNumber(0, 10, ' of days').prefault('2'),
};

/**
 * The rules of debits at an instant of business time: as configured, within the policies of that day. A variable was checked by those of
 * the start; where other ones hold meanwhile, the nearest allowed figure counts, and their windows in place of some in peak hours.
 */
export function debitRules(
  env: z.output<z.ZodObject<typeof debitVariables>>,
  holidays: Holidays,
): (now: Date) => DebitRules {
  const { DEBIT_WINDOWS: configured } = env;
  return (now) => {
    const { attempts, peak, windows: usual } = nearestParameters('autopay_windows', now);
    const { least_hours } = nearestParameters('pre_debit_notice', now);
    const { first_seconds } = nearestParameters('upi_status_enquiry', now);
    const isAllowed = configured && !areInPeak(configured, peak);
    return {
      noticeMs: Math.max(env.DEBIT_NOTICE_HOURS ?? NOTICE_HOURS, least_hours) * HOUR_MS,
      windows: isAllowed ? configured : (readWindows(usual) ?? []),
      windowMarginMs: env.DEBIT_WINDOW_MARGIN_MINUTES * MINUTE_MS,
      mostAttempts: Math.min(env.DEBIT_MOST_ATTEMPTS ?? attempts, attempts),
      resultWithinMs: env.DEBIT_RESULT_HOURS * HOUR_MS,
      // Its questions are judged by the policy themselves.
      firstStatusSeconds: env.UPI_STATUS_FIRST_SECONDS ?? first_seconds,
      emandateFrom: env.EMANDATE_DEBIT_FROM,
      emandateRetryDays: env.EMANDATE_RETRY_DAYS,
      holidays,
    };
  };
}

/** Executions of debits that are sent to a provider in a second, over all replicas. */
type DebitsPerSecond = Readonly<Record<ProviderName, number>>;

/**
 * NPCI requires Autopay to be executed "at moderated TPS", with requests "queued and rate-limited", but gives no figure (circular
 * of 21 May 2025, as the policy `autopay_windows` cites it). Razorpay answers 429 above a limit that it does not publish either
 * (https://razorpay.com/docs/api/pagination); others do: Cashfree charges 60 a minute unless agreed otherwise
 * (https://www.cashfree.com/docs/api-reference/payments/latest/subscription/rate-limits), Stripe 25 a second of one operation
 * (https://docs.stripe.com/rate-limits). 10 a second is below the latter, and 100,000 debits fit into the afternoon's window of
 * four hours. Set it to the rate that was agreed with the provider.
 */
const DEFAULT_PER_SECOND = 10;
/** The simulator has no limit, and debits should not wait after a jump of the sandbox's clock. */
const SANDBOX_PER_SECOND = 1_000;

const perSecond = numberVariable(0.01, 100_000).optional();

type PaceVariable = `${ProviderName}_DEBITS_PER_SECOND`;

const paceVariables = Object.fromEntries(
  PROVIDER_NAMES.map((name) => [`${name}_DEBITS_PER_SECOND`, perSecond]),
) as Record<PaceVariable, typeof perSecond>;

function debitsPerSecond(
  env: z.output<z.ZodObject<typeof paceVariables>> & { readonly SANDBOX: string },
): DebitsPerSecond {
  const usual = env.SANDBOX === 'true' ? SANDBOX_PER_SECOND : DEFAULT_PER_SECOND;
  const paces = PROVIDER_NAMES.map((name) => [name, env[`${name}_DEBITS_PER_SECOND`] ?? usual]);
  return Object.fromEntries(paces) as DebitsPerSecond;
}

const schema = z
  .object({
    SANDBOX: z.enum(['true', 'false'], 'must be true or false').default('false'),
    PUBLIC_BASE_URL: baseUrlVariable.default('http://127.0.0.1:3000'),
    FAILED_PAYMENT_WATCH_DAYS: numberVariable(0.01, 30, 'number of days').prefault('3'),
    ...debitVariables,
    ...paceVariables,
  })
  .and(providerVariables)
  .transform((env): MandatesConfig => {
    const holidays = new HolidayList();
    return {
      providers: env,
      watchFailedMs: env.FAILED_PAYMENT_WATCH_DAYS * DAY_MS,
      holidays,
      debits: debitRules(env, holidays),
      debitsPerSecond: debitsPerSecond(env),
    };
  });

/** The variables of mandates, besides those that every service has. Parsed once at the start. */
export abstract class MandatesConfig {
  /** What the providers are built from. */
  abstract readonly providers: ProviderEnvironment;
  /** How long the provider is asked about a debit that has ended without money, in case it succeeds late. */
  abstract readonly watchFailedMs: number;
  /** A copy of the one holiday list, which is updated while the service runs (CONV-33). */
  abstract readonly holidays: HolidayList;
  /** The rules of debits at an instant of business time. */
  abstract readonly debits: (now: Date) => DebitRules;
  /** How many debits a second are sent to each provider, over all replicas (decision 0013). */
  abstract readonly debitsPerSecond: DebitsPerSecond;
}

export const mandatesConfig = configProvider(MandatesConfig, schema);
