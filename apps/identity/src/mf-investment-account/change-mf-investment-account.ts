import {
  found,
  type ChangeMfInvestmentAccountDto,
  type EitherId,
  type MfInvestmentAccountDto,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
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
      await checkFolioDefaults(tx, changed);
      await updateFolioDefaults(tx, changed);
      return caller.answer(tx, toMfInvestmentAccount(changed));
    });
  }
}
