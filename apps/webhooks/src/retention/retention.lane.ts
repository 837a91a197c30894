import { Clock } from '@fundrail/service-kit/db';
import { HousekeepingLane, type Look } from '@fundrail/service-kit/housekeeping';
import { Injectable } from '@nestjs/common';
import { DeleteOld } from './delete-old.ts';

/** Deletes old data step by step. */
@Injectable()
export class RetentionLane extends HousekeepingLane {
  readonly name = 'webhook-retention';
  /** The pauses between two passes and between two steps of a pass, so that deliveries have priority. */
  protected readonly pace = { everyMs: 60_000, stepEveryMs: 100 };
  private event = '';

  constructor(
    clock: Clock,
    private readonly deletion: DeleteOld,
  ) {
    super(clock);
  }

  protected async look(): Promise<Look> {
    const { isDone, event } = await this.deletion.execute(this.event);
    this.event = event;
    return isDone ? 'done' : 'more';
  }
}
