import { ApiError, businessDate, found, istDate, policy, type PolicyDto } from '@fundrail/contracts';
import { describePolicy, policiesInUse, type Policy } from '@fundrail/policies';
import { Database } from '@fundrail/service-kit/db';
import { CallerOf, listOf, listSchema, type Caller } from '@fundrail/service-kit/http';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { findTenant } from '../tenant/tenant.repository.ts';

const query = z.strictObject({ at: businessDate.optional() });
type Asked = z.output<typeof query>;

/** The rules of regulators and of NPCI that the product keeps, on a business date: today by default (POL-3). */
@ApiTags('Policies')
@Controller('v2/policies')
export class PolicyController {
  constructor(private readonly database: Database) {}

  @Get()
  @ApiOperation({
    summary: 'List the policies',
    description:
      'Each rule of a regulator or of NPCI with its dates, its figures and its sources, as it is in force on the day `at` in India.',
  })
  @ApiResponse({ status: 200, description: 'Every policy.', standardSchema: listSchema(policy) })
  async list(@CallerOf() caller: Caller, @Query({ schema: query }) asked: Asked) {
    const describe = await this.describer(caller, asked);
    return listOf(policiesInUse().map(describe));
  }

  @Get(':name')
  @ApiOperation({
    summary: 'Fetch a policy by its name',
    description: 'The name is that of `error.policy.name` in the error of a refusal.',
  })
  @ApiResponse({ status: 200, description: 'The policy.', standardSchema: policy })
  async get(
    @CallerOf() caller: Caller,
    @Param('name') name: string,
    @Query({ schema: query }) asked: Asked,
  ): Promise<PolicyDto> {
    const one = policiesInUse().find((known) => known.name === name);
    if (!one) throw new ApiError('NOT_FOUND', 'There is no such policy: GET /v2/policies has their names.');
    return (await this.describer(caller, asked))(one);
  }

  private async describer({ tenant }: Caller, { at }: Asked): Promise<(one: Policy) => PolicyDto> {
    const { settings } = found(await findTenant(this.database, tenant));
    const date = at ?? istDate(await this.database.now());
    return (one) => describePolicy(one, date, settings.policies[one.name] ?? null);
  }
}
