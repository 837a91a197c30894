import { ApiError, newId, type CreateInvestorProfileDto, type InvestorProfileDto } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { findTenant } from '../tenant/tenant.repository.ts';
import { newInvestorProfile, toInvestorProfile } from './investor-profile.ts';
import { investorProfiles } from './investor-profile.repository.ts';

/** `POST /v2/investor_profiles`. */
@Injectable()
export class CreateInvestorProfile {
  constructor(private readonly database: Database) {}

  execute(caller: Caller, input: CreateInvestorProfileDto): Promise<InvestorProfileDto> {
    return this.database.transaction(async (tx) => {
      // Only an admin can request a tenant that does not exist (AUTH-17).
      if (!(await findTenant(tx, caller.tenant))) throw new ApiError('FORBIDDEN', 'There is no such tenant.');
      const given = { id: newId('investorProfile'), tenant: caller.tenant, now: tx.now };
      const row = await investorProfiles.create(tx, newInvestorProfile(input, given));
      return caller.answer(tx, toInvestorProfile(row));
    });
  }
}
