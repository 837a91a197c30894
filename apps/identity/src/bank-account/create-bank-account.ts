import { newId, ValidationFailed, type BankAccountDto, type CreateBankAccountDto } from '@fundrail/contracts';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { findInvestorProfile } from '../investor-profile/investor-profile.repository.ts';
import { accountNumberCell, toBankAccount } from './bank-account.ts';
import { insertBankAccount } from './bank-account.repository.ts';
import { bankOfBranch, type Bank } from './branch.ts';

/** `POST /v2/bank_accounts`. Throws `ValidationFailed` for an unknown branch or another tenant's investor. */
@Injectable()
export class CreateBankAccount {
  constructor(
    private readonly database: Database,
    private readonly cipher: DataCipher,
  ) {}

  execute(caller: Caller, input: CreateBankAccountDto): Promise<BankAccountDto> {
    const bank = knownBank(input.ifsc_code);
    return this.database.transaction(async (tx) => {
      if (!(await findInvestorProfile(tx, caller.tenant, { id: input.profile })))
        throw new ValidationFailed([
          { field: 'profile', message: 'is not an investor profile of this tenant' },
        ]);
      const { account_number: accountNumber, ...rest } = input;
      const owned = { id: newId('bankAccount'), tenant: caller.tenant };
      const row = await insertBankAccount(tx, {
        ...rest,
        ...bank,
        ...owned,
        account_number_encrypted: this.cipher.encrypt(accountNumber, accountNumberCell(owned)),
        account_number_hash: this.cipher.keyedHash(accountNumber),
        created_at: tx.now,
      });
      return caller.answer(tx, toBankAccount(row, accountNumber));
    });
  }
}

function knownBank(ifscCode: string): Bank {
  const bank = bankOfBranch(ifscCode);
  if (!bank)
    throw new ValidationFailed([{ field: 'ifsc_code', message: 'is not the IFSC of a known branch' }]);
  return bank;
}
