import { ApiError, SERVICES } from '@fundrail/contracts';
import type { ServiceName } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { setTimeout as pause } from 'node:timers/promises';
import { DELIVERING, hasSameMarks, isDelivering, movingServices, quietReport } from './quiet.ts';
import type { QuietReport, Round } from './quiet.ts';

// Wall times. A step of a jump is a few transactions: what is not quiet after so long is stuck, and the caller is told.
const STUCK_AFTER_MS = 30_000;
const BETWEEN_ROUNDS_MS = 4;
/** "It waits at most 2 s in all for deliveries" (contract §10 "Conventions"). */
const PATIENCE_WITH_DELIVERIES_MS = 2_000;

/** Watches all services during one jump of the sandbox's clock. */
export class QuietWatch {
  #patienceMs = PATIENCE_WITH_DELIVERIES_MS;

  constructor(
    private readonly services: ServiceClient,
    private readonly target: Date,
  ) {}

  /**
   * Waits until two rounds in a row find every service at rest with the same marks (architecture §11), and answers the
   * second. Throws SERVICE_UNAVAILABLE naming the services that do not come to rest.
   */
  async quiet(): Promise<Round> {
    const begin = performance.now();
    let before: Round | null = null;
    for (;;) {
      const asked = performance.now();
      const round = await this.round();
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

  private async round(): Promise<Round> {
    const path = `/internal/sandbox/quiet?before=${encodeURIComponent(this.target.toISOString())}`;
    const reports = SERVICES.map(async (name) => [name, await this.ask(name, path)] as const);
    return new Map(await Promise.all(reports));
  }

  /** A service that restarts during a jump is waited for like one that works. */
  private async ask(name: ServiceName, path: string): Promise<QuietReport | null> {
    try {
      return await this.services.call(name, { method: 'GET', path, answer: quietReport });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE') return null;
      throw error;
    }
  }
}

function stuck(moving: readonly ServiceName[]): ApiError {
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    `The clock waits for ${moving.join(', ') || 'events on their way'}`,
    [],
    5,
  );
}
