import {
  changeMfInvestmentAccount,
  changeMfInvestmentAccountById,
  changeUpstreamAccount,
  changeUpstreamAccountById,
  createMfInvestmentAccount,
  createUpstreamAccount,
  found,
  mfInvestmentAccount,
  pan,
  prefixedId,
  ValidationFailed,
  type ChangeMfInvestmentAccountDto,
  type CreateMfInvestmentAccountDto,
  type MfInvestmentAccountDto,
} from '@fundrail/contracts';
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
import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { investorProfiles } from '../investor-profile/investor-profile.repository.ts';
import { newestOf, ofTenant } from '../tenant/of-tenant.ts';
import { ChangeMfInvestmentAccount } from './change-mf-investment-account.ts';
import { CreateMfInvestmentAccount } from './create-mf-investment-account.ts';
import { toMfInvestmentAccount } from './mf-investment-account.ts';
import { mfInvestmentAccounts } from './mf-investment-account.repository.ts';

const query = listQuery({
  starting_after: prefixedId('investmentAccount').optional(),
  primary_investor: prefixedId('investorProfile').optional(),
  primary_investor_pan: pan.optional(),
});
const createRequest = widerForUpstream(createMfInvestmentAccount, createUpstreamAccount);
const changeRequest = widerForUpstream(changeMfInvestmentAccount, changeUpstreamAccount);
const changeByIdRequest = widerForUpstream(changeMfInvestmentAccountById, changeUpstreamAccountById);
const answers = { status: 200, description: 'The investment account.', standardSchema: mfInvestmentAccount };
const answersList = {
  status: 200,
  description: 'Investment accounts, newest first.',
  standardSchema: listSchema(mfInvestmentAccount),
};

/** INV-9: investment accounts. */
@ApiTags('Investors')
@Controller('v2/mf_investment_accounts')
export class MfInvestmentAccountController {
  constructor(
    private readonly database: Database,
    private readonly createAccount: CreateMfInvestmentAccount,
    private readonly changeAccount: ChangeMfInvestmentAccount,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Create an investment account',
    description:
      'Purchases are placed in an investment account. `folio_defaults` contains the payout bank account and the contacts with which consents are compared.',
  })
  @ApiResponse(answers)
  create(
    @CallerOf() caller: Caller,
    @Body({ schema: createRequest }) body: CreateMfInvestmentAccountDto,
  ): Promise<MfInvestmentAccountDto> {
    return this.createAccount.execute(caller, body);
  }

  @Patch()
  @ApiOperation({
    summary: 'Change the folio defaults of an investment account; the id is in the body',
    description: 'Fields that are left out keep their values.',
  })
  @ApiResponse(answers)
  async changeById(
    @CallerOf() caller: Caller,
    @Body({ schema: changeByIdRequest }) body: z.output<typeof changeMfInvestmentAccountById>,
  ): Promise<MfInvestmentAccountDto> {
    const { id, ...changes } = body;
    if (!(await mfInvestmentAccounts.find(this.database, { tenant: caller.tenant, id })))
      throw new ValidationFailed([{ field: 'id', message: 'is not an investment account of this tenant' }]);
    return this.changeAccount.execute(caller, { id }, changes);
  }

  @Patch(':id')
  @ApiOperation({
    summary: 'Change the folio defaults of an investment account',
    description: 'The same request with the id in the path.',
  })
  @ApiResponse(answers)
  change(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: changeRequest }) body: ChangeMfInvestmentAccountDto,
  ): Promise<MfInvestmentAccountDto> {
    return this.changeAccount.execute(caller, pathId('investmentAccount', id), body);
  }

  @Get()
  @ApiOperation({
    summary: 'List investment accounts, newest first',
    description:
      'Returns all investment accounts of the tenant, or those of one investor, named by id or by PAN.',
  })
  @ApiResponse(answersList)
  async list(@CallerOf() caller: Caller, @Query({ schema: query }) asked: z.output<typeof query>) {
    const owners = await this.owners(caller.tenant, asked);
    const filter = owners === null ? {} : { primary_investor: owners };
    const rows = await mfInvestmentAccounts.list(this.database, ...newestOf(caller.tenant, asked, filter));
    return listOf(rows.map(toMfInvestmentAccount));
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Fetch an investment account by its id or its old_id',
    description: '404 when the account is unknown or belongs to another tenant.',
  })
  @ApiResponse(answers)
  async get(@CallerOf() caller: Caller, @Param('id') text: string): Promise<MfInvestmentAccountDto> {
    const id = pathId('investmentAccount', text);
    const row = found(await mfInvestmentAccounts.find(this.database, ofTenant(caller.tenant, id)));
    return toMfInvestmentAccount(row);
  }

  /** The investors whose accounts are listed; null: all. */
  private async owners(
    tenant: string,
    { primary_investor: id, primary_investor_pan: wanted }: z.output<typeof query>,
  ): Promise<string[] | null> {
    if (wanted === undefined) return id === undefined ? null : [id];
    const where = { tenant, pan: wanted, ...(id !== undefined && { id }) };
    return (await investorProfiles.list(this.database, where, 't.id')).map((profile) => profile.id);
  }
}
