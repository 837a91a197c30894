import type { EitherId } from '@fundrail/contracts';
import { sql, type Queryable } from '@fundrail/persistence';
import { type Database } from '@fundrail/service-kit/db';
import { LessThan } from 'typeorm';
import type { NewMfInvestmentAccount } from './mf-investment-account.ts';
import { MfInvestmentAccountRow } from './mf-investment-account.entity.ts';

const insert = sql(
  'mf_investment_accounts.insert',
  `INSERT INTO mf_investment_accounts
     (id, tenant, primary_investor, holding_pattern, communication_email_address, communication_mobile_number,
      payout_bank_account, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING *`,
);
const find = sql(
  'mf_investment_accounts.find',
  'SELECT * FROM mf_investment_accounts WHERE tenant = $1 AND (id = $2 OR old_id = $3)',
);
const lock = sql(
  'mf_investment_accounts.lock',
  'SELECT * FROM mf_investment_accounts WHERE tenant = $1 AND (id = $2 OR old_id = $3) FOR UPDATE',
);
const updateDefaults = sql(
  'mf_investment_accounts.update_defaults',
  `UPDATE mf_investment_accounts
      SET communication_email_address = $3, communication_mobile_number = $4, payout_bank_account = $5
    WHERE tenant = $1 AND id = $2`,
);

const either = (id: EitherId) => ('id' in id ? [id.id, null] : [null, id.oldId]);

export async function insertMfInvestmentAccount(
  tx: Queryable,
  row: NewMfInvestmentAccount,
): Promise<MfInvestmentAccountRow> {
  const [inserted] = await tx.query<MfInvestmentAccountRow>(insert, [
    row.id,
    row.tenant,
    row.primary_investor,
    row.holding_pattern,
    row.communication_email_address,
    row.communication_mobile_number,
    row.payout_bank_account,
    row.created_at,
  ]);
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

export async function updateFolioDefaults(tx: Queryable, row: MfInvestmentAccountRow): Promise<void> {
  const {
    communication_email_address: email,
    communication_mobile_number: mobile,
    payout_bank_account: payout,
  } = row;
  await tx.query(updateDefaults, [row.tenant, row.id, email, mobile, payout]);
}

/** Newest first. */
export async function listMfInvestmentAccounts(
  database: Database,
  tenant: string,
  query: { limit: number; starting_after?: string | undefined; primary_investor?: string | undefined },
): Promise<MfInvestmentAccountRow[]> {
  return database.manager.find(MfInvestmentAccountRow, {
    where: {
      tenant,
      ...(query.primary_investor === undefined ? {} : { primary_investor: query.primary_investor }),
      ...(query.starting_after === undefined ? {} : { id: LessThan(query.starting_after) }),
    },
    order: { id: 'DESC' },
    take: query.limit,
  });
}
