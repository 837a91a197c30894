import type { EitherId } from '@fundrail/contracts';
import { parameters, sql, valuesOf, type Queryable } from '@fundrail/persistence';
import type { Database } from '@fundrail/service-kit/db';
import { LessThan } from 'typeorm';
import type { NewBankAccount } from './bank-account.ts';
import { BANK_ACCOUNTS, type BankAccountRow } from './bank-account.table.ts';

const insert = sql(
  'bank_accounts.insert',
  `INSERT INTO bank_accounts (${BANK_ACCOUNTS.inserted.join(', ')})
   VALUES (${parameters(BANK_ACCOUNTS.inserted)}) RETURNING *`,
);
const find = sql(
  'bank_accounts.find',
  'SELECT * FROM bank_accounts WHERE tenant = $1 AND (id = $2 OR old_id = $3)',
);

export async function insertBankAccount(tx: Queryable, row: NewBankAccount): Promise<BankAccountRow> {
  const [inserted] = await tx.query<BankAccountRow>(insert, valuesOf(row, BANK_ACCOUNTS.inserted));
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
  return database.manager.find(BANK_ACCOUNTS.entity, {
    where: {
      tenant,
      ...(query.profile === undefined ? {} : { profile: query.profile }),
      ...(query.starting_after === undefined ? {} : { id: LessThan(query.starting_after) }),
    },
    order: { id: 'DESC' },
    take: query.limit,
  });
}
