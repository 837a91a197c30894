import { z } from 'zod';
import { integerId } from '../ids.ts';
import { PAYMENT_STATUSES } from '../payment.dto.ts';

/** `GET /internal/payments/:id` (payments): whose payment it is and how it stands; 404 when there is none. */
export const paymentFacts = z.strictObject({
  id: integerId,
  tenant: z.string(),
  status: z.enum(PAYMENT_STATUSES),
});
export type PaymentFacts = z.infer<typeof paymentFacts>;
