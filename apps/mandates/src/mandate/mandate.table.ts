import type { MandateType, ProviderName } from '@fundrail/contracts';
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
import type { MandateStatus } from '@fundrail/state-machines';

/** A row of `mandates`: first the fields of the API under their names there (MAN-5), then those that only this service uses. */
export const MANDATES = defineTable('mandates', {
  id: bigint().primary(),
  mandate_ref: text(),
  tenant: text(),
  bank_account_id: bigint(),
  mandate_type: text<MandateType>(),
  mandate_status: text<MandateStatus>().bySteps(),
  /** The maximum amount of one debit, in rupees. */
  mandate_limit: numeric().bySteps(),
  /** IST dates, both inclusive. */
  valid_from: date(),
  valid_to: date().bySteps(),
  provider_name: text<ProviderName>(),
  /** The provider's name for the mandate, known from its authorisation on. */
  mandate_token: text().nullable().bySteps(),
  umrn: text().nullable().bySteps(),
  provider_id: text().nullable().bySteps(),
  rejected_reason: text().nullable().bySteps(),
  source_ref_id: text().nullable(),
  created_at: timestamptz(),
  received_at: timestamptz().nullable().bySteps(),
  submitted_at: timestamptz().nullable().bySteps(),
  approved_at: timestamptz().nullable().bySteps(),
  rejected_at: timestamptz().nullable().bySteps(),
  cancelled_at: timestamptz().nullable().bySteps(),
  /** When it was last paused. */
  paused_at: timestamptz().nullable().bySteps(),
  expired_at: timestamptz().nullable().bySteps(),
  /** The number of the mandate's last event (EVT-5). */
  event_seq: integer().bySteps(),

  /** The owner of the bank account, kept here so that an admission needs no other service. */
  investor_profile: text(),
  /** The payment that is authorising it: at most one (MAN-17). Only the statements of the claim write it. */
  authorising_payment: bigint().nullable().aside(),
  authorising_since: timestamptz().nullable().aside(),
  /** When payments is asked whether that payment was created; null once that is known. */
  authorising_check_at: timestamptz().nullable().aside(),
  /** Since when an unconfirmed report of the provider contradicts APPROVED. Meanwhile nothing is admitted, and no call is begun. */
  doubted_at: timestamptz().nullable().bySteps(),
  /** Counts the provider's notifications, so that an answer to a question from before the last one is not applied. */
  facts_seq: integer().aside(),
});

export type MandateRow = RowOf<typeof MANDATES>;
