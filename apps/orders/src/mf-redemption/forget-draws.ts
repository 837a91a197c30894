import { Clock, Database } from '@fundrail/service-kit/db';
import { HousekeepingLane, type Look } from '@fundrail/service-kit/housekeeping';
import { Injectable } from '@nestjs/common';
import { forgetOldDraws } from './installment-draw.repository.ts';

/** Requests whose plan never answered leave their draw behind, until its Idempotency-Key has expired. */
@Injectable()
export class ForgetDraws extends HousekeepingLane {
  readonly name = 'installment-draws';
  /** As often as the Idempotency-Keys themselves are looked through. */
  protected readonly pace = { everyMs: 600_000 };

  constructor(
    clock: Clock,
    private readonly database: Database,
  ) {
    super(clock);
  }

  /** `now` is business time, by which a key expires. */
  protected async look(now: Date): Promise<Look> {
    return (await forgetOldDraws(this.database, now)) === 0 ? 'done' : 'more';
  }
}
