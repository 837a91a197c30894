import { nearestParameters } from '@fundrail/policies';
import { providerVariables, type ProviderEnvironment } from '@fundrail/providers';
import {
  baseUrlVariable,
  configProvider,
  networksVariable,
  numberVariable,
  wholeNumber,
} from '@fundrail/service-kit';
import { HolidayList } from '@fundrail/service-kit/holidays';
import type { Network } from '@fundrail/service-kit/http';
import { z } from 'zod';

const LOCAL_BASE_URL = 'http://127.0.0.1:3000';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const minutes = (value: number) => numberVariable(0.01, 1440, 'number of minutes').prefault(String(value));

/** The rule by which UPI_STATUS_FIRST_SECONDS is checked, on the day of the start by the computer's clock (POL-5). */
const asking = () => nearestParameters('upi_status_enquiry', new Date());

const schema = z
  .object({
    SANDBOX: z.enum(['true', 'false'], 'must be true or false').default('false'),
    PUBLIC_BASE_URL: baseUrlVariable.default(LOCAL_BASE_URL),
    /** TIME-1 to TIME-4. */
    PAYMENT_EXPIRY_MINUTES: minutes(30),
    UPI_URI_EXPIRY_MINUTES: minutes(10),
    UPI_COLLECT_EXPIRY_MINUTES: minutes(5),
    TOKEN_URL_EXPIRY_MINUTES: minutes(15),
    /** When a provider is first asked about a payment by UPI, that of the policy by default. NPCI allows less than 90 s once it says so. */
    UPI_STATUS_FIRST_SECONDS: numberVariable(
      () => asking().first_seconds_least,
      () => asking().first_seconds,
      'number of seconds',
    ).optional(),
    FAILED_PAYMENT_WATCH_DAYS: numberVariable(0.01, 30, 'number of days').prefault('3'),
    /** The networks of the edge, as CIDRs: X-Forwarded-For is trusted from these only. */
    TRUSTED_PROXIES: networksVariable,
    /** Limit of posts to the capture route from one address. Behind a carrier's NAT many investors share an address. */
    CAPTURE_RATE_PER_SECOND: numberVariable(0.01, 10_000).prefault('10'),
    CAPTURE_BURST: numberVariable(1, 100_000).prefault('50'),
    /** By default as long as an unconfirmed order is held (ORD-22 `order_expiry`, decision 0014), so that the debit does not hold it longer. */
    DEBIT_CONFIRM_BUSINESS_DAYS: wholeNumber(1, 30, ' of business days').prefault('7'),
  })
  .superRefine((env, context) => {
    // Links with the default address would lead investors to their own machine.
    if (env.SANDBOX !== 'true' && env.PUBLIC_BASE_URL === LOCAL_BASE_URL)
      context.addIssue({
        code: 'custom',
        path: ['PUBLIC_BASE_URL'],
        message: 'must be the https address where clients reach the product',
      });
  })
  .and(providerVariables)
  .transform((env): PaymentsConfig => ({
    sandbox: env.SANDBOX === 'true',
    publicBaseUrl: env.PUBLIC_BASE_URL.replace(/\/+$/, ''),
    providers: env,
    times: {
      fromCreationMs: env.PAYMENT_EXPIRY_MINUTES * MINUTE_MS,
      fromUriMs: env.UPI_URI_EXPIRY_MINUTES * MINUTE_MS,
      fromCollectMs: env.UPI_COLLECT_EXPIRY_MINUTES * MINUTE_MS,
      tokenMs: env.TOKEN_URL_EXPIRY_MINUTES * MINUTE_MS,
      firstStatusSeconds: env.UPI_STATUS_FIRST_SECONDS,
    },
    trustedProxies: env.TRUSTED_PROXIES,
    captureRate: { perSecond: env.CAPTURE_RATE_PER_SECOND, burst: env.CAPTURE_BURST },
    watchFailedMs: env.FAILED_PAYMENT_WATCH_DAYS * DAY_MS,
    confirmBusinessDays: env.DEBIT_CONFIRM_BUSINESS_DAYS,
    holidays: new HolidayList(),
  }));

/** How long a payment waits for the investor, in milliseconds (TIME-1 to TIME-4). */
export interface PaymentTimes {
  readonly fromCreationMs: number;
  readonly fromUriMs: number;
  readonly fromCollectMs: number;
  /** For a `token_url` that is not opened. */
  readonly tokenMs: number;
  /** How long after a UPI request the provider is asked about it first, in seconds; that of `upi_status_enquiry` when left out. */
  readonly firstStatusSeconds?: number | undefined;
}

/** The variables of payments, besides those that every service has. Parsed once at the start. */
export abstract class PaymentsConfig {
  abstract readonly sandbox: boolean;
  /** The start of links to this product, without a trailing slash. */
  abstract readonly publicBaseUrl: string;
  /** What the payment providers are built from. */
  abstract readonly providers: ProviderEnvironment;
  abstract readonly times: PaymentTimes;
  /** The networks whose X-Forwarded-For is trusted. */
  abstract readonly trustedProxies: readonly Network[];
  /** The limit of posts to the capture route from one address. */
  abstract readonly captureRate: { readonly perSecond: number; readonly burst: number };
  /** How long the provider is asked about a FAILED payment, in case it succeeds late. */
  abstract readonly watchFailedMs: number;
  /** How many business days a debit waits for its order to be confirmed. It ends at 00:00 IST of the next one. */
  abstract readonly confirmBusinessDays: number;
  /** A copy of the one holiday list, which is updated while the service runs (CONV-33). */
  abstract readonly holidays: HolidayList;
}

export const paymentsConfig = configProvider(PaymentsConfig, schema);
