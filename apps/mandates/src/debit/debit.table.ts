import type { DebitDay, PaymentFailureCode } from '@fundrail/contracts';
import {
  bigint,
  date,
  defineTable,
  integer,
  numeric,
  text,
  timestamptz,
  type RowOf,
} from '@fundrail/persistence';
import type { DebitAttemptState, MandateDebitState } from '@fundrail/state-machines';

/** A row of `mandate_debits`: a payment that may debit the mandate, with its notice and its plan (DEB-4). Amount in rupees. */
export const MANDATE_DEBITS = defineTable('mandate_debits', {
  payment_id: bigint().primary(),
  mandate_id: bigint(),
  tenant: text(),
  /** The order's. */
  old_id: bigint(),
  amount: numeric(),
  /** The planned day, IST; the expected one until it is planned. */
  debit_date: date().bySteps(),
  state: text<MandateDebitState>().bySteps(),
  admitted_at: timestamptz(),
  /** Of an e-mandate, the tenant's choice within `nach_debit_days`; null when it made none. */
  first_on: text<DebitDay>().nullable(),
  ended_at: timestamptz().nullable().byLaterSteps(),
  /** When payments is asked whether the payment was created; null once that is known. */
  check_at: timestamptz().nullable().byLaterSteps(),
  /** Its contacts are sent to providers that want them; null when the order has none. */
  mf_investment_account: text().nullable().bySteps(),
  /** The number of the debit's last event (EVT-5). */
  event_seq: integer().byLaterSteps(),
  /** When the next attempt is planned; while it is notifying, when the notice says that the money is taken. */
  execute_at: timestamptz().nullable().byLaterSteps(),
  /** The intent of the notice: from then on it may have been sent. */
  notice_begun_at: timestamptz().nullable().byLaterSteps(),
  /** Counts from 1: when the day of a notice is over, another notice is sent. */
  notice_number: integer().byLaterSteps(),
  /** A call for the notice is under way; null when none is. */
  notice_called_at: timestamptz().nullable().byLaterSteps(),
  /** The tenant's name as the notice states it: of the first call, so that a repeated one is the same. Null before it. */
  notice_merchant: text().nullable().byLaterSteps(),
  /** The provider confirmed that the notice was sent; its answer is stored as proof. */
  notified_at: timestamptz().nullable().byLaterSteps(),
  notice_reference: text().nullable().byLaterSteps(),
  notice_proof: text().nullable().byLaterSteps(),
  /** When the money is taken, according to the notice. */
  notice_execute_at: timestamptz().nullable().byLaterSteps(),
  /** The notice did not reach the investor. */
  notice_failed_at: timestamptz().nullable().byLaterSteps(),
  notice_withdrawn_at: timestamptz().nullable().byLaterSteps(),
  /** No further attempt is started, for this reason. The open attempt still counts. */
  stop_code: text<PaymentFailureCode>().nullable().byLaterSteps(),
  failure_code: text<PaymentFailureCode>().nullable().byLaterSteps(),
});
export type DebitRow = RowOf<typeof MANDATE_DEBITS>;

/** The attempts of debits: the intent before the call, then the outcome. */
export const DEBIT_ATTEMPTS = defineTable('debit_attempts', {
  payment_id: bigint().primary(),
  /** Counts from 1. */
  number: integer().primary(),
  tenant: text(),
  /** Our key of it at the provider. */
  reference: text(),
  state: text<DebitAttemptState>().bySteps(),
  started_at: timestamptz(),
  /** When it was last sent. */
  called_at: timestamptz().bySteps(),
  /** The provider has accepted it; the result comes later. */
  accepted_at: timestamptz().nullable().bySteps(),
  ended_at: timestamptz().nullable().bySteps(),
  /** The provider's reference of the money that it brought. */
  provider_reference: text().nullable().bySteps(),
  /** Null while it is open, and when the money came. */
  failure_code: text<PaymentFailureCode>().nullable().bySteps(),
});
export type AttemptRow = RowOf<typeof DEBIT_ATTEMPTS>;

/** Attempts in their order. */
export interface Debit extends DebitRow {
  readonly attempts: readonly AttemptRow[];
}
