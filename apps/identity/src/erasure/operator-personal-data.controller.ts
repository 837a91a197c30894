import { erasure, found, investorExport, type ErasureDto, type InvestorExportDto } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { CallerOf, pathId, RequireScope, type Caller } from '@fundrail/service-kit/http';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { investorProfiles } from '../investor-profile/investor-profile.repository.ts';
import { ofTenant } from '../tenant/of-tenant.ts';
import { ExportPerson } from './export-person.ts';
import { RequestErasure } from './request-erasure.ts';

/** ADMIN-18: the acts of INV-17 and INV-20 for the operator whom a person has asked. Each call is recorded at the door (ADMIN-9). */
@ApiTags('Administration')
@Controller('admin/investors/:id')
@RequireScope('admin')
export class OperatorPersonalDataController {
  constructor(
    private readonly database: Database,
    private readonly requestErasure: RequestErasure,
    private readonly exportPerson: ExportPerson,
  ) {}

  @Post('export')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Export everything that is stored about an investor, as an operator',
    description:
      'The same answer as `GET /v2/investor_profiles/:id/export`. It is not stored for an `Idempotency-Key`: a repeat is read again. Reads the tenant in x-tenant-id, or your own tenant without that header.',
  })
  @ApiResponse({ status: 200, description: 'The data.', standardSchema: investorExport })
  async export(@CallerOf() caller: Caller, @Param('id') text: string): Promise<InvestorExportDto> {
    caller.idempotency?.keepNothing();
    const asked = ofTenant(caller.tenant, pathId('investorProfile', text));
    return this.exportPerson.execute(caller, found(await investorProfiles.find(this.database, asked)));
  }

  @Post('erase')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Erase the personal data of an investor, as an operator',
    description:
      'The same as `POST /v2/investor_profiles/:id/erasure`, whose `GET` returns the proof. Acts in the tenant in x-tenant-id, or in your own tenant without that header.',
  })
  @ApiResponse({ status: 202, description: 'The erasure.', standardSchema: erasure })
  erase(@CallerOf() caller: Caller, @Param('id') text: string): Promise<ErasureDto> {
    return this.requestErasure.execute(caller, pathId('investorProfile', text));
  }
}
