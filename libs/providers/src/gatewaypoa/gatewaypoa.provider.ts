import { baseUrlVariable, secretVariable } from '@fundrail/contracts';
import { z } from 'zod';
import { defineProvider } from '../define-provider.ts';
import { MANDATE_URI_CODES } from '../mandate-uri.ts';
import { GatewaypoaPayments } from './gatewaypoa-payments.adapter.ts';

/** The variables of a service that calls gatewaypoa, as a provider or as the order gateway. */
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

export const gatewaypoa = defineProvider({
  env: {
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
  },
  reports: 'gatewaypoa reports on payments, transfers and refunds',
  build: (env, observation) =>
    new GatewaypoaPayments({
      ...gatewaypoaAccess(env),
      ...observation,
      mandateUri: { purpose: env.MANDATE_URI_PURPOSE, mode: env.MANDATE_URI_MODE },
    }),
});
