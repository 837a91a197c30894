import { found, ownTenant, type OwnTenantDto } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { CallerOf, type Caller } from '@fundrail/service-kit/http';
import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { toOwnTenant } from './tenant.ts';
import { findTenant } from './tenant.repository.ts';

/** What a client needs of its own tenant: the name under which its investors pay (ADMIN-8). */
@ApiTags('Authentication')
@Controller('v2/tenant')
export class OwnTenantController {
  constructor(private readonly database: Database) {}

  @Get()
  @ApiOperation({
    operationId: 'getOwnTenant',
    summary: 'Fetch your own tenant',
    description:
      "`operator_name` is the name that investors see in their UPI app, on a mandate and on the bank statement. Show it in your app before they pay, as the transaction's official facilitator.",
  })
  @ApiResponse({ status: 200, description: 'Your tenant.', standardSchema: ownTenant })
  async get(@CallerOf() caller: Caller): Promise<OwnTenantDto> {
    return toOwnTenant(found(await findTenant(this.database, caller.tenant)));
  }
}
