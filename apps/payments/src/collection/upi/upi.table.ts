import { bigint, defineTable, text, timestamptz, type RowOf } from '@fundrail/persistence';
import type { UpiRequestState } from '@fundrail/state-machines';
import type { Ending } from '../../payment/payment.ts';

/** The UPI URI or the collect request of a payment. */
export const UPI_REQUESTS = defineTable('upi_requests', {
  payment_id: bigint().primary(),
  tenant: text(),
  state: text<UpiRequestState>().bySteps(),
  /** When the payment expires, unless the money has come (TIME-1). */
  expires_at: timestamptz().bySteps(),
  /** When the provider accepted it. */
  sent_at: timestamptz().nullable().byLaterSteps(),
  /** Decides how the payment ends, even if the provider reports its end first. */
  ending: text<Ending>().nullable().byLaterSteps(),
  /** The provider may want the contacts of this account; null for an authorisation. */
  mf_investment_account: text().nullable(),
});
export type UpiRequest = RowOf<typeof UPI_REQUESTS>;
