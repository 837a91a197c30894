import {
  ApiError,
  type ChangeInvestorProfileDto,
  type EitherId,
  type InvestorProfileDto,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { changedInvestorProfile, toInvestorProfile } from './investor-profile.ts';
import { lockInvestorProfile, updateInvestorContacts } from './investor-profile.repository.ts';

/** `PATCH /v2/investor_profiles`. Throws `ApiError` NOT_FOUND for another tenant's investor. */
@Injectable()
export class ChangeInvestorProfile {
  constructor(private readonly database: Database) {}

  execute(caller: Caller, id: EitherId, changes: ChangeInvestorProfileDto): Promise<InvestorProfileDto> {
    return this.database.transaction(async (tx) => {
      const row = await lockInvestorProfile(tx, caller.tenant, id);
      if (!row) throw new ApiError('NOT_FOUND');
      const changed = changedInvestorProfile(row, changes);
      await updateInvestorContacts(tx, changed);
      return caller.answer(tx, toInvestorProfile(changed));
    });
  }
}
