import { ValidationFailed } from '@fundrail/contracts';
import type { Queryable } from '@fundrail/persistence';
import { bankAccounts } from '../bank-account/bank-account.repository.ts';

/** Throws `ValidationFailed` if there is a payout account that does not belong to the investor. */
export async function checkPayoutAccount(
  tx: Queryable,
  account: { tenant: string; primary_investor: string; payout_bank_account: string | null },
): Promise<void> {
  const { tenant, payout_bank_account: id } = account;
  if (id === null) return;
  const bank = await bankAccounts.find(tx, { tenant, id });
  if (bank?.profile === account.primary_investor) return;
  throw new ValidationFailed([
    { field: 'folio_defaults.payout_bank_account', message: 'is not a bank account of the primary investor' },
  ]);
}
