import { ApiError, SERVICES, type ServiceName } from '@fundrail/contracts';
import type { ServiceClient } from '@fundrail/service-kit/http';
import { setTimeout as pause } from 'node:timers/promises';
import { queryThese } from './query-all.ts';
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
    private readonly services: Pick<ServiceClient, 'call'>,
    private readonly target: Date,
    private readonly stopping: AbortSignal,
  ) {}

  /**
   * Waits until two consecutive rounds find every service idle with the same marks (CLOCK-9), and returns the second round. Between two
   * rounds only the busy services are asked, until they are idle; before the first, `expected`, which have something to do. `last` is the
   * quiet round before the step, if any: while its marks stay, there is no event on the bus, and no service asks the bus. Throws
   * SERVICE_UNAVAILABLE, which names the services that stay busy, and `MoveInterrupted` when the process stops.
   */
  async quiet(expected: Iterable<ServiceName>, last: Round | null): Promise<Round> {
    const begin = performance.now();
    let before: Round | null = null;
    let busy = new Set(expected);
    let isBusEmpty = last !== null;
    for (;;) {
      if (this.stopping.aborted) throw new MoveInterrupted();
      const asked = performance.now();
      const isRound = busy.size === 0;
      const asking = { target: this.target, isBusEmpty };
      const round = await queryThese(isRound ? SERVICES : busy, this.services, asking);
      const moving = movingServices(round);
      const waitsForDeliveries = isDelivering(round) && this.#patienceMs > 0;
      busy = new Set(waitsForDeliveries ? [...moving, DELIVERING] : moving);
      const isNews = isBusEmpty && last !== null && !hasSameMarks(round, last);
      if (isNews) isBusEmpty = false;
      const atRest = busy.size === 0 && !isNews;
      if (isRound && atRest && before && hasSameMarks(before, round)) return round;
      before = isRound && atRest ? round : null;
      if (!atRest) await pause(BETWEEN_ROUNDS_MS);
      const now = performance.now();
      if (waitsForDeliveries && moving.length === 0) this.#patienceMs -= now - asked;
      if (now - begin > STUCK_AFTER_MS) throw stuck([...busy]);
    }
  }
}

function stuck(busy: readonly ServiceName[]): ApiError {
  return unreached(`The clock is waiting for ${busy.join(', ') || 'events in transit'}`);
}

/** The error for a move that ended before its target. A retry of the request continues the move. */
export function unreached(reason: string): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', reason, [], 5);
}
