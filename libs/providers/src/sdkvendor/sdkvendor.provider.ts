import { baseUrlVariable, secretVariable, variedSecret } from '@fundrail/contracts';
import { z } from 'zod';
import { defineProvider } from '../define-provider.ts';
import { SdkvendorPayments } from './sdkvendor-payments.adapter.ts';

// Razorpay generates these and may change their length. At the time of writing ids have 23 characters and secrets 24.
const razorpayKey = z.string('give the key of the account').min(16, 'must have at least 16 characters');

export const sdkvendor = defineProvider({
  env: {
    /** Default: Razorpay's own address; in the sandbox, the simulator's. */
    SDKVENDOR_BASE_URL: baseUrlVariable.optional(),
    SDKVENDOR_KEY_ID: razorpayKey,
    SDKVENDOR_KEY_SECRET: razorpayKey.refine(...variedSecret),
    SDKVENDOR_WEBHOOK_SECRET: secretVariable,
    /** The IP address from which this product calls. Razorpay requires one when the investor's browser is not known. */
    SDKVENDOR_SERVER_IP: z.union([z.ipv4(), z.ipv6()], 'should be an IP address').default('127.0.0.1'),
  },
  reports: 'sdkvendor (Razorpay) reports on payments and refunds',
  build: (env, observation) => {
    const simulated = `${env.PUBLIC_BASE_URL.replace(/\/+$/, '')}/sdkvendor`;
    const usual = env.SANDBOX === 'true' ? simulated : 'https://api.razorpay.com';
    return new SdkvendorPayments({
      ...observation,
      baseUrl: env.SDKVENDOR_BASE_URL ?? usual,
      keyId: env.SDKVENDOR_KEY_ID,
      keySecret: env.SDKVENDOR_KEY_SECRET,
      webhookSecret: env.SDKVENDOR_WEBHOOK_SECRET,
      server: { ip: env.SDKVENDOR_SERVER_IP, referer: env.PUBLIC_BASE_URL, user_agent: 'fundrail' },
    });
  },
});
