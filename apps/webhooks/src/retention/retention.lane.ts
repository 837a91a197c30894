import { Clock } from '@fundrail/service-kit/db';
import { HousekeepingLane, type Look } from '@fundrail/service-kit/housekeeping';
import { Injectable } from '@nestjs/common';
import { ForgetOld } from './forget-old.ts';

/** Forgets what is old, little by little. */
@Injectable()
export class RetentionLane extends HousekeepingLane {
  readonly name = 'webhook-retention';
  /** Between two passes, and between two steps of one: deliveries come first. */
  protected readonly pace = { everyMs: 60_000, stepEveryMs: 100 };
  private event = '';

  constructor(
    clock: Clock,
    private readonly forget: ForgetOld,
  ) {
    super(clock);
  }

  protected async look(): Promise<Look> {
    const { isDone, event } = await this.forget.execute(this.event);
    this.event = event;
    return isDone ? 'done' : 'more';
  }
}
