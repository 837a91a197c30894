import {
  changeInvestorProfile,
  changeInvestorProfileById,
  changeUpstreamProfile,
  changeUpstreamProfileById,
  createInvestorProfile,
  createUpstreamProfile,
  found,
  investorProfile,
  pan,
  prefixedId,
  ValidationFailed,
  type ChangeInvestorProfileDto,
  type CreateInvestorProfileDto,
  type InvestorProfileDto,
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
import { newestOf, ofTenant } from '../tenant/of-tenant.ts';
import { ChangeInvestorProfile } from './change-investor-profile.ts';
import { CreateInvestorProfile } from './create-investor-profile.ts';
import { toInvestorProfile } from './investor-profile.ts';
import { investorProfiles } from './investor-profile.repository.ts';

const query = listQuery({ starting_after: prefixedId('investorProfile').optional(), pan: pan.optional() });
const createRequest = widerForUpstream(createInvestorProfile, createUpstreamProfile);
const changeRequest = widerForUpstream(changeInvestorProfile, changeUpstreamProfile);
const changeByIdRequest = widerForUpstream(changeInvestorProfileById, changeUpstreamProfileById);
const answers = { status: 200, description: 'The investor.', standardSchema: investorProfile };

/** INV-1: investor profiles. */
@ApiTags('Investors')
@Controller('v2/investor_profiles')
export class InvestorProfileController {
  constructor(
    private readonly database: Database,
    private readonly createProfile: CreateInvestorProfile,
    private readonly changeProfile: ChangeInvestorProfile,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Create an investor profile',
    description:
      'An investor is the person who owns orders and mandates. Bank accounts and investment accounts need one.',
  })
  @ApiResponse(answers)
  create(
    @CallerOf() caller: Caller,
    @Body({ schema: createRequest }) body: CreateInvestorProfileDto,
  ): Promise<InvestorProfileDto> {
    return this.createProfile.execute(caller, body);
  }

  @Patch()
  @ApiOperation({
    summary: 'Change the e-mail or the mobile of an investor; the id is in the body',
    description:
      'Fields that are left out keep their values. Consents are compared with these contacts if the investment account has none of its own.',
  })
  @ApiResponse(answers)
  async changeById(
    @CallerOf() caller: Caller,
    @Body({ schema: changeByIdRequest }) body: z.output<typeof changeInvestorProfileById>,
  ): Promise<InvestorProfileDto> {
    const { id, ...changes } = body;
    if (!(await investorProfiles.find(this.database, { tenant: caller.tenant, id })))
      throw new ValidationFailed([{ field: 'id', message: 'is not an investor profile of this tenant' }]);
    return this.changeProfile.execute(caller, { id }, changes);
  }

  @Patch(':id')
  @ApiOperation({
    summary: 'Change the e-mail or the mobile of an investor',
    description: 'The same request with the id in the path.',
  })
  @ApiResponse(answers)
  change(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: changeRequest }) body: ChangeInvestorProfileDto,
  ): Promise<InvestorProfileDto> {
    return this.changeProfile.execute(caller, pathId('investorProfile', id), body);
  }

  @Get()
  @ApiOperation({
    summary: 'List investors, newest first',
    description: 'Returns all investors of the tenant, or the one with the given PAN.',
  })
  @ApiResponse({
    ...answers,
    description: 'Investors, newest first.',
    standardSchema: listSchema(investorProfile),
  })
  async list(@CallerOf() caller: Caller, @Query({ schema: query }) asked: z.output<typeof query>) {
    const filter = asked.pan === undefined ? {} : { pan: asked.pan };
    const rows = await investorProfiles.list(this.database, ...newestOf(caller.tenant, asked, filter));
    return listOf(rows.map(toInvestorProfile));
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Fetch an investor by its id or its old_id',
    description: '404 when the investor is unknown or belongs to another tenant.',
  })
  @ApiResponse(answers)
  async get(@CallerOf() caller: Caller, @Param('id') text: string): Promise<InvestorProfileDto> {
    const id = pathId('investorProfile', text);
    return toInvestorProfile(found(await investorProfiles.find(this.database, ofTenant(caller.tenant, id))));
  }
}
