import { newTraceparent, runInTrace } from '@fundrail/messaging';
import { Log } from '@fundrail/service-kit';
import { Clock, Database } from '@fundrail/service-kit/db';
import { DueLane } from '@fundrail/service-kit/due';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { StartChallenge } from './start-challenge.ts';
import { CHALLENGES_DUE, dueChallenges, earliestDueChallenge } from './challenge.repository.ts';
import { SendChallenge } from './send-challenge.ts';

/** Concurrent challenges in this process: of one tenant, and in total. */
const MOST_OF_A_TENANT = 4;
const MOST = 32;

/** Sends the challenges that are due. A run starts them without waiting, so a silent endpoint does not delay others. */
@Injectable()
export class ChallengeLane extends DueLane implements BeforeApplicationShutdown {
  readonly name = 'endpoint-challenges';
  override readonly signal = CHALLENGES_DUE;
  /** Like deliveries: a jump of the sandbox clock does not stop at each. */
  override readonly isStep = false;
  /** The running challenges with their tenants. */
  private readonly running = new Map<Promise<void>, string>();
  private readonly stop = new AbortController();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly starter: StartChallenge,
    private readonly sender: SendChallenge,
    private readonly log: Log,
  ) {
    super();
  }

  earliestDue(before: Date): Promise<Date | null> {
    return earliestDueChallenge(this.database, before, this.clock.now());
  }

  override isReady(): boolean {
    return !this.stop.signal.aborted && this.running.size < MOST;
  }

  async run(now: Date): Promise<number> {
    const due = await dueChallenges(this.database, {
      now,
      wallNow: this.clock.now(),
      without: [...new Set(this.running.values())].filter((tenant) => this.isFull(tenant)),
      perTenant: MOST_OF_A_TENANT,
      most: MOST - this.running.size,
    });
    let worked = 0;
    for (const { tenant, id } of due) {
      if (this.isFull(tenant) || !this.isReady()) continue;
      const started = await this.starter.execute(tenant, id);
      if (started === 'not_due') continue;
      worked += 1;
      if (started !== 'later') this.start(tenant, () => this.sender.execute(started, this.stop.signal));
    }
    return worked;
  }

  /** Challenges without an answer by now are sent again by the next process. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.running.keys());
  }

  private isFull(tenant: string): boolean {
    return [...this.running.values()].filter((one) => one === tenant).length >= MOST_OF_A_TENANT;
  }

  private start(tenant: string, send: () => Promise<void>): void {
    const run = runInTrace(newTraceparent(), send)
      .catch((error: unknown) => {
        // The challenge expires, and the endpoint gets another one.
        if (!this.stop.signal.aborted) this.log.error('a challenge was not recorded', error, { tenant });
      })
      .finally(() => {
        this.running.delete(run);
        if (this.isReady()) this.database.signal(CHALLENGES_DUE);
      });
    this.running.set(run, tenant);
  }
}
