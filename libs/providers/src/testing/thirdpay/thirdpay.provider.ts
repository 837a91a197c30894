import { baseUrlVariable, secretVariable } from '@fundrail/contracts';
import { defineProvider } from '../../define-provider.ts';
import { ThirdpayPayments } from './thirdpay.adapter.ts';

export const thirdpay = defineProvider({
  env: {
    /** The provider's own address. This one leads nowhere (RFC 2606). */
    THIRDPAY_BASE_URL: baseUrlVariable.default('https://api.thirdpay.example'),
    THIRDPAY_WEBHOOK_SECRET: secretVariable,
  },
  reports: 'thirdpay reports on payments, refunds, mandates and debits',
  build: (env, surroundings) =>
    new ThirdpayPayments({
      ...surroundings,
      baseUrl: env.THIRDPAY_BASE_URL,
      secret: env.THIRDPAY_WEBHOOK_SECRET,
    }),
});
