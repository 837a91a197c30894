import { z } from 'zod';
import { baseUrlVariable, secretVariable, variedSecret } from './variables.ts';

/** The variables with the addresses of outside systems. */
export const PROVIDER_ADDRESSES = ['GATEWAYPOA_BASE_URL', 'SDKVENDOR_BASE_URL'] as const;

/** The variables of a service that calls gatewaypoa. */
export const gatewaypoaVariables = {
  GATEWAYPOA_BASE_URL: baseUrlVariable,
  GATEWAYPOA_API_KEY: secretVariable,
  GATEWAYPOA_WEBHOOK_SECRET: secretVariable,
};

/** Its address, our key there, and what signs its callbacks. */
export type GatewaypoaAccess = Readonly<ReturnType<typeof gatewaypoaAccess>>;

export function gatewaypoaAccess(env: z.output<z.ZodObject<typeof gatewaypoaVariables>>) {
  return {
    baseUrl: env.GATEWAYPOA_BASE_URL,
    apiKey: env.GATEWAYPOA_API_KEY,
    webhookSecret: env.GATEWAYPOA_WEBHOOK_SECRET,
  };
}

// Razorpay generates these and may change their length. At the time of writing ids have 23 characters and secrets 24.
const razorpayKey = z.string('give the key of the account').min(16, 'must have at least 16 characters');

/** The variables of a service that calls sdkvendor (Razorpay). */
export const sdkvendorVariables = {
  /** Default: Razorpay's own address; in the sandbox, the simulator's. */
  SDKVENDOR_BASE_URL: baseUrlVariable.optional(),
  SDKVENDOR_KEY_ID: razorpayKey,
  SDKVENDOR_KEY_SECRET: razorpayKey.refine(...variedSecret),
  SDKVENDOR_WEBHOOK_SECRET: secretVariable,
};

/** The same for sdkvendor. */
export type SdkvendorAccess = Readonly<ReturnType<typeof sdkvendorAccess>>;

export function sdkvendorAccess(
  env: z.output<z.ZodObject<typeof sdkvendorVariables>> &
    Readonly<Record<'SANDBOX' | 'PUBLIC_BASE_URL', string>>,
) {
  const simulated = `${env.PUBLIC_BASE_URL.replace(/\/+$/, '')}/sdkvendor`;
  return {
    baseUrl: env.SDKVENDOR_BASE_URL ?? (env.SANDBOX === 'true' ? simulated : 'https://api.razorpay.com'),
    keyId: env.SDKVENDOR_KEY_ID,
    keySecret: env.SDKVENDOR_KEY_SECRET,
    webhookSecret: env.SDKVENDOR_WEBHOOK_SECRET,
  };
}
