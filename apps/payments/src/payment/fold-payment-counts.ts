import { Clock, Database } from '@fundrail/service-kit/db';
import { DueLane } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { foldPaymentCounts } from './payment-counts.repository.ts';

// A list reads what is not folded yet: at 500 payments a second that is a millisecond's work after this pause.
const FOLD_EVERY_MS = 1_000;

/** Housekeeping: keeps short what every list adds up besides the counters (decision 0011). By the wall clock, no step. */
@Injectable()
export class FoldPaymentCounts extends DueLane {
  readonly name = 'payment-counts';
  override readonly isStep = false;
  private nextFold = 0;

  constructor(
    private readonly clock: Clock,
    private readonly database: Database,
  ) {
    super();
  }

  earliestDue(): Promise<null> {
    return Promise.resolve(null);
  }

  async run(): Promise<number> {
    const now = this.clock.now().getTime();
    if (now < this.nextFold) return 0;
    this.nextFold = now + FOLD_EVERY_MS;
    await foldPaymentCounts(this.database);
    return 0;
  }
}
