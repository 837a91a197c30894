import { z } from 'zod';
import { integerId } from '../ids.ts';
import { PAYMENT_STATUSES } from '../payment.dto.ts';

/** `GET /internal/payments/:id` (payments): a payment's tenant and status; 404 when there is none. */
export const paymentFacts = z.strictObject({
  id: integerId,
  tenant: z.string(),
  status: z.enum(PAYMENT_STATUSES),
});
export type PaymentFacts = z.infer<typeof paymentFacts>;
