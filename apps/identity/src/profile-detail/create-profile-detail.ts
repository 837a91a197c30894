import {
  ValidationFailed,
  type ProfileDetailContent,
  type ProfileDetailDto,
  type ProfileDetailKind,
} from '@fundrail/contracts';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { investorProfiles } from '../investor-profile/investor-profile.repository.ts';
import { newProfileDetail, toProfileDetail } from './profile-detail.ts';
import { profileDetails } from './profile-detail.repository.ts';

/** The most details of one kind that a profile may have (INV-15). Only an erasure removes them. */
const MOST_OF_A_KIND = 100;

/** `POST /v2/phone_numbers` and the like. Throws `ValidationFailed` for another tenant's investor, and for one that has the most of them. */
@Injectable()
export class CreateProfileDetail {
  constructor(
    private readonly database: Database,
    private readonly cipher: DataCipher,
  ) {}

  execute(
    caller: Caller,
    kind: ProfileDetailKind,
    { profile, ...input }: ProfileDetailContent & { readonly profile: string },
  ): Promise<ProfileDetailDto> {
    return this.database.transaction(async (tx) => {
      const { tenant } = caller;
      // Locked, so that requests at the same time are counted one after another.
      if (!(await investorProfiles.lock(tx, { tenant, id: profile, erasure: null })))
        throw refused('is not an investor profile of this tenant');
      const last = { limit: 1, offset: MOST_OF_A_KIND - 1 };
      if ((await profileDetails.list(tx, { tenant, profile, kind }, 't.id', last)).length > 0)
        throw refused(`has ${MOST_OF_A_KIND} objects of this kind, and can have no more`);
      const given = { tenant, kind, profile, created_at: tx.now };
      const row = await profileDetails.create(tx, newProfileDetail(input, given, this.cipher));
      return caller.answer(tx, toProfileDetail(row, this.cipher));
    });
  }
}

function refused(message: string): ValidationFailed {
  return new ValidationFailed([{ field: 'profile', message }]);
}
