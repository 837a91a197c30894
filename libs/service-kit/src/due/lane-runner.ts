import type { Transactions } from '@fundrail/persistence';
import { runInTrace, type Tracing } from '@fundrail/messaging';
import { setTimeout as pause } from 'node:timers/promises';
import { outsideRequests } from '../http/request-context.ts';
import type { Log } from '../logging/log.ts';
import type { DueLane } from './due-work.ts';

/** Runs one lane, never twice at the same time in this process, and again while it finds work. */
export class LaneRunner {
  private run: Promise<void> | null = null;
  private runAgain = false;
  private readsClock = false;
  private isResting = false;
  private stopped = false;

  constructor(
    readonly lane: DueLane,
    private readonly database: Transactions,
    private readonly log: Log,
    private readonly tracing: Tracing,
    private readonly reportWork: () => void,
  ) {}

  /** Whether it does work, or is about to, for which others may wait. */
  get isRunning(): boolean {
    return this.run !== null && (this.runAgain || !this.isResting) && !this.lane.isHousekeeping;
  }

  /**
   * `clock`: whether the run asks what the sandbox's clock is now. A commit that woke the lane has just read it, and each poll reads it
   * again, so a run for a signal goes by the time that is `known`: a statement less for each.
   */
  wake(clock: 'read' | 'known' = 'read'): void {
    this.stopped = false;
    this.runAgain = true;
    this.readsClock ||= clock === 'read';
    this.run ??= outsideRequests(() => runInTrace(this.tracing.newTrace(), () => this.drain())).finally(
      () => {
        this.run = null;
        // The signal came while the run was ending.
        if (this.runAgain && !this.stopped) this.wake('known');
      },
    );
  }

  private async now(): Promise<Date> {
    const { readsClock } = this;
    this.readsClock = false;
    return readsClock ? this.database.now() : this.database.lastNow();
  }

  /** Resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.run;
  }

  private async drain(): Promise<void> {
    try {
      while (this.runAgain && !this.stopped) {
        this.runAgain = false;
        if (!this.lane.isReady()) return;
        if ((await this.lane.run(await this.now())) > 0) {
          this.runAgain = true;
          this.reportWork();
        }
        this.isResting = true;
        if (this.lane.restMs > 0) await pause(this.lane.restMs);
        this.isResting = false;
      }
    } catch (error) {
      this.log.error('a due lane failed', error, { lane: this.lane.name });
    }
  }
}
