import { callsOf, type ServiceName } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { sql } from '@fundrail/persistence';
import { Clock, Database } from '@fundrail/service-kit/db';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { z } from 'zod';
import { QuietWatch } from './quiet-watch.ts';
import { dueAt, hasSameMarks, nextRetryAfter, nextStep, stopOf, type Round, type Step } from './quiet.ts';

const offset = sql('business_clock.offset', 'SELECT offset_ms FROM business_clock');

// The simulator's clock is set first, because the simulator owns the time: after a crash in between, the others are set to it.
const OTHERS = callsOf('simulator');
const REALIGN_EVERY_MS = 1_000;

/**
 * Moves the business time of all services (CLOCK-8) from one due time to the next. At each step it waits until all work that fell due is
 * done, so that a jump executes everything in order of its due time.
 */
@Injectable()
export class BusinessClock implements OnApplicationBootstrap, OnApplicationShutdown {
  #realigning: NodeJS.Timeout | null = null;

  constructor(
    private readonly db: Database,
    private readonly wall: Clock,
    private readonly services: ServiceClient,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.startRealigning();
  }

  onApplicationShutdown(): void {
    this.stopRealigning();
  }

  now(): Promise<Date> {
    return this.db.now();
  }

  /**
   * Moves the clock to `target` and resolves when all work on the way is done. A clock that is already at or past `target` does not move.
   * The caller holds the lock, so there is one move at a time. Rejects with `MoveInterrupted` when `stopping` aborts, and with `ApiError`
   * when a service does not respond or does not finish its work.
   */
  async moveTo(target: Date, stopping: AbortSignal): Promise<void> {
    this.stopRealigning();
    try {
      await this.stepTo(target, stopping);
    } catch (error) {
      this.startRealigning();
      throw error;
    }
  }

  private async stepTo(target: Date, stopping: AbortSignal): Promise<void> {
    const watch = new QuietWatch(this.services, target, stopping);
    let last: Step = { at: await this.now(), isNews: true };
    let news = last.at;
    let before: Round | null = null;
    for (let steps = 0; ; steps += 1) {
      const round = await watch.quiet(before ? dueAt(before, last.at) : [], before);
      if (last.isNews || (before && !hasSameMarks(before, round))) news = last.at;
      const next = nextStep(round, news, nextRetryAfter(news, last.at));
      const at = next && stopOf(next);
      if (!at || at >= target) {
        await this.setAll(target);
        await watch.quiet(dueAt(round, target), round);
        this.log.info('the sandbox clock was moved', { to: target.toISOString(), steps });
        return;
      }
      await this.setAll(at);
      [last, before] = [{ at, isNews: next.isNews }, round];
    }
  }

  /** Sets the clock of every service to `instant`. Does not change it when wall time is already past `instant`. */
  private async setAll(instant: Date): Promise<void> {
    const offsetMs = Math.max(instant.getTime() - this.wall.now().getTime(), await this.offset());
    await this.set('simulator', offsetMs);
    await Promise.all(OTHERS.map((name) => this.set(name, offsetMs)));
  }

  private async set(service: ServiceName, offsetMs: number): Promise<void> {
    const body = { offset_ms: offsetMs };
    const answer = z.object({ offset_ms: z.int() });
    await this.services.call(service, {
      method: 'POST',
      path: '/internal/sandbox/clock',
      body,
      answer,
      retry: true,
    });
  }

  private async offset(): Promise<number> {
    return (await this.db.query<{ offset_ms: number }>(offset))[0]?.offset_ms ?? 0;
  }

  private async realign(): Promise<void> {
    try {
      const offsetMs = await this.offset();
      if (offsetMs > 0) await Promise.all(OTHERS.map((name) => this.set(name, offsetMs)));
      this.stopRealigning();
    } catch (error) {
      this.log.warn('the sandbox clocks are not aligned yet', {
        reason: error instanceof Error ? error.message : 'unknown',
      });
    }
  }

  /** After a crash or an error in the middle of a jump, other services may be behind. They are set as soon as they respond. */
  private startRealigning(): void {
    this.#realigning ??= setInterval(() => void this.realign(), REALIGN_EVERY_MS).unref();
  }

  private stopRealigning(): void {
    if (this.#realigning) clearInterval(this.#realigning);
    this.#realigning = null;
  }
}
