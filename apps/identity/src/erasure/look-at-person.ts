import type { PersonIds } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import type { InvestorProfileRow } from '../investor-profile/investor-profile.table.ts';
import { findTenant } from '../tenant/tenant.repository.ts';
import type { ErasureRow } from './erasure.table.ts';
import { OwnPersonalData } from './own-personal-data.ts';
import { PersonElsewhere } from './person-elsewhere.ts';
import { retentionOf, wholeStanding } from './retention.ts';

/** What is known of a person at a time: its ids everywhere, and what keeps its data. */
interface Look extends Pick<ErasureRow, 'due_on' | 'kept'> {
  readonly person: PersonIds;
}

/** Asks every service about a person. Throws `ApiError` SERVICE_UNAVAILABLE when one does not answer. */
@Injectable()
export class LookAtPerson {
  constructor(
    private readonly database: Database,
    private readonly own: OwnPersonalData,
    private readonly elsewhere: PersonElsewhere,
  ) {}

  async at(now: Date, profile: InvestorProfileRow): Promise<Look> {
    const { person, processedAt } = await this.own.personOf(this.database, profile);
    const parts = await this.elsewhere.standing({ ...person, subjects: [] });
    const tenant = await findTenant(this.database, profile.tenant);
    const choice = tenant?.settings.policies['personal_data_retention'] ?? null;
    return {
      ...retentionOf(wholeStanding(parts, processedAt), choice, now),
      person: { ...person, subjects: parts.flatMap(({ subjects }) => subjects) },
    };
  }
}
