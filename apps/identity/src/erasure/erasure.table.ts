import type { ErasedTable, KeptData } from '@fundrail/contracts';
import { date, defineTable, jsonb, Rows, text, timestamptz, type RowOf } from '@fundrail/persistence';
import type { ErasureState } from '@fundrail/state-machines';

/** The erasure of an investor's personal data. `due_on` and `kept` are as of the last look at what the services store. */
export const ERASURES = defineTable('erasures', {
  id: text().primary(),
  tenant: text(),
  profile: text(),
  state: text<ErasureState>().bySteps(),
  due_on: date().bySteps(),
  kept: jsonb<readonly KeptData[]>().bySteps(),
  erased: jsonb<readonly ErasedTable[]>().bySteps(),
  created_at: timestamptz(),
  done_at: timestamptz().nullable().bySteps(),
});
export type ErasureRow = RowOf<typeof ERASURES>;

export const erasures = new Rows(ERASURES);
