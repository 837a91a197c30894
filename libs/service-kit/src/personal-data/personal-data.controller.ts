import { personIds, type PersonErased, type PersonIds, type PersonStanding } from '@fundrail/contracts';
import { Body, Controller, Inject, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Database } from '../db/database.ts';
import { Internal } from '../http/auth/route-policy.ts';
import { PersonalDataRepository } from './personal-data.repository.ts';
import type { PersonalTable } from './personal-table.ts';

/** Injection token of the `personal` tables of the service's definition. */
export const PERSONAL_TABLES = Symbol('kit:personal-tables');

/** What a service stores about an investor, for identity: it alone knows whose the ids are (decision 0063). */
@ApiExcludeController()
@Internal()
@Controller('internal/personal_data')
export class PersonalDataController {
  private readonly stored: PersonalDataRepository;

  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(PERSONAL_TABLES) tables: readonly PersonalTable[],
  ) {
    this.stored = new PersonalDataRepository(tables);
  }

  @Post('standing')
  standing(@Body({ schema: personIds }) person: PersonIds): Promise<PersonStanding> {
    return this.stored.standing(this.database, person);
  }

  @Post('export')
  async export(@Body({ schema: personIds }) person: PersonIds) {
    return { tables: await this.stored.rows(this.database, person) };
  }

  /** All of the service's tables in one transaction, or nothing. */
  @Post('erasure')
  erase(@Body({ schema: personIds }) person: PersonIds): Promise<PersonErased> {
    return this.database.transaction(async (tx) => {
      const { live } = await this.stored.standing(tx, person);
      return { erased: live ? null : await this.stored.erase(tx, person) };
    });
  }
}
