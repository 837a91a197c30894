import { ValidationFailed } from '@fundrail/contracts';
import type { Queryable } from '@fundrail/persistence';
import { findBankAccount } from '../bank-account/bank-account.repository.ts';

/** Throws `ValidationFailed` if there is a payout account that does not belong to the investor. */
export async function checkPayoutAccount(
  tx: Queryable,
  account: { tenant: string; primary_investor: string; payout_bank_account: string | null },
): Promise<void> {
  if (account.payout_bank_account === null) return;
  const bank = await findBankAccount(tx, account.tenant, { id: account.payout_bank_account });
  if (bank?.profile === account.primary_investor) return;
  throw new ValidationFailed([
    { field: 'folio_defaults.payout_bank_account', message: 'is not a bank account of the primary investor' },
  ]);
}
