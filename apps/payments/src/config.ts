import { MANDATE_URI_CODES } from '@fundrail/providers';
import type { BrowserFacts, MandateUriCodes } from '@fundrail/providers';
import {
  configProvider,
  networksVariable,
  numberVariable,
  secretVariable,
  urlVariable,
} from '@fundrail/service-kit';
import { z } from 'zod';
import { debitRules, debitVariables, type ConfiguredDebitRules } from './debit/debit-config.ts';
import { debitsPerSecond, paceVariables } from './debit/sending/pace-config.ts';
import type { DebitsPerSecond } from './debit/sending/pace-config.ts';
import type { Network } from '@fundrail/service-kit/http';
import type { Rate } from './capture-limit/token-buckets.ts';
import type { PaymentTimes } from './payment/payment.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const minutes = (value: number) => numberVariable(0.01, 1440, 'number of minutes').prefault(String(value));

// Razorpay draws these, so their length is not ours to say: ids have 23 characters, secrets 24 at the time of writing.
const razorpayKey = z.string('give the key of the account').min(16, 'must have at least 16 characters');

const schema = z
  .object({
    SANDBOX: z.enum(['true', 'false'], 'must be true or false').default('false'),
    PUBLIC_BASE_URL: urlVariable.default('http://127.0.0.1:3000'),
    GATEWAYPOA_BASE_URL: urlVariable,
    GATEWAYPOA_API_KEY: secretVariable,
    GATEWAYPOA_WEBHOOK_SECRET: secretVariable,
    /** NPCI's codes in the URIs by which mandates are authorised (contract §4). */
    MANDATE_URI_PURPOSE: z
      .string()
      .regex(/^[A-Z0-9]{2}$/, 'must be two letters or digits')
      .default(MANDATE_URI_CODES.purpose),
    MANDATE_URI_MODE: z
      .string()
      .regex(/^[0-9]{2}$/, 'must be two digits')
      .default(MANDATE_URI_CODES.mode),
    /** Razorpay's own address, and in the sandbox the simulator's, unless told otherwise. */
    SDKVENDOR_BASE_URL: urlVariable.optional(),
    SDKVENDOR_KEY_ID: razorpayKey,
    SDKVENDOR_KEY_SECRET: razorpayKey,
    SDKVENDOR_WEBHOOK_SECRET: secretVariable,
    /** The address from which this product calls: Razorpay wants one where the investor's browser is not known. */
    SDKVENDOR_SERVER_IP: z.union([z.ipv4(), z.ipv6()], 'should be an IP address').default('127.0.0.1'),
    /** Contract §3 "Times". */
    PAYMENT_EXPIRY_MINUTES: minutes(30),
    UPI_URI_EXPIRY_MINUTES: minutes(10),
    UPI_COLLECT_EXPIRY_MINUTES: minutes(5),
    TOKEN_URL_EXPIRY_MINUTES: minutes(15),
    FAILED_PAYMENT_WATCH_DAYS: numberVariable(0.01, 30, 'number of days').prefault('3'),
    /** Whose X-Forwarded-For counts: the networks of the edge, as CIDRs. */
    TRUSTED_PROXIES: networksVariable,
    /** Posts to the capture route by one address. Behind a carrier's NAT many investors share one. */
    CAPTURE_RATE_PER_SECOND: numberVariable(0.01, 10_000).prefault('10'),
    CAPTURE_BURST: numberVariable(1, 100_000).prefault('50'),
    ...debitVariables,
    ...paceVariables,
  })
  .transform((env): PaymentsConfig => ({
    sandbox: env.SANDBOX === 'true',
    publicBaseUrl: env.PUBLIC_BASE_URL.replace(/\/+$/, ''),
    gatewaypoa: {
      baseUrl: env.GATEWAYPOA_BASE_URL,
      apiKey: env.GATEWAYPOA_API_KEY,
      webhookSecret: env.GATEWAYPOA_WEBHOOK_SECRET,
      mandateUri: { purpose: env.MANDATE_URI_PURPOSE, mode: env.MANDATE_URI_MODE },
    },
    sdkvendor: {
      baseUrl: env.SDKVENDOR_BASE_URL ?? sdkvendorOf(env),
      keyId: env.SDKVENDOR_KEY_ID,
      keySecret: env.SDKVENDOR_KEY_SECRET,
      webhookSecret: env.SDKVENDOR_WEBHOOK_SECRET,
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

function sdkvendorOf(env: { readonly SANDBOX: string; readonly PUBLIC_BASE_URL: string }): string {
  if (env.SANDBOX !== 'true') return 'https://api.razorpay.com';
  return `${env.PUBLIC_BASE_URL.replace(/\/+$/, '')}/sdkvendor`;
}

/** The variables of payments, besides those that every service has. Parsed once at the start. */
export abstract class PaymentsConfig {
  abstract readonly sandbox: boolean;
  /** What links to this product begin with, without a slash at its end. */
  abstract readonly publicBaseUrl: string;
  abstract readonly gatewaypoa: {
    readonly baseUrl: string;
    readonly apiKey: string;
    readonly webhookSecret: string;
    readonly mandateUri: MandateUriCodes;
  };
  abstract readonly sdkvendor: {
    readonly baseUrl: string;
    readonly keyId: string;
    readonly keySecret: string;
    readonly webhookSecret: string;
    /** What Razorpay is told where the investor has no page of ours open. */
    readonly server: BrowserFacts;
  };
  /** How long a payment waits for the investor. */
  abstract readonly times: PaymentTimes;
  /** Whose word about where a request came from counts. */
  abstract readonly trustedProxies: readonly Network[];
  /** How much one address may post to the capture route. */
  abstract readonly captureRate: Rate;
  /** How long a FAILED payment is asked about, for a success that comes late. */
  abstract readonly watchFailedMs: number;
  /** By which mandates are debited. */
  abstract readonly debits: ConfiguredDebitRules;
  /** How many debits each provider is sent in a second, over all replicas (decision 0013). */
  abstract readonly debitsPerSecond: DebitsPerSecond;
}

export const paymentsConfig = configProvider(PaymentsConfig, schema);
