import { bigint, defineTable, text, type RowOf } from '@fundrail/persistence';
import type { AuthorisationState } from '@fundrail/state-machines';

/** The authorisation of a mandate by an AUTH_TRANSACTION payment, which is asked for by a UPI request or a checkout. */
export const AUTHORISATIONS = defineTable('authorisations', {
  payment_id: bigint().primary(),
  tenant: text(),
  /** The last state of the mandate that was published to mandates. */
  state: text<AuthorisationState>().bySteps(),
});
export type Authorisation = RowOf<typeof AUTHORISATIONS>;
