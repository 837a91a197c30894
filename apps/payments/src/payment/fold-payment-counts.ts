import { Clock, Database } from '@fundrail/service-kit/db';
import { HousekeepingLane, type Look } from '@fundrail/service-kit/housekeeping';
import { Injectable } from '@nestjs/common';
import { foldPaymentCounts } from './payment-counts.repository.ts';

/** Keeps short what every list adds up besides the counters (decision 0011). */
@Injectable()
export class FoldPaymentCounts extends HousekeepingLane {
  readonly name = 'payment-counts';
  // A list reads what is not folded yet: at 500 payments a second that is a millisecond's work after this pause.
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
