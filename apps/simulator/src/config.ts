import { configProvider } from '@fundrail/service-kit';
import { z } from 'zod';

const url = z
  .url({ protocol: /^https?$/, message: 'should be an http or https URL' })
  .refine((text) => !/[?#]/.test(text), 'should not have a query or a fragment')
  .transform((text) => text.replace(/\/$/, ''));

/** The simulator's variables. It runs only in the sandbox, where the secrets have documented defaults. */
const environment = z
  .object({
    SANDBOX: z.literal('true', 'must be true: the simulator is for the sandbox only'),
    PUBLIC_BASE_URL: url.default('http://127.0.0.1:3000'),
    GATEWAYPOA_BASE_URL: url.optional(),
    GATEWAYPOA_API_KEY: z.string().min(1, 'should be the key that the order gateway expects'),
    GATEWAYPOA_WEBHOOK_SECRET: z.string().min(1, 'should be the secret that signs the callbacks'),
    SDKVENDOR_BASE_URL: url.optional(),
    SDKVENDOR_KEY_ID: z.string().min(1, 'should be the key id that payments signs in with'),
    SDKVENDOR_KEY_SECRET: z.string().min(1, 'should be the secret of that key'),
    SDKVENDOR_WEBHOOK_SECRET: z.string().min(1, 'should be the secret that signs the webhooks'),
    CALLBACK_BASE_URL: url.optional(),
    SANDBOX_WEBHOOK_HOSTS: z.string().default(''),
  })
  .transform((env) => ({
    apiKey: env.GATEWAYPOA_API_KEY,
    webhookSecret: env.GATEWAYPOA_WEBHOOK_SECRET,
    sdkvendor: {
      baseUrl: env.SDKVENDOR_BASE_URL ?? `${env.PUBLIC_BASE_URL}/sdkvendor`,
      keyId: env.SDKVENDOR_KEY_ID,
      keySecret: env.SDKVENDOR_KEY_SECRET,
      webhookSecret: env.SDKVENDOR_WEBHOOK_SECRET,
    },
    publicBaseUrl: env.PUBLIC_BASE_URL,
    gatewaypoaBaseUrl: env.GATEWAYPOA_BASE_URL ?? env.PUBLIC_BASE_URL,
    callbackBaseUrl: env.CALLBACK_BASE_URL ?? env.PUBLIC_BASE_URL,
    webhookHost: env.SANDBOX_WEBHOOK_HOSTS.split(',')[0]?.trim() || 'localhost',
  }));

/** The simulator's configuration. */
export abstract class SimulatorConfig {
  abstract readonly apiKey: string;
  abstract readonly webhookSecret: string;
  /** The base URL of the simulated Razorpay's `/v1/…` for our adapter, with its key and secret. */
  abstract readonly sdkvendor: {
    readonly baseUrl: string;
    readonly keyId: string;
    readonly keySecret: string;
    readonly webhookSecret: string;
  };
  /** The base URL of this product for an investor's browser. */
  abstract readonly publicBaseUrl: string;
  /** The base URL of `/gatewaypoa/…` for our adapters. */
  abstract readonly gatewaypoaBaseUrl: string;
  /** The base URL for callbacks: `/callbacks/…` is appended. */
  abstract readonly callbackBaseUrl: string;
  /** The host name by which webhooks reach the sandbox user's machine: the first of SANDBOX_WEBHOOK_HOSTS. */
  abstract readonly webhookHost: string;
}

export const simulatorConfig = configProvider(SimulatorConfig, environment);
