import { Clock, Database } from '@fundrail/service-kit/db';
import { DueLane } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { forgetOldDraws } from './installment-draw.repository.ts';

/** As often as the Idempotency-Keys themselves are looked through. */
const LOOK_EVERY_MS = 600_000;

/** Housekeeping: requests whose plan never answered leave their draw behind, until its key has expired. By the wall clock, no step. */
@Injectable()
export class ForgetDraws extends DueLane {
  readonly name = 'installment-draws';
  override readonly isStep = false;
  private nextLook = 0;

  constructor(
    private readonly clock: Clock,
    private readonly database: Database,
  ) {
    super();
  }

  earliestDue(): Promise<null> {
    return Promise.resolve(null);
  }

  /** `now` is business time, by which a key expires. Asked again at once while there are more. */
  async run(now: Date): Promise<number> {
    const wall = this.clock.now().getTime();
    if (wall < this.nextLook) return 0;
    const forgotten = await forgetOldDraws(this.database, now);
    if (forgotten === 0) this.nextLook = wall + LOOK_EVERY_MS;
    return forgotten;
  }
}
