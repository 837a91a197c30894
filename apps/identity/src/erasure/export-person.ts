import { istTimestamp, type InvestorExportDto } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { mayReveal } from '../bank-account/reveal-audit.ts';
import type { InvestorProfileRow } from '../investor-profile/investor-profile.table.ts';
import { OwnPersonalData } from './own-personal-data.ts';
import { PersonElsewhere } from './person-elsewhere.ts';

/** All that is stored about a person (INV-20). Throws `ApiError` SERVICE_UNAVAILABLE when a service does not answer, or has too much. */
@Injectable()
export class ExportPerson {
  constructor(
    private readonly database: Database,
    private readonly own: OwnPersonalData,
    private readonly elsewhere: PersonElsewhere,
  ) {}

  async execute(caller: Caller, profile: InvestorProfileRow): Promise<InvestorExportDto> {
    const now = await this.database.now();
    const { person } = await this.own.personOf(this.database, profile);
    const identity = await this.own.shown(this.database, profile, mayReveal(caller));
    const data = { identity, ...(await this.elsewhere.rows(person)) };
    return {
      object: 'investor_export',
      investor_profile: profile.id,
      exported_at: istTimestamp(now),
      data,
    };
  }
}
