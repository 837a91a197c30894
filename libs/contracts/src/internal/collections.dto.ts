import { z } from 'zod';
import { integerId } from '../ids.ts';

/**
 * `POST /internal/collections/give-back` (orders): payments asks before it refunds money that was collected for installments of
 * plans (decision 0030). All orders or none. Idempotent.
 */
export const giveBackRequest = z.strictObject({
  tenant: z.string(),
  payment_id: integerId,
  amc_order_ids: z.array(integerId).min(1).max(10),
});
export type GiveBackRequest = z.infer<typeof giveBackRequest>;

/**
 * `free`: from now on none of these orders is submitted with this money. `kept`: the gateway has the order, or the call that
 * submits it is running; the money stays.
 */
export const giveBackAnswer = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('free') }),
  z.strictObject({
    outcome: z.literal('kept'),
    old_id: integerId,
    reason: z.enum(['submitted', 'submission_under_way']),
  }),
]);
export type GiveBackAnswer = z.infer<typeof giveBackAnswer>;
