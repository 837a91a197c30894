import { bigint, boolean, defineTable, text, timestamptz, type RowOf } from '@fundrail/persistence';
import type { AuthorisationState, CheckoutState, UpiRequestState } from '@fundrail/state-machines';
import type { Ending } from '../payment/payment.ts';

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

/** The hosted page of a payment, and the provider's order for page and SDK. */
export const CHECKOUTS = defineTable('checkouts', {
  payment_id: bigint().primary(),
  tenant: text(),
  state: text<CheckoutState>().bySteps(),
  /** When the payment expires, unless the money has come (TIME-1). */
  expires_at: timestamptz().bySteps(),
  /** Decides how the payment ends, even if the provider reports its end first. */
  ending: text<Ending>().nullable().byLaterSteps(),
  /** Where the browser posts the result to. */
  postback_url: text(),
  /** The answer to the creation had SDK options, so the payment may be paid without the page. */
  sdk_offered: boolean(),
  /** Until when `token_url` opens the page. */
  token_expires_at: timestamptz(),
  /** When the page was opened; `token_url` does not open it again in another browser. */
  opened_at: timestamptz().nullable().byLaterSteps(),
  /** Hash of the cookie of the browser that may open the page again. */
  session_hash: text().nullable().byLaterSteps(),
  /** The provider's order; before it is recorded, the payment cannot have been paid. */
  order_id: text().nullable().byLaterSteps(),
  /** The provider's customer, for the SDK options of an authorisation. */
  customer_id: text().nullable().byLaterSteps(),
  /** The investor's bank, by the first four letters of its IFSC. */
  bank_code: text().nullable(),
  /** The SDK is prefilled with the contacts of this account; null for an authorisation. */
  mf_investment_account: text().nullable(),
});
export type CheckoutRow = RowOf<typeof CHECKOUTS>;

/** The authorisation of a mandate by an AUTH_TRANSACTION payment, which is asked for by a UPI request or a checkout. */
export const AUTHORISATIONS = defineTable('authorisations', {
  payment_id: bigint().primary(),
  tenant: text(),
  /** The last state of the mandate that was published to mandates. */
  state: text<AuthorisationState>().bySteps(),
});
export type Authorisation = RowOf<typeof AUTHORISATIONS>;
