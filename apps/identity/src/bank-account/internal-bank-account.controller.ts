import { bankAccountFacts, found, tenantName, type BankAccountFacts } from '@fundrail/contracts';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { Database } from '@fundrail/service-kit/db';
import { Internal, pathId } from '@fundrail/service-kit/http';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { z } from 'zod';
import { ofTenant } from '../tenant/of-tenant.ts';
import { accountNumberCell, toBankAccountFacts } from './bank-account.ts';
import { servedBankAccounts } from './bank-account.repository.ts';

const query = z.strictObject({ tenant: tenantName });

/** Bank accounts for other services. */
@Controller('internal/bank_accounts')
@Internal()
export class InternalBankAccountController {
  constructor(
    private readonly database: Database,
    private readonly cipher: DataCipher,
  ) {}

  /** Accepts either id. */
  @Get(':id')
  @ApiResponse({ status: 200, description: 'The facts.', standardSchema: bankAccountFacts })
  async get(
    @Param('id') text: string,
    @Query({ schema: query }) asked: z.output<typeof query>,
  ): Promise<BankAccountFacts> {
    const id = pathId('bankAccount', text);
    const row = found(await servedBankAccounts.find(this.database, ofTenant(asked.tenant, id)));
    return toBankAccountFacts(row, this.cipher.decrypt(row.account_number_encrypted, accountNumberCell(row)));
  }
}
