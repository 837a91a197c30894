import {
  found,
  type ChangeMfInvestmentAccountDto,
  type EitherId,
  type MfInvestmentAccountDto,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { served } from '../investor-profile/investor-profile.ts';
import { investorProfiles, noteInvestorChange } from '../investor-profile/investor-profile.repository.ts';
import { ofTenant } from '../tenant/of-tenant.ts';
import { checkFolioDefaults } from './folio-defaults.ts';
import { changedMfInvestmentAccount, toMfInvestmentAccount } from './mf-investment-account.ts';
import { mfInvestmentAccounts, updateFolioDefaults } from './mf-investment-account.repository.ts';

/**
 * `PATCH /v2/mf_investment_accounts`. Throws `ApiError` NOT_FOUND, or `ValidationFailed` if an object in `folio_defaults` is not the
 * investor's.
 */
@Injectable()
export class ChangeMfInvestmentAccount {
  constructor(private readonly database: Database) {}

  execute(
    caller: Caller,
    id: EitherId,
    changes: ChangeMfInvestmentAccountDto,
  ): Promise<MfInvestmentAccountDto> {
    return this.database.transaction(async (tx) => {
      const row = found(await mfInvestmentAccounts.lock(tx, ofTenant(caller.tenant, id)));
      const changed = changedMfInvestmentAccount(row, changes);
      const investor = { tenant: caller.tenant, id: row.primary_investor };
      served(found(await investorProfiles.find(tx, investor)));
      await checkFolioDefaults(tx, changed);
      await updateFolioDefaults(tx, changed);
      await noteInvestorChange(tx, investor);
      return caller.answer(tx, toMfInvestmentAccount(changed));
    });
  }
}
