import { z } from 'zod';
import { integerId, prefixedId } from './ids.ts';
import { personName } from './investor-profile.dto.ts';
import { timestamp } from './time.ts';

/** Kinds of account, as in the upstream's guide "Bank Accounts" (identity/profiles/bank-accounts). */
export const BANK_ACCOUNT_TYPES = ['savings', 'current', 'nre', 'nro'] as const;

/** An investor's bank account as GET returns it (INV-4). `account_number` is complete at creation and for the scope `bank_accounts:reveal`, masked otherwise (INV-7). */
export const bankAccount = z
  .strictObject({
    object: z.literal('bank_account'),
    id: prefixedId('bankAccount'),
    old_id: integerId,
    profile: prefixedId('investorProfile'),
    primary_account_holder_name: z.string(),
    account_number: z.string(),
    type: z.enum(BANK_ACCOUNT_TYPES),
    ifsc_code: z.string(),
    bank_name: z.string(),
    bank_code: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'BankAccount' });
export type BankAccountDto = z.infer<typeof bankAccount>;

/** `POST /v2/bank_accounts`. Whether the branch exists is checked by identity against the `ifsc` list. */
export const createBankAccount = z
  .strictObject({
    profile: prefixedId('investorProfile'),
    primary_account_holder_name: personName,
    // 5 to 35 letters and digits: what Razorpay's fund accounts accept, the widest range of our providers.
    account_number: z.string().regex(/^[A-Za-z0-9]{5,35}$/, 'must be 5 to 35 letters and digits'),
    type: z.enum(BANK_ACCOUNT_TYPES),
    ifsc_code: z
      .string()
      .regex(/^[A-Za-z]{4}0[A-Za-z0-9]{6}$/, 'must be an IFSC: four letters, a zero, six letters or digits')
      .transform((text) => text.toUpperCase()),
  })
  .meta({ id: 'CreateBankAccount' });
export type CreateBankAccountDto = z.output<typeof createBankAccount>;

/** The same of a client of the upstream, which may name a file with a cancelled cheque. It has no effect (COMP-15). */
export const createUpstreamBankAccount = createBankAccount.extend({
  cancelled_cheque: z.unknown().optional(),
});
