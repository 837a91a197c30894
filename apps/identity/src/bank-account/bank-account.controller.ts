import {
  bankAccount,
  createBankAccount,
  createUpstreamBankAccount,
  found,
  prefixedId,
  type BankAccountDto,
  type CreateBankAccountDto,
} from '@fundrail/contracts';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { Database } from '@fundrail/service-kit/db';
import {
  CallerOf,
  listOf,
  listQuery,
  listSchema,
  pathId,
  widerForUpstream,
  type Caller,
} from '@fundrail/service-kit/http';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { newestOf, ofTenant } from '../tenant/of-tenant.ts';
import { accountNumberCell, maskedNumber, toBankAccount } from './bank-account.ts';
import type { BankAccountRow } from './bank-account.table.ts';
import { bankAccounts } from './bank-account.repository.ts';
import { mayReveal, RevealAudit } from './reveal-audit.ts';
import { CreateBankAccount } from './create-bank-account.ts';

const query = listQuery({
  starting_after: prefixedId('bankAccount').optional(),
  profile: prefixedId('investorProfile').optional(),
});
const createRequest = widerForUpstream(createBankAccount, createUpstreamBankAccount);
const answers = { status: 200, description: 'The bank account.', standardSchema: bankAccount };

/** INV-4: bank accounts. */
@ApiTags('Investors')
@Controller('v2/bank_accounts')
export class BankAccountController {
  constructor(
    private readonly database: Database,
    private readonly cipher: DataCipher,
    private readonly createAccount: CreateBankAccount,
    private readonly audit: RevealAudit,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Create a bank account; its IFSC is checked',
    description:
      'A bank account of an investor, used for payments and mandates. It has a prefixed id and an integer old_id; payments and mandates refer to the old_id. ' +
      'Only this response contains the full account_number.',
  })
  @ApiResponse(answers)
  create(
    @CallerOf() caller: Caller,
    @Body({ schema: createRequest }) body: CreateBankAccountDto,
  ): Promise<BankAccountDto> {
    return this.createAccount.execute(caller, body);
  }

  @Get()
  @ApiOperation({
    summary: 'List bank accounts, newest first',
    description:
      'Returns all accounts of the tenant, or those of one investor profile. account_number is masked (XXXXXXXXXX5678) unless the token has the scope bank_accounts:reveal. Each response with full numbers is recorded in the audit.',
  })
  @ApiResponse({
    ...answers,
    description: 'Bank accounts, newest first.',
    standardSchema: listSchema(bankAccount),
  })
  async list(@CallerOf() caller: Caller, @Query({ schema: query }) asked: z.output<typeof query>) {
    const isWhole = mayReveal(caller);
    const look = async () => {
      const filter = asked.profile === undefined ? {} : { profile: asked.profile };
      const rows = await bankAccounts.list(this.database, ...newestOf(caller.tenant, asked, filter));
      return listOf(rows.map((row) => this.shown(row, isWhole)));
    };
    return isWhole ? this.audit.around(caller, { method: 'GET', path: listPath(asked) }, look) : look();
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Fetch a bank account by its id or its old_id',
    description:
      'account_number is masked unless the token has the scope bank_accounts:reveal. Each response with the full number is recorded in the audit. 404 when the account is unknown or belongs to another tenant.',
  })
  @ApiResponse(answers)
  async get(@CallerOf() caller: Caller, @Param('id') text: string): Promise<BankAccountDto> {
    const id = pathId('bankAccount', text);
    const isWhole = mayReveal(caller);
    const look = async () => {
      const row = found(await bankAccounts.find(this.database, ofTenant(caller.tenant, id)));
      return this.shown(row, isWhole);
    };
    const path = `/v2/bank_accounts/${'id' in id ? id.id : id.oldId}`;
    return isWhole ? this.audit.around(caller, { method: 'GET', path }, look) : look();
  }

  private shown(row: BankAccountRow, isWhole: boolean): BankAccountDto {
    const accountNumber = this.cipher.decrypt(row.account_number_encrypted, accountNumberCell(row));
    return toBankAccount(row, isWhole ? accountNumber : maskedNumber(accountNumber));
  }
}

/**
 * The path of the requested page, for the audit. Accounts are only added, so the page's parameters identify the accounts that were
 * shown.
 */
function listPath(asked: z.output<typeof query>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) search.set(name, String(value));
  return `/v2/bank_accounts?${search.toString()}`;
}
