import type { Transactions } from '@fundrail/persistence';
import { runInTrace, type Tracing } from '@fundrail/messaging';
import { outsideRequests } from '../http/request-context.ts';
import type { Log } from '../logging/log.ts';
import type { DueLane } from './due-work.ts';

/** Runs one lane, never twice at the same time in this process, and again while it finds work. */
export class LaneRunner {
  private run: Promise<void> | null = null;
  private runAgain = false;
  private stopped = false;

  constructor(
    private readonly lane: DueLane,
    private readonly database: Transactions,
    private readonly log: Log,
    private readonly tracing: Tracing,
  ) {}

  get isStep(): boolean {
    return this.lane.isStep;
  }

  /** Whether it does work for which others may wait. */
  get isRunning(): boolean {
    return this.run !== null && !this.lane.isHousekeeping;
  }

  earliestDue(before: Date): Promise<Date | null> {
    return this.lane.earliestDue(before);
  }

  wake(): void {
    this.stopped = false;
    this.runAgain = true;
    this.run ??= outsideRequests(() => runInTrace(this.tracing.newTrace(), () => this.drain())).finally(
      () => {
        this.run = null;
      },
    );
  }

  /** Resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.run;
  }

  private async drain(): Promise<void> {
    try {
      while (this.runAgain && !this.stopped && this.lane.isReady()) {
        this.runAgain = false;
        if ((await this.lane.run(await this.database.now())) > 0) this.runAgain = true;
      }
    } catch (error) {
      this.log.error('a due lane failed', error, { lane: this.lane.name });
    }
  }
}
