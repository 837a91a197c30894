import {
  changeTenantSettings,
  createdTenant,
  createTenant,
  found,
  tenant,
  type ChangeTenantSettings as Changes,
  type CreatedTenantDto,
  type CreateTenantDto,
  type TenantDto,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { CallerOf, listOf, listSchema, RequireScope, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ChangeTenantSettings } from './change-tenant-settings.ts';
import { CreateTenant } from './create-tenant.ts';
import { toTenant } from './tenant.ts';
import { PathName } from './path-name.pipe.ts';
import { findTenant, listTenants } from './tenant.repository.ts';

/** docs/specification/administration.md: operators manage tenants. */
@ApiTags('Administration')
@Controller('admin/tenants')
@RequireScope('admin')
export class TenantController {
  constructor(
    private readonly database: Database,
    private readonly createOne: CreateTenant,
    private readonly changeSettings: ChangeTenantSettings,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Create a tenant; only this response contains its postback secret',
    description:
      "A tenant is a client company with its own data and settings. The postback secret signs what the investor's browser posts back.",
  })
  @ApiResponse({ status: 200, description: 'The tenant, with its secret.', standardSchema: createdTenant })
  create(
    @CallerOf() caller: Caller,
    @Body({ schema: createTenant }) body: CreateTenantDto,
  ): Promise<CreatedTenantDto> {
    return this.createOne.execute(caller, body);
  }

  @Patch(':name/settings')
  @ApiOperation({
    operationId: 'updateTenantSettings',
    summary: 'Change settings of a tenant; settings that are left out keep their values',
    description:
      "The settings are: what the tenant may use (SDK options, UPI collect), its default provider and postback, its rate limits, what is chosen within policies (`policies`), its `display_name` and `logo` on the payer's page, and whether its webhook endpoints must answer a challenge before they receive events (`verify_endpoints`).",
  })
  @ApiResponse({ status: 200, description: 'The tenant.', standardSchema: tenant })
  change(
    @CallerOf() caller: Caller,
    @Param('name', PathName) name: string,
    @Body({ schema: changeTenantSettings }) body: Changes,
  ): Promise<TenantDto> {
    return this.changeSettings.execute(caller, name, body);
  }

  @Get()
  @ApiOperation({
    summary: 'List every tenant, newest first',
    description: 'Returns the tenants with their settings, without their secrets.',
  })
  @ApiResponse({
    status: 200,
    description: 'Every tenant, newest first.',
    standardSchema: listSchema(tenant),
  })
  async list() {
    return listOf((await listTenants(this.database)).map(toTenant));
  }

  @Get(':name')
  @ApiOperation({
    summary: 'Fetch a tenant',
    description: 'Returns the tenant with its settings, without its secrets.',
  })
  @ApiResponse({ status: 200, description: 'The tenant.', standardSchema: tenant })
  async get(@Param('name', PathName) name: string): Promise<TenantDto> {
    return toTenant(found(await findTenant(this.database, name)));
  }
}
