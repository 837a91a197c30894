import { MANDATE_URI_CODES, type BrowserFacts, type MandateUriCodes } from '@fundrail/providers';
import {
  baseUrlVariable,
  configProvider,
  gatewaypoaAccess,
  gatewaypoaVariables,
  networksVariable,
  numberVariable,
  sdkvendorAccess,
  sdkvendorVariables,
  type GatewaypoaAccess,
  type SdkvendorAccess,
} from '@fundrail/service-kit';
import { z } from 'zod';
import { debitRules, debitVariables, type ConfiguredDebitRules } from './debit/debit-config.ts';
import { debitsPerSecond, paceVariables, type DebitsPerSecond } from './debit/sending/pace-config.ts';
import type { Network } from '@fundrail/service-kit/http';
import type { Rate } from './capture-limit/token-buckets.ts';
import type { PaymentTimes } from './payment/payment.ts';

const LOCAL_BASE_URL = 'http://127.0.0.1:3000';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const minutes = (value: number) => numberVariable(0.01, 1440, 'number of minutes').prefault(String(value));

const schema = z
  .object({
    SANDBOX: z.enum(['true', 'false'], 'must be true or false').default('false'),
    PUBLIC_BASE_URL: baseUrlVariable.default(LOCAL_BASE_URL),
    ...gatewaypoaVariables,
    /** NPCI's codes in the URIs that authorise mandates (MAN-16). */
    MANDATE_URI_PURPOSE: z
      .string()
      .regex(/^[A-Z0-9]{2}$/, 'must be two letters or digits')
      .default(MANDATE_URI_CODES.purpose),
    MANDATE_URI_MODE: z
      .string()
      .regex(/^[0-9]{2}$/, 'must be two digits')
      .default(MANDATE_URI_CODES.mode),
    ...sdkvendorVariables,
    /** The IP address from which this product calls. Razorpay requires one when the investor's browser is not known. */
    SDKVENDOR_SERVER_IP: z.union([z.ipv4(), z.ipv6()], 'should be an IP address').default('127.0.0.1'),
    /** TIME-1 to TIME-4. */
    PAYMENT_EXPIRY_MINUTES: minutes(30),
    UPI_URI_EXPIRY_MINUTES: minutes(10),
    UPI_COLLECT_EXPIRY_MINUTES: minutes(5),
    TOKEN_URL_EXPIRY_MINUTES: minutes(15),
    FAILED_PAYMENT_WATCH_DAYS: numberVariable(0.01, 30, 'number of days').prefault('3'),
    /** The networks of the edge, as CIDRs: X-Forwarded-For is trusted from these only. */
    TRUSTED_PROXIES: networksVariable,
    /** Limit of posts to the capture route from one address. Behind a carrier's NAT many investors share an address. */
    CAPTURE_RATE_PER_SECOND: numberVariable(0.01, 10_000).prefault('10'),
    CAPTURE_BURST: numberVariable(1, 100_000).prefault('50'),
    ...debitVariables,
    ...paceVariables,
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
  .transform((env): PaymentsConfig => ({
    sandbox: env.SANDBOX === 'true',
    publicBaseUrl: env.PUBLIC_BASE_URL.replace(/\/+$/, ''),
    gatewaypoa: {
      ...gatewaypoaAccess(env),
      mandateUri: { purpose: env.MANDATE_URI_PURPOSE, mode: env.MANDATE_URI_MODE },
    },
    sdkvendor: {
      ...sdkvendorAccess(env),
      server: { ip: env.SDKVENDOR_SERVER_IP, referer: env.PUBLIC_BASE_URL, user_agent: 'fundrail' },
    },
    times: {
      fromCreationMs: env.PAYMENT_EXPIRY_MINUTES * MINUTE_MS,
      fromUriMs: env.UPI_URI_EXPIRY_MINUTES * MINUTE_MS,
      fromCollectMs: env.UPI_COLLECT_EXPIRY_MINUTES * MINUTE_MS,
      tokenMs: env.TOKEN_URL_EXPIRY_MINUTES * MINUTE_MS,
    },
    trustedProxies: env.TRUSTED_PROXIES,
    captureRate: { perSecond: env.CAPTURE_RATE_PER_SECOND, burst: env.CAPTURE_BURST },
    watchFailedMs: env.FAILED_PAYMENT_WATCH_DAYS * DAY_MS,
    debits: debitRules(env),
    debitsPerSecond: debitsPerSecond(env),
  }));

/** The variables of payments, besides those that every service has. Parsed once at the start. */
export abstract class PaymentsConfig {
  abstract readonly sandbox: boolean;
  /** The start of links to this product, without a trailing slash. */
  abstract readonly publicBaseUrl: string;
  abstract readonly gatewaypoa: GatewaypoaAccess & { readonly mandateUri: MandateUriCodes };
  /** `server`: sent to Razorpay when the investor has none of our pages open. */
  abstract readonly sdkvendor: SdkvendorAccess & { readonly server: BrowserFacts };
  /** How long a payment waits for the investor. */
  abstract readonly times: PaymentTimes;
  /** The networks whose X-Forwarded-For is trusted. */
  abstract readonly trustedProxies: readonly Network[];
  /** The limit of posts to the capture route from one address. */
  abstract readonly captureRate: Rate;
  /** How long the provider is asked about a FAILED payment, in case it succeeds late. */
  abstract readonly watchFailedMs: number;
  /** The rules of debits by mandate. */
  abstract readonly debits: ConfiguredDebitRules;
  /** How many debits a second are sent to each provider, over all replicas (decision 0013). */
  abstract readonly debitsPerSecond: DebitsPerSecond;
}

export const paymentsConfig = configProvider(PaymentsConfig, schema);
