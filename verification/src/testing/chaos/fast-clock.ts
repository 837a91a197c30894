import { setTimeout as pause } from 'node:timers/promises';
import type { ProductDatabases } from '../crash/product-databases.ts';

const TICK_MS = 1_000;
/** Sets all services to the same instant; like the sandbox's own clock, it never goes back. */
const MOVE =
  'UPDATE business_clock SET offset_ms = $1::bigint WHERE offset_ms < $1::bigint RETURNING 1 AS moved';
const OFFSET = 'SELECT offset_ms::float8 AS ms FROM business_clock';
/** 00:30 IST is 19:00 UTC. */
const HALF_PAST_MIDNIGHT_UTC_MS = 19 * 3_600_000;
const DAY_MS = 86_400_000;

/**
 * Makes business time pass faster than wall time, so that work that is put off for 5 minutes or an hour after a call without an
 * answer is retried within a run. It moves the clock in the databases: `POST /sandbox/clock` would wait until all work is
 * done, which never happens under load.
 */
export class FastClock {
  #speed = 1;
  #isOver = false;
  #running: Promise<void> | null = null;

  constructor(private readonly databases: Pick<ProductDatabases, 'everywhere'>) {}

  /** Moves the clock to half past midnight in India, far away from the daily sweep of 23:00, at any time of the run's start. */
  async begin(): Promise<void> {
    const now = Date.now();
    const sinceThen = (now - HALF_PAST_MIDNIGHT_UTC_MS) % DAY_MS;
    await this.#moveTo(DAY_MS - sinceThen);
    this.#running = this.#run();
  }

  /** Sets how many seconds of business time pass in a second of wall time; 1 is the usual pace. */
  goAt(speed: number): void {
    this.#speed = speed;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      await pause(TICK_MS);
      // A database that is down misses a tick.
      if (this.#speed > 1) await this.#advance((this.#speed - 1) * TICK_MS).catch(() => undefined);
    }
  }

  async #advance(ms: number): Promise<void> {
    const offsets = await this.databases.everywhere<{ ms: number }>(OFFSET);
    await this.#moveTo(Math.max(...offsets.map((offset) => offset.ms)) + ms);
  }

  async #moveTo(offsetMs: number): Promise<void> {
    await this.databases.everywhere(MOVE, [Math.round(offsetMs)]);
  }
}
