import { Clock, Database } from '@fundrail/service-kit/db';
import { HousekeepingLane, type Look } from '@fundrail/service-kit/housekeeping';
import { Injectable } from '@nestjs/common';
import { deleteOldDraws } from './installment-draw.repository.ts';

/** Deletes draws whose request got no answer from its plan, once its Idempotency-Key has expired. */
@Injectable()
export class DeleteOldDraws extends HousekeepingLane {
  readonly name = 'installment-draws';
  /** The pace at which the Idempotency-Keys themselves are deleted. */
  protected readonly pace = { everyMs: 600_000 };

  constructor(
    clock: Clock,
    private readonly database: Database,
  ) {
    super(clock);
  }

  /** `now` is business time, which decides when a key expires. */
  protected async look(now: Date): Promise<Look> {
    return (await deleteOldDraws(this.database, now)) === 0 ? 'done' : 'more';
  }
}
