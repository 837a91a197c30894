import {
  newId,
  ValidationFailed,
  type CreateMfInvestmentAccountDto,
  type MfInvestmentAccountDto,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { investorProfiles } from '../investor-profile/investor-profile.repository.ts';
import { checkFolioDefaults } from './folio-defaults.ts';
import { newMfInvestmentAccount, toMfInvestmentAccount } from './mf-investment-account.ts';
import { mfInvestmentAccounts } from './mf-investment-account.repository.ts';

/** `POST /v2/mf_investment_accounts`. Throws `ValidationFailed` if the tenant has no such investor or an object in `folio_defaults`. */
@Injectable()
export class CreateMfInvestmentAccount {
  constructor(private readonly database: Database) {}

  execute(caller: Caller, input: CreateMfInvestmentAccountDto): Promise<MfInvestmentAccountDto> {
    return this.database.transaction(async (tx) => {
      const investor = { tenant: caller.tenant, id: input.primary_investor, erasure: null };
      if (!(await investorProfiles.find(tx, investor)))
        throw new ValidationFailed([
          { field: 'primary_investor', message: 'is not an investor profile of this tenant' },
        ]);
      const given = { id: newId('investmentAccount'), tenant: caller.tenant, now: tx.now };
      const row = newMfInvestmentAccount(input, given);
      await checkFolioDefaults(tx, row);
      return caller.answer(tx, toMfInvestmentAccount(await mfInvestmentAccounts.create(tx, row)));
    });
  }
}
