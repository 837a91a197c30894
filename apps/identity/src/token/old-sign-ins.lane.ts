import { Clock, Database } from '@fundrail/service-kit/db';
import { HousekeepingLane, type Look } from '@fundrail/service-kit/housekeeping';
import { Injectable } from '@nestjs/common';
import { KNOWN_FOR_MS } from './known-sign-ins.ts';
import { deleteOldSignIns } from './sign-in.repository.ts';

const EVERY_MS = 3_600_000;
/** Rows that one statement deletes. */
const MOST = 1_000;

/** Deletes sign-ins that no longer count, by the wall clock. */
@Injectable()
export class OldSignInsLane extends HousekeepingLane {
  readonly name = 'old-sign-ins';
  protected readonly pace = { everyMs: EVERY_MS };

  constructor(
    clock: Clock,
    private readonly database: Database,
  ) {
    super(clock);
  }

  protected async look(): Promise<Look> {
    const until = new Date(this.clock.now().getTime() - KNOWN_FOR_MS);
    return (await deleteOldSignIns(this.database, until, MOST)) === MOST ? 'more' : 'done';
  }
}
