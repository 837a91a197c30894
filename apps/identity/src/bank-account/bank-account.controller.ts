import {
  ApiError,
  bankAccount,
  createBankAccount,
  eitherId,
  prefixedId,
  type BankAccountDto,
  type CreateBankAccountDto,
} from '@fundrail/contracts';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { Database } from '@fundrail/service-kit/db';
import { CallerOf, listOf, listQuery, listSchema, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { toBankAccount } from './bank-account.ts';
import type { BankAccountRow } from './bank-account.entity.ts';
import { findBankAccount, listBankAccounts } from './bank-account.repository.ts';
import { CreateBankAccount } from './create-bank-account.ts';

const query = listQuery({
  starting_after: prefixedId('bankAccount').optional(),
  profile: prefixedId('investorProfile').optional(),
});
const answers = { status: 200, description: 'The bank account.', standardSchema: bankAccount };

/** Contract §1: bank accounts. */
@ApiTags('Investors')
@Controller('v2/bank_accounts')
export class BankAccountController {
  constructor(
    private readonly database: Database,
    private readonly cipher: DataCipher,
    private readonly createAccount: CreateBankAccount,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Take a bank account; its IFSC is checked',
    description:
      'An account of an investor, from which payments are made and mandates debited. It has a prefixed id and an integer old_id, which payments and mandates name.',
  })
  @ApiResponse(answers)
  create(
    @CallerOf() caller: Caller,
    @Body({ schema: createBankAccount }) body: CreateBankAccountDto,
  ): Promise<BankAccountDto> {
    return this.createAccount.execute(caller, body);
  }

  @Get()
  @ApiOperation({
    summary: 'List bank accounts, newest first',
    description: 'All accounts of the tenant, or those of one investor profile.',
  })
  @ApiResponse({
    ...answers,
    description: 'Bank accounts, newest first.',
    standardSchema: listSchema(bankAccount),
  })
  async list(@CallerOf() caller: Caller, @Query({ schema: query }) asked: z.output<typeof query>) {
    const rows = await listBankAccounts(this.database, caller.tenant, asked);
    return listOf(rows.map((row) => this.shown(row)));
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Fetch a bank account by its id or its old_id',
    description: "404 when it is unknown or another tenant's.",
  })
  @ApiResponse(answers)
  async get(@CallerOf() caller: Caller, @Param('id') text: string): Promise<BankAccountDto> {
    const id = eitherId('bankAccount', text);
    const row = id && (await findBankAccount(this.database, caller.tenant, id));
    if (!row) throw new ApiError('NOT_FOUND');
    return this.shown(row);
  }

  private shown(row: BankAccountRow): BankAccountDto {
    return toBankAccount(row, this.cipher.decrypt(row.account_number_encrypted));
  }
}
