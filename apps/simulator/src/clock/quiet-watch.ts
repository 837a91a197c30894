import { ApiError, type ServiceName } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { setTimeout as pause } from 'node:timers/promises';
import { queryAll } from './query-all.ts';
import { MoveInterrupted } from './move-interrupted.ts';
import { DELIVERING, hasSameMarks, isDelivering, movingServices, type Round } from './quiet.ts';

// Wall time. A step of a jump is a few transactions, and a service that is redeployed is back in a minute. A service that is still busy
// after this time is stuck. Meanwhile, GET shows what the move waits for.
const STUCK_AFTER_MS = 300_000;
const BETWEEN_ROUNDS_MS = 4;
/** "It waits at most 2 s in all for deliveries" (CLOCK-6). */
const DELIVERIES_WAIT_MS = 2_000;

/** Watches all services during one jump of the sandbox's clock. */
export class QuietWatch {
  #patienceMs = DELIVERIES_WAIT_MS;

  constructor(
    private readonly services: ServiceClient,
    private readonly target: Date,
    private readonly stopping: AbortSignal,
  ) {}

  /**
   * Waits until two consecutive rounds find every service idle with the same marks (CLOCK-9), and returns the second round. Throws
   * SERVICE_UNAVAILABLE, which names the services that stay busy, and `MoveInterrupted` when the process stops.
   */
  async quiet(): Promise<Round> {
    const begin = performance.now();
    let before: Round | null = null;
    for (;;) {
      if (this.stopping.aborted) throw new MoveInterrupted();
      const asked = performance.now();
      const round = await queryAll(this.services, this.target);
      const moving = movingServices(round);
      const waitsForDeliveries = isDelivering(round) && this.#patienceMs > 0;
      const atRest = moving.length === 0 && !waitsForDeliveries;
      if (atRest && before && hasSameMarks(before, round)) return round;
      before = atRest ? round : null;
      if (!atRest) await pause(BETWEEN_ROUNDS_MS);
      const now = performance.now();
      if (waitsForDeliveries && moving.length === 0) this.#patienceMs -= now - asked;
      if (now - begin > STUCK_AFTER_MS) throw stuck(waitsForDeliveries ? [...moving, DELIVERING] : moving);
    }
  }
}

function stuck(moving: readonly ServiceName[]): ApiError {
  return unreached(`The clock is waiting for ${moving.join(', ') || 'events in transit'}`);
}

/** The error for a move that ended before its target. A retry of the request continues the move. */
export function unreached(reason: string): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', reason, [], 5);
}
