import { ApiError } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { Clock, connectBeside, Database } from '@fundrail/service-kit/db';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { store } from '../store/simulator.tables.ts';
import { BusinessClock } from './business-clock.ts';
import type { ClockMove } from './clock-move.ts';
import { nextMove } from './clock-move.repository.ts';
import { MoveInterrupted } from './move-interrupted.ts';

// Any fixed number that no other lock in the simulator's database uses.
const JUMP_LOCK = 7_266_002;
/** The lock is retried at this interval, because a move may take longer than any statement may wait. */
const LOCK_RETRY_MS = 50;
/** How often a process checks for moves that another process recorded, or left unfinished when it died. */
const CHECK_EVERY_MS = 1_000;
/** How often a waiting request checks whether another replica has ended its move. */
const END_CHECK_EVERY_MS = 250;

/**
 * Executes the recorded moves of the clock, one at a time over all replicas. A move does not depend on its request: it continues when the
 * client disconnects, and after a restart.
 */
@Injectable()
export class ClockMoves implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #ended = new EventEmitter().setMaxListeners(0);
  readonly #stopping = new AbortController();
  #working: Promise<void> | null = null;
  #lookAgain = false;
  #looking: NodeJS.Timeout | null = null;

  constructor(
    private readonly database: Database,
    private readonly wall: Clock,
    private readonly clock: BusinessClock,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.#looking = setInterval(() => this.wake(), CHECK_EVERY_MS).unref();
    this.wake();
  }

  /** A move in progress stays recorded, and continues after the next start or in another replica. */
  async onApplicationShutdown(): Promise<void> {
    if (this.#looking) clearInterval(this.#looking);
    this.#stopping.abort();
    await this.#working;
  }

  /** Checks for moves to execute, now. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    if (this.#working) {
      this.#lookAgain = true;
      return;
    }
    this.#working = this.work()
      // The move stays recorded and is retried soon.
      .catch((error: unknown) => this.log.warn('the sandbox clock could not be moved yet', reasonOf(error)))
      .finally(() => {
        this.#working = null;
        if (!this.#lookAgain) return;
        this.#lookAgain = false;
        this.wake();
      });
  }

  /** Returns the move when it has ended, or as it is after `withinMs` of wall time. */
  async ended(move: ClockMove, withinMs: number): Promise<ClockMove> {
    const until = performance.now() + withinMs;
    for (let found = move; ;) {
      const left = until - performance.now();
      if (found.ended_at !== null || left <= 0 || this.#stopping.signal.aborted) return found;
      const over = new AbortController();
      const { signal } = over;
      const here = once(this.#ended, move.id, { signal });
      await Promise.race([here, pause(Math.min(left, END_CHECK_EVERY_MS), undefined, { signal })]);
      over.abort();
      found = (await store.clockMoves.find(this.database, { id: move.id })) ?? found;
    }
  }

  /**
   * Uses a session lock and not a transaction, because a move calls the other services. The lock has its own connection, which is always
   * closed afterwards. A pooled connection whose query timed out could acquire the lock later and never release it.
   */
  private async work(): Promise<void> {
    if (!(await nextMove(this.database))) return;
    const connection = await connectBeside(this.database, 'fundrail-simulator-clock');
    // Without a listener, a lost server would end the process. The waiting statement rejects instead.
    connection.on('error', () => undefined);
    try {
      while (!(await takes(connection))) {
        if (this.#stopping.signal.aborted || !(await nextMove(this.database))) return;
        await pause(LOCK_RETRY_MS);
      }
      for (let move = await nextMove(this.database); move; move = await nextMove(this.database))
        await this.play(move);
    } catch (error) {
      if (!(error instanceof MoveInterrupted)) throw error;
    } finally {
      // Not awaited: a server that hangs does not respond to this either, and frees the lock when it continues.
      connection.end().catch(() => undefined);
    }
  }

  private async play(move: ClockMove): Promise<void> {
    let failure: string | null = null;
    try {
      await this.clock.moveTo(move.target, this.#stopping.signal);
    } catch (error) {
      // Any other error is not a service's response: it may come from our own database. The move stays recorded and is retried.
      if (!(error instanceof ApiError)) throw error;
      failure = error.message;
      this.log.warn('the sandbox clock did not reach its target', {
        job: move.id,
        to: move.target.toISOString(),
        reason: failure,
      });
    }
    const ended = { ended_at: this.wall.now(), failure };
    await store.clockMoves.update(this.database, { id: move.id, ended_at: null }, ended);
    this.#ended.emit(move.id);
  }
}

async function takes(connection: Awaited<ReturnType<typeof connectBeside>>): Promise<boolean> {
  const asked = 'SELECT pg_try_advisory_lock($1) AS taken';
  const { rows } = await connection.query<{ taken: boolean }>(asked, [JUMP_LOCK]);
  return rows[0]?.taken === true;
}

function reasonOf(error: unknown): { reason: string } {
  return { reason: error instanceof Error ? error.message : 'unknown' };
}
