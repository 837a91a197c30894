import { found, istInstant, newId, type EitherId, type ErasureDto } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import type { Caller } from '@fundrail/service-kit/http';
import { erasureMachine } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import { investorProfiles } from '../investor-profile/investor-profile.repository.ts';
import { ofTenant } from '../tenant/of-tenant.ts';
import { erasures } from './erasure.table.ts';
import { LookAtPerson } from './look-at-person.ts';
import { toErasure } from './retention.ts';
import { ERASE } from './run-erasure.ts';

/** `POST /v2/investor_profiles/:id/erasure`. A second request finds the erasure of the first. Throws `ApiError` NOT_FOUND, or SERVICE_UNAVAILABLE. */
@Injectable()
export class RequestErasure {
  constructor(
    private readonly database: Database,
    private readonly look: LookAtPerson,
  ) {}

  async execute(caller: Caller, given: EitherId): Promise<ErasureDto> {
    const { tenant } = caller;
    const profile = found(await investorProfiles.find(this.database, ofTenant(tenant, given)));
    const { due_on, kept } = await this.look.at(await this.database.now(), profile);
    return this.database.transaction(async (tx) => {
      const id = newId('erasure');
      const state = erasureMachine.initial;
      const asked = { tenant, profile: profile.id, created_at: tx.now, done_at: null };
      const isNew = await erasures.insertOnce(tx, { ...asked, id, state, due_on, kept, erased: [] });
      if (isNew) await scheduleDue(tx, { kind: ERASE, key: id, tenant, due_at: istInstant(due_on) });
      const row = found(await erasures.find(tx, { tenant, profile: profile.id }));
      return caller.answer(tx, toErasure(row), 202);
    });
  }
}
