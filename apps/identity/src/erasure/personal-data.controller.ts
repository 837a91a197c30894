import { erasure, found, investorExport, type ErasureDto, type InvestorExportDto } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { CallerOf, pathId, type Caller } from '@fundrail/service-kit/http';
import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { RevealAudit } from '../bank-account/reveal-audit.ts';
import { investorProfiles } from '../investor-profile/investor-profile.repository.ts';
import type { InvestorProfileRow } from '../investor-profile/investor-profile.table.ts';
import { ofTenant } from '../tenant/of-tenant.ts';
import { erasures } from './erasure.table.ts';
import { ExportPerson } from './export-person.ts';
import { RequestErasure } from './request-erasure.ts';
import { toErasure } from './retention.ts';

/** INV-17, INV-20: the rights of a person over its data. */
@ApiTags('Investors')
@Controller('v2/investor_profiles/:id')
export class PersonalDataController {
  constructor(
    private readonly database: Database,
    private readonly audit: RevealAudit,
    private readonly requestErasure: RequestErasure,
    private readonly exportPerson: ExportPerson,
  ) {}

  @Post('erasure')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'createInvestorProfileErasure',
    summary: 'Erase the personal data of an investor, once nothing keeps it',
    description:
      'Name, PAN, date of birth, contacts, addresses, account numbers, UPI IDs and IP addresses are overwritten in all services on `due_on`, which a later order or change moves. `kept` says what keeps them until then. Ids, references and amounts stay. A second request returns the same erasure. Recorded in the audit.',
  })
  @ApiResponse({ status: 202, description: 'The erasure.', standardSchema: erasure })
  async request(@CallerOf() caller: Caller, @Param('id') text: string): Promise<ErasureDto> {
    const id = pathId('investorProfile', text);
    const call = { method: 'POST', path: `/v2/investor_profiles/${text}/erasure` } as const;
    return this.audit.around(caller, call, () => this.requestErasure.execute(caller, id), 202);
  }

  @Get('erasure')
  @ApiOperation({
    summary: 'Fetch the erasure of an investor',
    description:
      '`erased` is the proof: the rows of each table that have no personal data any longer. 404 when none was requested.',
  })
  @ApiResponse({ status: 200, description: 'The erasure.', standardSchema: erasure })
  async get(@CallerOf() caller: Caller, @Param('id') text: string): Promise<ErasureDto> {
    const { tenant, id: profile } = await this.profileOf(caller, text);
    return toErasure(found(await erasures.find(this.database, { tenant, profile })));
  }

  @Get('export')
  @ApiOperation({
    summary: 'Export everything that is stored about an investor',
    description:
      'The rows of all services, by service and table; 503 when one of them does not answer. Account numbers are masked unless the token has the scope bank_accounts:reveal. Recorded in the audit.',
  })
  @ApiResponse({ status: 200, description: 'The data.', standardSchema: investorExport })
  async export(@CallerOf() caller: Caller, @Param('id') text: string): Promise<InvestorExportDto> {
    const profile = await this.profileOf(caller, text);
    const call = { method: 'GET', path: `/v2/investor_profiles/${profile.id}/export` } as const;
    return this.audit.around(caller, call, () => this.exportPerson.execute(caller, profile));
  }

  private async profileOf({ tenant }: Caller, text: string): Promise<InvestorProfileRow> {
    const id = pathId('investorProfile', text);
    return found(await investorProfiles.find(this.database, ofTenant(tenant, id)));
  }
}
