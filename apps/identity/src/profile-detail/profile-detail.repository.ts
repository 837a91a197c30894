import { Rows, sql, type Tx } from '@fundrail/persistence';
import { PROFILE_DETAILS_TABLE } from './profile-detail.table.ts';

export const profileDetails = new Rows(PROFILE_DETAILS_TABLE);

const removeOf = sql(
  'profile_details.remove_of',
  'DELETE FROM profile_details WHERE tenant = $1 AND profile = $2',
);

/** Removes all details of a profile. */
export async function removeProfileDetails(tx: Tx, tenant: string, profile: string): Promise<void> {
  await tx.query(removeOf, [tenant, profile]);
}
