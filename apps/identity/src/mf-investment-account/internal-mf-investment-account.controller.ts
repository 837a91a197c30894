import {
  ApiError,
  found,
  investmentAccountFacts,
  tenantName,
  type InvestmentAccountFacts,
} from '@fundrail/contracts';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { Database } from '@fundrail/service-kit/db';
import { Internal, pathId } from '@fundrail/service-kit/http';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { z } from 'zod';
import { bankAccounts } from '../bank-account/bank-account.repository.ts';
import { investorProfiles } from '../investor-profile/investor-profile.repository.ts';
import { ofTenant } from '../tenant/of-tenant.ts';
import { withNamedContacts } from './folio-defaults.ts';
import { contactsOf } from './mf-investment-account.ts';
import type { MfInvestmentAccountRow } from './mf-investment-account.table.ts';
import { mfInvestmentAccounts } from './mf-investment-account.repository.ts';

const query = z.strictObject({ tenant: tenantName });

/** Investment accounts for other services. */
@Controller('internal/mf_investment_accounts')
@Internal()
export class InternalMfInvestmentAccountController {
  constructor(
    private readonly database: Database,
    private readonly cipher: DataCipher,
  ) {}

  /** Accepts either id. */
  @Get(':id')
  @ApiResponse({ status: 200, description: 'The facts.', standardSchema: investmentAccountFacts })
  async get(
    @Param('id') text: string,
    @Query({ schema: query }) asked: z.output<typeof query>,
  ): Promise<InvestmentAccountFacts> {
    const id = pathId('investmentAccount', text);
    return this.facts(found(await mfInvestmentAccounts.find(this.database, ofTenant(asked.tenant, id))));
  }

  private async facts(row: MfInvestmentAccountRow): Promise<InvestmentAccountFacts> {
    const { tenant, primary_investor, payout_bank_account } = row;
    const profile = await investorProfiles.find(this.database, { tenant, id: primary_investor });
    if (!profile) throw new Error(`${row.id} has no investor profile`);
    if (profile.erasure !== null) throw new ApiError('NOT_FOUND', 'The investor is erased.');
    const payout =
      payout_bank_account === null
        ? null
        : await bankAccounts.find(this.database, { tenant, id: payout_bank_account });
    const named = await withNamedContacts(this.database, { account: row, profile }, this.cipher);
    return {
      id: row.id,
      old_id: row.old_id,
      primary_investor,
      contacts: contactsOf(named.account, named.profile),
      payout_bank_account_id: payout?.old_id ?? null,
    };
  }
}
