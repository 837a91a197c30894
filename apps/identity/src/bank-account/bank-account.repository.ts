import type { EitherId } from '@fundrail/contracts';
import { sql, type Queryable } from '@fundrail/persistence';
import { type Database } from '@fundrail/service-kit/db';
import { LessThan } from 'typeorm';
import type { NewBankAccount } from './bank-account.ts';
import { BankAccountRow } from './bank-account.entity.ts';

const insert = sql(
  'bank_accounts.insert',
  `INSERT INTO bank_accounts
     (id, tenant, profile, primary_account_holder_name, account_number_encrypted, account_number_hash, type, ifsc_code,
      bank_name, bank_code, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING *`,
);
const find = sql(
  'bank_accounts.find',
  'SELECT * FROM bank_accounts WHERE tenant = $1 AND (id = $2 OR old_id = $3)',
);

export async function insertBankAccount(tx: Queryable, row: NewBankAccount): Promise<BankAccountRow> {
  const [inserted] = await tx.query<BankAccountRow>(insert, [
    row.id,
    row.tenant,
    row.profile,
    row.primary_account_holder_name,
    row.account_number_encrypted,
    row.account_number_hash,
    row.type,
    row.ifsc_code,
    row.bank_name,
    row.bank_code,
    row.created_at,
  ]);
  if (!inserted) throw new Error('the insert of a bank account returned no row');
  return inserted;
}

export async function findBankAccount(
  tx: Queryable,
  tenant: string,
  id: EitherId,
): Promise<BankAccountRow | null> {
  const either = 'id' in id ? [id.id, null] : [null, id.oldId];
  const [row] = await tx.query<BankAccountRow>(find, [tenant, ...either]);
  return row ?? null;
}

/** Newest first. */
export async function listBankAccounts(
  database: Database,
  tenant: string,
  query: { limit: number; starting_after?: string | undefined; profile?: string | undefined },
): Promise<BankAccountRow[]> {
  return database.manager.find(BankAccountRow, {
    where: {
      tenant,
      ...(query.profile === undefined ? {} : { profile: query.profile }),
      ...(query.starting_after === undefined ? {} : { id: LessThan(query.starting_after) }),
    },
    order: { id: 'DESC' },
    take: query.limit,
  });
}
