import { ValidationFailed, type BankAccountDto, type CreateBankAccountDto } from '@fundrail/contracts';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { investorProfiles } from '../investor-profile/investor-profile.repository.ts';
import { newBankAccount, toBankAccount } from './bank-account.ts';
import { bankAccounts } from './bank-account.repository.ts';
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
      if (!(await investorProfiles.find(tx, { tenant: caller.tenant, id: input.profile, erasure: null })))
        throw new ValidationFailed([
          { field: 'profile', message: 'is not an investor profile of this tenant' },
        ]);
      const given = { ...bank, tenant: caller.tenant, created_at: tx.now };
      const row = await bankAccounts.create(tx, newBankAccount(input, given, this.cipher));
      return caller.answer(tx, toBankAccount(row, input.account_number));
    });
  }
}

function knownBank(ifscCode: string): Bank {
  const bank = bankOfBranch(ifscCode);
  if (!bank)
    throw new ValidationFailed([{ field: 'ifsc_code', message: 'is not the IFSC of a known branch' }]);
  return bank;
}
