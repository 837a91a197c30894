import { found, investorProfileFacts, tenantName, type InvestorProfileFacts } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Internal, pathId } from '@fundrail/service-kit/http';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { z } from 'zod';
import { ofTenant } from '../tenant/of-tenant.ts';
import { investorProfiles } from './investor-profile.repository.ts';

const query = z.strictObject({ tenant: tenantName });

/** Investors for other services. */
@Controller('internal/investor_profiles')
@Internal()
export class InternalInvestorProfileController {
  constructor(private readonly database: Database) {}

  /** Accepts either id. */
  @Get(':id')
  @ApiResponse({ status: 200, description: 'The facts.', standardSchema: investorProfileFacts })
  async get(
    @Param('id') text: string,
    @Query({ schema: query }) asked: z.output<typeof query>,
  ): Promise<InvestorProfileFacts> {
    const id = pathId('investorProfile', text);
    const key = { ...ofTenant(asked.tenant, id), erasure: null };
    const row = found(await investorProfiles.find(this.database, key));
    const { email, mobile_isd_code: isd_code, mobile_number: mobile } = row;
    return { id: row.id, contacts: { email, isd_code, mobile } };
  }
}
