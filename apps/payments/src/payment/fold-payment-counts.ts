import { Clock, Database } from '@fundrail/service-kit/db';
import { HousekeepingLane, type Look } from '@fundrail/service-kit/housekeeping';
import { Injectable } from '@nestjs/common';
import { foldPaymentCounts } from './payment-counts.repository.ts';

/** Keeps the table of deltas short that each list adds to the counters (decision 0011). */
@Injectable()
export class FoldPaymentCounts extends HousekeepingLane {
  readonly name = 'payment-counts';
  // A list reads the deltas that are not folded yet: at 500 payments a second that takes a millisecond after this pause.
  protected readonly pace = { everyMs: 1_000 };

  constructor(
    clock: Clock,
    private readonly database: Database,
  ) {
    super(clock);
  }

  protected async look(): Promise<Look> {
    return (await foldPaymentCounts(this.database)) ? 'more' : 'done';
  }
}
