import type { EitherId } from '@fundrail/contracts';
import { parameters, saveRow, sql, valuesOf, type Queryable } from '@fundrail/persistence';
import type { Database } from '@fundrail/service-kit/db';
import { LessThan } from 'typeorm';
import type { NewMfInvestmentAccount } from './mf-investment-account.ts';
import { MF_INVESTMENT_ACCOUNTS, type MfInvestmentAccountRow } from './mf-investment-account.table.ts';

const insert = sql(
  'mf_investment_accounts.insert',
  `INSERT INTO mf_investment_accounts (${MF_INVESTMENT_ACCOUNTS.inserted.join(', ')})
   VALUES (${parameters(MF_INVESTMENT_ACCOUNTS.inserted)}) RETURNING *`,
);
const find = sql(
  'mf_investment_accounts.find',
  'SELECT * FROM mf_investment_accounts WHERE tenant = $1 AND (id = $2 OR old_id = $3)',
);
const lock = sql(
  'mf_investment_accounts.lock',
  'SELECT * FROM mf_investment_accounts WHERE tenant = $1 AND (id = $2 OR old_id = $3) FOR UPDATE',
);

const either = (id: EitherId) => ('id' in id ? [id.id, null] : [null, id.oldId]);

export async function insertMfInvestmentAccount(
  tx: Queryable,
  row: NewMfInvestmentAccount,
): Promise<MfInvestmentAccountRow> {
  const [inserted] = await tx.query<MfInvestmentAccountRow>(
    insert,
    valuesOf(row, MF_INVESTMENT_ACCOUNTS.inserted),
  );
  if (!inserted) throw new Error('the insert of an investment account returned no row');
  return inserted;
}

export async function findMfInvestmentAccount(
  tx: Queryable,
  tenant: string,
  id: EitherId,
): Promise<MfInvestmentAccountRow | null> {
  const [row] = await tx.query<MfInvestmentAccountRow>(find, [tenant, ...either(id)]);
  return row ?? null;
}

export async function lockMfInvestmentAccount(
  tx: Queryable,
  tenant: string,
  id: EitherId,
): Promise<MfInvestmentAccountRow | null> {
  const [row] = await tx.query<MfInvestmentAccountRow>(lock, [tenant, ...either(id)]);
  return row ?? null;
}

export const updateFolioDefaults = saveRow(MF_INVESTMENT_ACCOUNTS, 'id');

/** Newest first. */
export async function listMfInvestmentAccounts(
  database: Database,
  tenant: string,
  query: { limit: number; starting_after?: string | undefined; primary_investor?: string | undefined },
): Promise<MfInvestmentAccountRow[]> {
  return database.manager.find(MF_INVESTMENT_ACCOUNTS.entity, {
    where: {
      tenant,
      ...(query.primary_investor === undefined ? {} : { primary_investor: query.primary_investor }),
      ...(query.starting_after === undefined ? {} : { id: LessThan(query.starting_after) }),
    },
    order: { id: 'DESC' },
    take: query.limit,
  });
}
