import type { Clock } from '../db/clock.ts';
import { DueLane } from '../due/due-work.ts';

/** Whether a step was the last for now; after `more` the next step runs in `stepEveryMs`. */
export type Look = 'done' | 'more';

/** How often a housekeeping lane runs, in wall milliseconds. */
interface Pace {
  readonly everyMs: number;
  /** Between two steps while there is more to do; 0: immediately. */
  readonly stepEveryMs?: number;
}

/**
 * Periodic housekeeping by the wall clock. It is not a step of the sandbox's clock, which does not wait for it (DUE-6, CLOCK-6). Each
 * replica keeps its own time, so `look` must be safe when several run it. A failed run is repeated after `everyMs`.
 */
export abstract class HousekeepingLane extends DueLane {
  override readonly isStep = false;
  override readonly isHousekeeping = true;
  protected abstract readonly pace: Pace;
  private nextLook = 0;

  constructor(protected readonly clock: Clock) {
    super();
  }

  /** It waits for its own time, not for the business clock. */
  earliestDue(): Promise<null> {
    return Promise.resolve(null);
  }

  override isReady(): boolean {
    return this.clock.now().getTime() >= this.nextLook;
  }

  async run(now: Date): Promise<number> {
    const wall = this.clock.now().getTime();
    if (wall < this.nextLook) return 0;
    const { everyMs, stepEveryMs = 0 } = this.pace;
    this.nextLook = wall + everyMs;
    if ((await this.look(now)) === 'done') return 0;
    // Counted from the end of this step, which may have taken longer than the pause.
    this.nextLook = this.clock.now().getTime() + stepEveryMs;
    return stepEveryMs === 0 ? 1 : 0;
  }

  /** One small step, safe beside those of other replicas; `now` is business time. */
  protected abstract look(now: Date): Promise<Look>;
}
