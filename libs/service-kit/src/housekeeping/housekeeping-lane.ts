import type { Clock } from '../db/clock.ts';
import { DueLane } from '../due/due-work.ts';

/** Whether a look was the last for now; `more` is to be done after `stepEveryMs`. */
export type Look = 'done' | 'more';

/** How often a lane of housekeeping looks, in wall milliseconds. */
export interface Pace {
  readonly everyMs: number;
  /** Between two looks while there is more to do; 0: at once. */
  readonly stepEveryMs?: number;
}

/**
 * What a service tidies up now and then, by the wall clock: no step of the sandbox's clock, which has nothing to wait for here
 * (contract §10). Each replica keeps its own time, so `look` has to bear others beside it. One that fails comes again when its
 * pause is over.
 */
export abstract class HousekeepingLane extends DueLane {
  override readonly isStep = false;
  override readonly isHousekeeping = true;
  protected abstract readonly pace: Pace;
  private nextLook = 0;

  constructor(protected readonly clock: Clock) {
    super();
  }

  /** It waits for its own time, which is not the business clock's. */
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
    // From the end of this one, which may have taken longer than the pause.
    this.nextLook = this.clock.now().getTime() + stepEveryMs;
    return stepEveryMs === 0 ? 1 : 0;
  }

  /** One small step, safe beside those of other replicas; `now` is business time. */
  protected abstract look(now: Date): Promise<Look>;
}
