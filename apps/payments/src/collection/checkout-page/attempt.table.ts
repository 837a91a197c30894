import type { PaymentFailureCode } from '@fundrail/contracts';
import { bigint, defineTable, integer, text, timestamptz, type RowOf } from '@fundrail/persistence';

/** How the investor pays on the page. */
export type Way = 'intent' | 'collect' | 'netbanking';

/** The attempts to pay or to authorise that investors started on the page. */
export const CHECKOUT_ATTEMPTS = defineTable('checkout_attempts', {
  payment_id: bigint().primary(),
  tenant: text(),
  /** Counts the payment's attempts from 1. */
  number: integer().primary(),
  way: text<Way>(),
  /** The payer or bank as the page may show it: the masked UPI ID, or the bank's code. */
  shown: text().nullable(),
  /** The UPI URI, or the bank's page; null until the provider has answered. */
  address: text().nullable().aside(),
  /** The provider's refusal. */
  failure_code: text<PaymentFailureCode>().nullable().aside(),
  started_at: timestamptz(),
  /** When the investor chose to pay in another way. */
  laid_aside_at: timestamptz().nullable().aside(),
});
export type AttemptRow = RowOf<typeof CHECKOUT_ATTEMPTS>;
