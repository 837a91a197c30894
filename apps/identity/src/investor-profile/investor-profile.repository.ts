import type { EitherId } from '@fundrail/contracts';
import { sql, type Queryable } from '@fundrail/persistence';
import { type Database } from '@fundrail/service-kit/db';
import { LessThan } from 'typeorm';
import type { NewInvestorProfile } from './investor-profile.ts';
import { InvestorProfileRow } from './investor-profile.entity.ts';

const insert = sql(
  'investor_profiles.insert',
  `INSERT INTO investor_profiles
     (id, tenant, name, pan, date_of_birth, email, mobile_isd_code, mobile_number, tax_status, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING *`,
);
const lock = sql(
  'investor_profiles.lock',
  'SELECT * FROM investor_profiles WHERE tenant = $1 AND (id = $2 OR old_id = $3) FOR UPDATE',
);
const find = sql(
  'investor_profiles.find',
  'SELECT * FROM investor_profiles WHERE tenant = $1 AND (id = $2 OR old_id = $3)',
);
const updateContacts = sql(
  'investor_profiles.update_contacts',
  'UPDATE investor_profiles SET email = $3, mobile_isd_code = $4, mobile_number = $5 WHERE tenant = $1 AND id = $2',
);

const either = (id: EitherId) => ('id' in id ? [id.id, null] : [null, id.oldId]);

export async function insertInvestorProfile(
  tx: Queryable,
  row: NewInvestorProfile,
): Promise<InvestorProfileRow> {
  const [inserted] = await tx.query<InvestorProfileRow>(insert, [
    row.id,
    row.tenant,
    row.name,
    row.pan,
    row.date_of_birth,
    row.email,
    row.mobile_isd_code,
    row.mobile_number,
    row.tax_status,
    row.created_at,
  ]);
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

export async function updateInvestorContacts(tx: Queryable, row: InvestorProfileRow): Promise<void> {
  await tx.query(updateContacts, [row.tenant, row.id, row.email, row.mobile_isd_code, row.mobile_number]);
}

/** Newest first. */
export async function listInvestorProfiles(
  database: Database,
  tenant: string,
  query: { limit: number; starting_after?: string | undefined; pan?: string | undefined },
): Promise<InvestorProfileRow[]> {
  return database.manager.find(InvestorProfileRow, {
    where: {
      tenant,
      ...(query.pan === undefined ? {} : { pan: query.pan }),
      ...(query.starting_after === undefined ? {} : { id: LessThan(query.starting_after) }),
    },
    order: { id: 'DESC' },
    take: query.limit,
  });
}
