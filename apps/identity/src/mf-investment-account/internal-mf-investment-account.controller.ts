import {
  ApiError,
  eitherId,
  investmentAccountFacts,
  tenantName,
  type InvestmentAccountFacts,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Internal } from '@fundrail/service-kit/http';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { z } from 'zod';
import { findBankAccount } from '../bank-account/bank-account.repository.ts';
import { findInvestorProfile } from '../investor-profile/investor-profile.repository.ts';
import { contactsOf } from './mf-investment-account.ts';
import type { MfInvestmentAccountRow } from './mf-investment-account.table.ts';
import { findMfInvestmentAccount } from './mf-investment-account.repository.ts';

const query = z.strictObject({ tenant: tenantName });

/** Investment accounts for other services. */
@Controller('internal/mf_investment_accounts')
@Internal()
export class InternalMfInvestmentAccountController {
  constructor(private readonly database: Database) {}

  /** Accepts either id. */
  @Get(':id')
  @ApiResponse({ status: 200, description: 'The facts.', standardSchema: investmentAccountFacts })
  async get(
    @Param('id') text: string,
    @Query({ schema: query }) asked: z.output<typeof query>,
  ): Promise<InvestmentAccountFacts> {
    const id = eitherId('investmentAccount', text);
    const row = id && (await findMfInvestmentAccount(this.database, asked.tenant, id));
    if (!row) throw new ApiError('NOT_FOUND');
    return this.facts(row);
  }

  private async facts(row: MfInvestmentAccountRow): Promise<InvestmentAccountFacts> {
    const profile = await findInvestorProfile(this.database, row.tenant, { id: row.primary_investor });
    if (!profile) throw new Error(`${row.id} has no investor profile`);
    const payout =
      row.payout_bank_account === null
        ? null
        : await findBankAccount(this.database, row.tenant, { id: row.payout_bank_account });
    return {
      id: row.id,
      old_id: row.old_id,
      primary_investor: row.primary_investor,
      contacts: contactsOf(row, profile),
      payout_bank_account_id: payout?.old_id ?? null,
    };
  }
}
