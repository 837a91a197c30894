import {
  found,
  type ChangeInvestorProfileDto,
  type EitherId,
  type InvestorProfileDto,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { ofTenant } from '../tenant/of-tenant.ts';
import { changedInvestorProfile, served, toInvestorProfile } from './investor-profile.ts';
import {
  investorProfiles,
  noteInvestorChange,
  updateInvestorContacts,
} from './investor-profile.repository.ts';

/** `PATCH /v2/investor_profiles`. Throws `ApiError` NOT_FOUND for another tenant's investor, ILLEGAL_TRANSITION for an erased one. */
@Injectable()
export class ChangeInvestorProfile {
  constructor(private readonly database: Database) {}

  execute(caller: Caller, id: EitherId, changes: ChangeInvestorProfileDto): Promise<InvestorProfileDto> {
    return this.database.transaction(async (tx) => {
      const row = served(found(await investorProfiles.lock(tx, ofTenant(caller.tenant, id))));
      const changed = changedInvestorProfile(row, changes);
      await updateInvestorContacts(tx, changed);
      await noteInvestorChange(tx, changed);
      return caller.answer(tx, toInvestorProfile(changed));
    });
  }
}
