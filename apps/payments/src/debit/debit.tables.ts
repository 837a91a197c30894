import type { PaymentFailureCode } from '@fundrail/contracts';
import { bigint, boolean, defineTable, integer, text, timestamptz, type RowOf } from '@fundrail/persistence';
import type { DebitMandateType } from './debit-policy.ts';

/** The debits of NACH payments, each with the mandate's data at the time of admission. */
export const DEBITS = defineTable('debits', {
  payment_id: bigint().primary(),
  tenant: text(),
  mandate_id: bigint(),
  mandate_type: text<DebitMandateType>(),
  mandate_token: text(),
  provider_id: text().nullable(),
  umrn: text().nullable(),
  /** When the next attempt is planned. Until `planned_at` it is only expected. */
  execute_at: timestamptz().bySteps(),
  planned_at: timestamptz().nullable().byLaterSteps(),
  /** The intent of the notice: from then on it may have been sent. */
  notice_begun_at: timestamptz().nullable().byLaterSteps(),
  /** The provider confirmed that the notice was sent; its answer is stored as proof. */
  notified_at: timestamptz().nullable().byLaterSteps(),
  notice_reference: text().nullable().byLaterSteps(),
  notice_proof: text().nullable().byLaterSteps(),
  notice_withdrawn_at: timestamptz().nullable().byLaterSteps(),
  /** Counts from 1: when the day of a notice is over, another notice is sent. */
  notice_number: integer().byLaterSteps(),
  /** A call for the notice is under way; null when none is. */
  notice_called_at: timestamptz().nullable().byLaterSteps(),
  /** When the money is taken, according to the notice. */
  told_execute_at: timestamptz().nullable().byLaterSteps(),
  /** The notice did not reach the investor. */
  notice_failed_at: timestamptz().nullable().byLaterSteps(),
  /** The mandate was cancelled or has expired. */
  mandate_ended_at: timestamptz().nullable().byLaterSteps(),
});
export type DebitRow = RowOf<typeof DEBITS>;

/** The attempts of debits: the intent before the call, then the outcome. Open until it is known whether money came. */
export const DEBIT_ATTEMPTS = defineTable('debit_attempts', {
  payment_id: bigint().primary(),
  /** Counts from 1. */
  number: integer().primary(),
  tenant: text(),
  reference: text(),
  started_at: timestamptz(),
  /** When it was last sent again. The first call follows `started_at`. */
  called_at: timestamptz().nullable().bySteps(),
  /** There was no permit, so the provider was not and will not be called under this intent. The attempt is to be postponed. */
  uncalled: boolean().bySteps(),
  /** The provider has accepted it; the result comes later. */
  accepted_at: timestamptz().nullable().bySteps(),
  ended_at: timestamptz().nullable().bySteps(),
  /** Null while it is open, and when the money came. */
  failure_code: text<PaymentFailureCode>().nullable().bySteps(),
  /** Why the provider never received it: mandates refused the permit, or the provider reports that it does not know it. Null when it may have received it. */
  never: text<'forbidden' | 'unheard'>().nullable().bySteps(),
});
export type AttemptRow = RowOf<typeof DEBIT_ATTEMPTS>;

/** Attempts in their order. */
export interface Debit extends DebitRow {
  readonly attempts: readonly AttemptRow[];
}
