import type { EitherId } from '@fundrail/contracts';
import { parameters, saveRow, sql, valuesOf, type Queryable } from '@fundrail/persistence';
import type { Database } from '@fundrail/service-kit/db';
import { LessThan } from 'typeorm';
import type { NewInvestorProfile } from './investor-profile.ts';
import { INVESTOR_PROFILES, type InvestorProfileRow } from './investor-profile.table.ts';

const insert = sql(
  'investor_profiles.insert',
  `INSERT INTO investor_profiles (${INVESTOR_PROFILES.inserted.join(', ')})
   VALUES (${parameters(INVESTOR_PROFILES.inserted)}) RETURNING *`,
);
const lock = sql(
  'investor_profiles.lock',
  'SELECT * FROM investor_profiles WHERE tenant = $1 AND (id = $2 OR old_id = $3) FOR UPDATE',
);
const find = sql(
  'investor_profiles.find',
  'SELECT * FROM investor_profiles WHERE tenant = $1 AND (id = $2 OR old_id = $3)',
);

const either = (id: EitherId) => ('id' in id ? [id.id, null] : [null, id.oldId]);

export async function insertInvestorProfile(
  tx: Queryable,
  row: NewInvestorProfile,
): Promise<InvestorProfileRow> {
  const [inserted] = await tx.query<InvestorProfileRow>(insert, valuesOf(row, INVESTOR_PROFILES.inserted));
  if (!inserted) throw new Error('the insert of an investor profile returned no row');
  return inserted;
}

export async function findInvestorProfile(
  tx: Queryable,
  tenant: string,
  id: EitherId,
): Promise<InvestorProfileRow | null> {
  const [row] = await tx.query<InvestorProfileRow>(find, [tenant, ...either(id)]);
  return row ?? null;
}

export async function lockInvestorProfile(
  tx: Queryable,
  tenant: string,
  id: EitherId,
): Promise<InvestorProfileRow | null> {
  const [row] = await tx.query<InvestorProfileRow>(lock, [tenant, ...either(id)]);
  return row ?? null;
}

export const updateInvestorContacts = saveRow(INVESTOR_PROFILES, 'id');

/** Newest first. */
export async function listInvestorProfiles(
  database: Database,
  tenant: string,
  query: { limit: number; starting_after?: string | undefined; pan?: string | undefined },
): Promise<InvestorProfileRow[]> {
  return database.manager.find(INVESTOR_PROFILES.entity, {
    where: {
      tenant,
      ...(query.pan === undefined ? {} : { pan: query.pan }),
      ...(query.starting_after === undefined ? {} : { id: LessThan(query.starting_after) }),
    },
    order: { id: 'DESC' },
    take: query.limit,
  });
}
