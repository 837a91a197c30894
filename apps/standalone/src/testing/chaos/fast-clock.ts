import { setTimeout as pause } from 'node:timers/promises';
import type { ClockMove } from '../crash/patient-client.ts';
import type { ProductDatabases } from '../crash/product-databases.ts';

const TICK_MS = 1_000;
/** Every service at the same instant; like the sandbox's own clock, never back. */
const MOVE =
  'UPDATE business_clock SET offset_ms = $1::bigint WHERE offset_ms < $1::bigint RETURNING 1 AS moved';
const OFFSET = 'SELECT offset_ms::float8 AS ms FROM business_clock';
/** 00:30 IST is 19:00 UTC. */
const HALF_PAST_MIDNIGHT_UTC_MS = 19 * 3_600_000;
const DAY_MS = 86_400_000;

/**
 * Makes business time pass faster than the wall's, so that what is put off for 5 minutes or an hour after a call without an
 * answer comes back within a run. It moves the clock in the databases themselves: `POST /sandbox/clock` waits until all is
 * quiet, and under load it never is.
 */
export class FastClock {
  /** What it has done, for who asks how old something is by the product's clock. */
  readonly moves: ClockMove[] = [];
  #speed = 1;
  #isOver = false;
  #running: Promise<void> | null = null;

  constructor(private readonly databases: Pick<ProductDatabases, 'everywhere'>) {}

  /** Goes to half past midnight in India: the daily sweep of 23:00 is then as far away as can be, at whatever time a run begins. */
  async begin(): Promise<void> {
    const now = Date.now();
    const sinceThen = (now - HALF_PAST_MIDNIGHT_UTC_MS) % DAY_MS;
    await this.#moveTo(DAY_MS - sinceThen);
    this.#running = this.#run();
  }

  /** From now on so many seconds of business time pass in one of the wall; 1 is the usual pace. */
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
    try {
      await this.databases.everywhere(MOVE, [Math.round(offsetMs)]);
    } finally {
      // Where one database is down, the others have moved all the same.
      this.moves.push({ at: Date.now(), aheadMs: offsetMs });
    }
  }
}
