import { DueLane } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { ForgetOld } from './forget-old.ts';

/** Wall milliseconds between two passes, and between two steps of one: deliveries come first. */
const PASS_EVERY_MS = 60_000;
const STEP_EVERY_MS = 100;

/** Forgets what is old, little by little. */
@Injectable()
export class RetentionLane extends DueLane {
  readonly name = 'webhook-retention';
  /** By the wall clock: the sandbox's has nothing to wait for here. */
  override readonly isStep = false;
  private nextAt = 0;
  private event = '';

  constructor(private readonly forget: ForgetOld) {
    super();
  }

  /** It waits for its own time, which is not the business clock's. */
  earliestDue(): Promise<null> {
    return Promise.resolve(null);
  }

  override isReady(): boolean {
    return performance.now() >= this.nextAt;
  }

  async run(): Promise<number> {
    // When it fails, not at once again.
    this.nextAt = performance.now() + PASS_EVERY_MS;
    const { isDone, event } = await this.forget.execute(this.event);
    this.event = event;
    if (!isDone) this.nextAt = performance.now() + STEP_EVERY_MS;
    return 0;
  }
}
