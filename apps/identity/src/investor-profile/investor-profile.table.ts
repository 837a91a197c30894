import type { TAX_STATUSES } from '@fundrail/contracts';
import { bigint, date, defineTable, text, timestamptz, type RowOf } from '@fundrail/persistence';

/** An investor of a tenant. PAN, e-mail and mobile are personal data: only the tenant's own GET returns them. */
export const INVESTOR_PROFILES = defineTable('investor_profiles', {
  id: text().primary(),
  /** Numbered by the database. */
  old_id: bigint().aside(),
  tenant: text(),
  name: text(),
  pan: text(),
  date_of_birth: date(),
  email: text().nullable().bySteps(),
  mobile_isd_code: text().nullable().bySteps(),
  mobile_number: text().nullable().bySteps(),
  tax_status: text<(typeof TAX_STATUSES)[number]>(),
  created_at: timestamptz(),
  /** Null while the investor is served; then the state of its erasure (INV-18). */
  erasure: text<'running' | 'done'>().nullable().aside(),
  /** When its contacts, or the folio defaults of its accounts, last changed. */
  changed_at: timestamptz().nullable().aside(),
});

export type InvestorProfileRow = RowOf<typeof INVESTOR_PROFILES>;
