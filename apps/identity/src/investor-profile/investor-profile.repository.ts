import { Rows, saveRow, type Tx } from '@fundrail/persistence';
import { INVESTOR_PROFILES, type InvestorProfileRow } from './investor-profile.table.ts';

export const investorProfiles = new Rows(INVESTOR_PROFILES);

export const updateInvestorContacts = saveRow(INVESTOR_PROFILES, 'id');

/** Notes that what is known of an investor changed in this transaction: the time from which its data is kept (INV-17). */
export function noteInvestorChange(
  tx: Tx,
  { tenant, id }: Pick<InvestorProfileRow, 'tenant' | 'id'>,
): Promise<void> {
  return investorProfiles.update(tx, { tenant, id }, { changed_at: tx.now });
}
