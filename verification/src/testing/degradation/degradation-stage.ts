import type { ServiceName } from '@fundrail/contracts';
import { readMetrics, waitFor } from '@fundrail/testing';
import { whatIsOpen } from '../chaos/settle.ts';
import { audit } from '../crash/audit.ts';
import type { Finding } from '../crash/finding.ts';
import { isQuiet } from '../crash/quiet.ts';
import { FleetStage, startFleetParts } from '../fleet/fleet-stage.ts';
import type { LinkState } from '../fleet/unsteady-link.ts';

/** The limit of simultaneous requests of a replica: small, so that a test can exceed it. */
export const IN_FLIGHT = 40;
/** The limit of simultaneous calls of one operation (decision 0024). */
export const BULKHEAD = 64;
/** Time for parts to recover by themselves on a busy machine. */
const RECOVERY_MS = 90_000;
export const RECOVERY = { limitMs: RECOVERY_MS, everyMs: 200 };

const ENV = {
  REQUESTS_IN_FLIGHT: String(IN_FLIGHT),
  // More than the bulkhead allows: else the due worker would be the limit.
  DUE_CONCURRENCY: '96',
  // An outage of one minute must not become one of three on a slow machine.
  READY_LAG_LIMIT_MS: '600000',
};

export interface HealthAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The product for the tests of outages. Payments has its database on a server that a test may stop for it alone. */
export class DegradationStage extends FleetStage {
  /** Starts everything, or nothing. */
  static async open(): Promise<DegradationStage> {
    const parts = await startFleetParts({ only: 'payments', metrics: true, env: ENV });
    const stage = new DegradationStage(parts, { limitMs: RECOVERY_MS, everyMs: 100 });
    await stage.begin();
    return stage;
  }

  /** The health of a service, asked directly and not through the edge. */
  async health(service: ServiceName, question: 'live' | 'ready'): Promise<HealthAnswer> {
    const answer = await fetch(`${this.#opsUrlOf(service)}/health/${question}`);
    return { status: answer.status, body: (await answer.json()) as HealthAnswer['body'] };
  }

  async isReady(service: ServiceName): Promise<boolean> {
    return (await this.health(service, 'ready')).status === 200;
  }

  /** Sets the state of the link to the provider, and cuts open connections, which would keep working. */
  takeProvider(state: LinkState): void {
    this.fleet.provider?.set('cut');
    this.fleet.provider?.set(state);
  }

  /** Restores the link, and lets calls under way end. */
  giveProviderBack(): void {
    this.fleet.provider?.set('steady');
  }

  /** How many calls of a provider's operation had that outcome, from the service's metrics. */
  async providerCalls(service: ServiceName, operation: string, outcome: string): Promise<number> {
    return (await readMetrics(this.#opsUrlOf(service)))
      .filter(({ name }) => name === 'fundrail_provider_call_duration_seconds_count')
      .filter(({ labels }) => labels['operation'] === operation && labels['outcome'] === outcome)
      .reduce((sum, { value }) => sum + value, 0);
  }

  /** Waits until nothing is due, unpublished or undelivered, and no callback is left to send. */
  async untilQuiet(): Promise<void> {
    const { databases } = this.fleet;
    await waitFor(() => isQuiet(databases, () => whatIsOpen(databases)), {
      limitMs: RECOVERY_MS,
      everyMs: 250,
      what: 'quiet',
    });
  }

  /** Everything that is wrong or unfinished once all work has ended. */
  async findings(): Promise<Finding[]> {
    await this.untilQuiet();
    return audit(this.fleet.databases, this.buyers, this.receiver);
  }

  /** Processes that have ended by themselves: no test here gives them a reason to. */
  get ended(): string[] {
    return this.fleet
      .replicas()
      .filter(({ isRunning }) => !isRunning)
      .map(({ name }) => name);
  }

  #opsUrlOf(service: ServiceName): string {
    return this.fleet.replica(service).opsUrl ?? '';
  }
}
