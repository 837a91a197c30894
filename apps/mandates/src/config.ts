import { baseUrlVariable, configProvider, secretVariable, variedSecret } from '@fundrail/service-kit';
import { z } from 'zod';

// Razorpay generates these, so we cannot fix their length. At the time of writing, ids have 23 characters and secrets 24.
const razorpayKey = z.string('give the key of the account').min(16, 'must have at least 16 characters');

const schema = z
  .object({
    SANDBOX: z.enum(['true', 'false'], 'must be true or false').default('false'),
    PUBLIC_BASE_URL: baseUrlVariable.default('http://127.0.0.1:3000'),
    GATEWAYPOA_BASE_URL: baseUrlVariable,
    GATEWAYPOA_API_KEY: secretVariable,
    GATEWAYPOA_WEBHOOK_SECRET: secretVariable,
    /** Defaults to Razorpay's own address, and in the sandbox to the simulator's. */
    SDKVENDOR_BASE_URL: baseUrlVariable.optional(),
    SDKVENDOR_KEY_ID: razorpayKey,
    SDKVENDOR_KEY_SECRET: razorpayKey.refine(...variedSecret),
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

/** The variables of mandates, besides those that every service has: the providers that keep mandates. Parsed once at the start. */
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
