import {
  readMetrics,
  startOwnKafka,
  startOwnPostgres,
  waitFor,
  WebhookReceiver,
  type OwnKafka,
  type OwnPostgres,
} from '@fundrail/testing';
import type { ServiceName } from '@fundrail/contracts';
import { FastClock } from '../chaos/fast-clock.ts';
import { PatientFleet } from '../chaos/patient-fleet.ts';
import { whatIsOpen } from '../chaos/settle.ts';
import { audit } from '../crash/audit.ts';
import { Buyer } from '../crash/buyer.ts';
import type { Finding } from '../crash/finding.ts';
import { isQuiet } from '../crash/quiet.ts';
import { Fleet } from '../fleet/fleet.ts';
import type { LinkState } from '../fleet/unsteady-link.ts';
import { ok } from '../purchase.ts';

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
  KAFKA_SESSION_TIMEOUT_MS: '6000',
  // No payment expires while the clock is moved past back-offs.
  PAYMENT_EXPIRY_MINUTES: '1440',
  UPI_URI_EXPIRY_MINUTES: '1440',
};

export interface HealthAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * The product as processes. A test stops parts of it: Kafka, the database of payments (on its own server), the link to the
 * provider, or a process. Buyers record their ids and an endpoint receives every event, so that an audit finds losses.
 */
export class DegradationStage {
  readonly clock: FastClock;
  readonly #product: PatientFleet;
  readonly #buyers: Buyer[] = [];

  private constructor(
    readonly postgres: OwnPostgres,
    readonly kafka: OwnKafka,
    readonly fleet: Fleet,
    readonly receiver: WebhookReceiver,
    private readonly parts: AsyncDisposableStack,
  ) {
    this.clock = new FastClock(fleet.databases);
    this.#product = new PatientFleet(fleet);
  }

  /** Starts everything, or nothing. */
  static async open(): Promise<DegradationStage> {
    await using started = new AsyncDisposableStack();
    const [postgres, kafka] = await Promise.all([startOwnPostgres(), startOwnKafka()]);
    started.defer(() => postgres.remove());
    started.defer(() => kafka.remove());
    const databaseUrl = process.env['DATABASE_URL'];
    if (!databaseUrl) throw new Error('DATABASE_URL is not set: this runs in the jest project e2e');
    const { brokers } = kafka;
    const ownServers = { payments: postgres.url };
    const fleet = await Fleet.start({
      databaseUrl,
      ownServers,
      brokers,
      env: ENV,
      providerProxy: true,
      metrics: true,
    });
    started.defer(() => fleet.kill());
    const receiver = await WebhookReceiver.start();
    started.defer(() => receiver.stop());
    const stage = new DegradationStage(postgres, kafka, fleet, receiver, started.move());
    await stage.clock.begin();
    const { client } = stage.newBuyer();
    const webhook = { url: receiver.url, event: '*' };
    const { body } = ok(await client.post('/v2/notification_webhooks', webhook));
    receiver.secret = String(body['secret']);
    return stage;
  }

  /** A client app that records its ids, and repeats requests that were answered with 503 under their keys. */
  newBuyer(): Buyer {
    const buyer = new Buyer(this.#product, RECOVERY_MS, 100);
    this.#buyers.push(buyer);
    return buyer;
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
    return audit(this.fleet.databases, this.#buyers, this.receiver);
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

  async close(): Promise<void> {
    this.#product.end();
    await this.clock.stop();
    await this.parts.disposeAsync();
  }
}
