import { baseUrlVariable, secretVariable } from '@fundrail/contracts';
import { defineProvider } from '../../define-provider.ts';
import { ThirdpayPayments } from './thirdpay.adapter.ts';

export const thirdpay = defineProvider({
  env: { THIRDPAY_BASE_URL: baseUrlVariable, THIRDPAY_WEBHOOK_SECRET: secretVariable },
  reports: 'thirdpay reports on payments, refunds, mandates and debits',
  build: (env, surroundings) =>
    new ThirdpayPayments({
      ...surroundings,
      baseUrl: env.THIRDPAY_BASE_URL,
      secret: env.THIRDPAY_WEBHOOK_SECRET,
    }),
});
