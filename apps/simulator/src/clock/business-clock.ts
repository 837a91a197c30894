import { SERVICES } from '@fundrail/contracts';
import type { ServiceName } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { Clock, connectBeside, Database, sql } from '@fundrail/service-kit/db';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { QuietWatch } from './quiet-watch.ts';
import { earliestStep } from './quiet.ts';

const offset = sql('business_clock.offset', 'SELECT offset_ms FROM business_clock');

// Ours goes first: it is the owner's, so after a crash in between the others are brought to it.
const OTHERS: readonly ServiceName[] = SERVICES.filter((name) => name !== 'simulator');
const REALIGN_EVERY_MS = 1_000;
// Any fixed number that nobody else locks in the simulator's database.
const JUMP_LOCK = 7_266_002;
/** Whoever waits for a jump asks again after so many milliseconds: a jump may take longer than any statement. */
const LOCK_EVERY_MS = 50;

/**
 * Moves the business time of all services (architecture §11 "Moving the sandbox clock"): from one due time to the next, and
 * at each waits until everything that fell due has been worked, so that a jump plays out in its due order.
 */
@Injectable()
export class BusinessClock implements OnApplicationBootstrap, OnApplicationShutdown {
  #last: Promise<unknown> = Promise.resolve();
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

  /** Moves to the time that `decide` makes of the present one. Calls are worked one after the other, over all replicas. */
  move(decide: (now: Date) => Date): Promise<void> {
    const turn = this.#last.then(() => this.alone(async () => this.jump(decide(await this.now()))));
    // The next in line starts whatever becomes of this one; the caller of this one is told.
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /**
   * A lock of the session, not of a transaction: a jump calls the other services. On a connection of its own, which is ended whatever
   * becomes of the jump: one of the pool, whose answer was given up, would take the lock later and keep it for good.
   */
  private async alone(work: () => Promise<void>): Promise<void> {
    const connection = await connectBeside(this.db, 'fundrail-simulator-clock');
    // Without a listener, the end of the server would end the process. The statement that waits then tells it.
    connection.on('error', () => undefined);
    try {
      while (!(await takes(connection))) await pause(LOCK_EVERY_MS);
      await work();
    } finally {
      // Nobody waits for it: a server that hangs does not answer that either, and frees the lock when it goes on.
      connection.end().catch(() => undefined);
    }
  }

  private async jump(target: Date): Promise<void> {
    this.stopRealigning();
    try {
      await this.stepTo(target);
    } catch (error) {
      this.startRealigning();
      throw error;
    }
  }

  private async stepTo(target: Date): Promise<void> {
    const watch = new QuietWatch(this.services, target);
    for (let steps = 0; ; steps += 1) {
      const next = earliestStep(await watch.quiet());
      await this.setAll(next && next < target ? next : target);
      if (next && next < target) continue;
      await watch.quiet();
      this.log.info('the sandbox clock was moved', { to: target.toISOString(), steps });
      return;
    }
  }

  /** Sets every service to that instant, or leaves it when wall time has passed it meanwhile. */
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

  /** A crash or an error in the middle of a jump may have left the others behind; they are moved as soon as they answer. */
  private startRealigning(): void {
    this.#realigning ??= setInterval(() => void this.realign(), REALIGN_EVERY_MS).unref();
  }

  private stopRealigning(): void {
    if (this.#realigning) clearInterval(this.#realigning);
    this.#realigning = null;
  }
}

async function takes(connection: Awaited<ReturnType<typeof connectBeside>>): Promise<boolean> {
  const asked = 'SELECT pg_try_advisory_lock($1) AS taken';
  const { rows } = await connection.query<{ taken: boolean }>(asked, [JUMP_LOCK]);
  return rows[0]?.taken === true;
}
