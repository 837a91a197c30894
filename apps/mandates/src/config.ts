import { configProvider, secretVariable, urlVariable } from '@fundrail/service-kit';
import { z } from 'zod';

// Razorpay draws these, so their length is not ours to say: ids have 23 characters, secrets 24 at the time of writing.
const razorpayKey = z.string('give the key of the account').min(16, 'must have at least 16 characters');

const schema = z
  .object({
    SANDBOX: z.enum(['true', 'false'], 'must be true or false').default('false'),
    PUBLIC_BASE_URL: urlVariable.default('http://127.0.0.1:3000'),
    GATEWAYPOA_BASE_URL: urlVariable,
    GATEWAYPOA_API_KEY: secretVariable,
    GATEWAYPOA_WEBHOOK_SECRET: secretVariable,
    /** Razorpay's own address, and in the sandbox the simulator's, unless told otherwise. */
    SDKVENDOR_BASE_URL: urlVariable.optional(),
    SDKVENDOR_KEY_ID: razorpayKey,
    SDKVENDOR_KEY_SECRET: razorpayKey,
    SDKVENDOR_WEBHOOK_SECRET: secretVariable,
  })
  .transform((env): MandatesConfig => ({
    gatewaypoa: {
      baseUrl: env.GATEWAYPOA_BASE_URL,
      apiKey: env.GATEWAYPOA_API_KEY,
      webhookSecret: env.GATEWAYPOA_WEBHOOK_SECRET,
    },
    sdkvendor: {
      baseUrl: env.SDKVENDOR_BASE_URL ?? sdkvendorOf(env),
      keyId: env.SDKVENDOR_KEY_ID,
      keySecret: env.SDKVENDOR_KEY_SECRET,
      webhookSecret: env.SDKVENDOR_WEBHOOK_SECRET,
    },
  }));

function sdkvendorOf(env: { readonly SANDBOX: string; readonly PUBLIC_BASE_URL: string }): string {
  if (env.SANDBOX !== 'true') return 'https://api.razorpay.com';
  return `${env.PUBLIC_BASE_URL.replace(/\/+$/, '')}/sdkvendor`;
}

/** The variables of mandates, besides those that every service has: the providers that keep them. Parsed once at the start. */
export abstract class MandatesConfig {
  abstract readonly gatewaypoa: {
    readonly baseUrl: string;
    readonly apiKey: string;
    readonly webhookSecret: string;
  };
  abstract readonly sdkvendor: {
    readonly baseUrl: string;
    readonly keyId: string;
    readonly keySecret: string;
    readonly webhookSecret: string;
  };
}

export const mandatesConfig = configProvider(MandatesConfig, schema);
