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

/** `POST /v2/phone_numbers` and the like. Throws `ValidationFailed` for another tenant's investor. */
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
      if (!(await investorProfiles.find(tx, { tenant: caller.tenant, id: profile })))
        throw new ValidationFailed([
          { field: 'profile', message: 'is not an investor profile of this tenant' },
        ]);
      const given = { tenant: caller.tenant, kind, profile, created_at: tx.now };
      const row = await profileDetails.create(tx, newProfileDetail(input, given, this.cipher));
      return caller.answer(tx, toProfileDetail(row, this.cipher));
    });
  }
}
