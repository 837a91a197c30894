import type { ServiceName } from '@fundrail/contracts';
import {
  startOwnKafka,
  startOwnPostgres,
  testServerUrl,
  WebhookReceiver,
  type OwnKafka,
  type OwnPostgres,
} from '@fundrail/testing';
import { FastClock } from '../chaos/fast-clock.ts';
import { PatientFleet } from '../chaos/patient-fleet.ts';
import { Buyer } from '../crash/buyer.ts';
import { Fleet, type FleetOptions } from './fleet.ts';

const ENV = {
  // The longest limit that payments accepts, so that no payment expires when the clock is moved past a back-off.
  PAYMENT_EXPIRY_MINUTES: '1440',
  UPI_URI_EXPIRY_MINUTES: '1440',
  // The shortest time-out that a broker accepts by default: after a kill, the group waits that long for the dead member.
  KAFKA_SESSION_TIMEOUT_MS: '6000',
};

interface FleetStageOptions extends Pick<FleetOptions, 'replicas' | 'metrics' | 'env'> {
  /** The one service whose database is on the stage's own PostgreSQL; all of them when left out. */
  readonly only?: ServiceName;
}

/** What a stage has started. */
export interface FleetParts {
  readonly postgres: OwnPostgres;
  readonly kafka: OwnKafka;
  readonly fleet: Fleet;
  readonly receiver: WebhookReceiver;
  /** Ends all of it. */
  readonly all: AsyncDisposableStack;
}

/** Starts everything, or nothing. */
export async function startFleetParts({ only, env, ...options }: FleetStageOptions): Promise<FleetParts> {
  await using started = new AsyncDisposableStack();
  const postgres = await startOwnPostgres();
  started.defer(() => postgres.remove());
  const kafka = await startOwnKafka();
  started.defer(() => kafka.remove());
  const servers = only
    ? { databaseUrl: testServerUrl(), ownServers: { [only]: postgres.url } }
    : { databaseUrl: postgres.url };
  const around = { ...servers, brokers: kafka.brokers, env: { ...ENV, ...env }, providerProxy: true };
  const fleet = await Fleet.start({ ...around, ...options });
  started.defer(() => fleet.kill());
  const receiver = await WebhookReceiver.start();
  started.defer(() => receiver.stop());
  return { postgres, kafka, fleet, receiver, all: started.move() };
}

/**
 * The product as processes, of which a test stops parts: Kafka, PostgreSQL, the link to the provider, or a process. Buyers record their
 * ids and an endpoint receives every event, so that an audit finds losses.
 */
export class FleetStage {
  readonly buyers: Buyer[] = [];
  readonly clock: FastClock;
  readonly #product: PatientFleet;

  /** @param patience of a buyer: how long a step of the product may take, and the pause between two status queries, in milliseconds. */
  protected constructor(
    private readonly parts: FleetParts,
    private readonly patience: { readonly limitMs: number; readonly everyMs: number },
  ) {
    this.clock = new FastClock(parts.fleet.databases);
    this.#product = new PatientFleet(parts.fleet);
  }

  get postgres(): OwnPostgres {
    return this.parts.postgres;
  }

  get kafka(): OwnKafka {
    return this.parts.kafka;
  }

  get fleet(): Fleet {
    return this.parts.fleet;
  }

  get receiver(): WebhookReceiver {
    return this.parts.receiver;
  }

  /** A client app that records what it has created, and repeats requests without an answer, or with 503, under their keys. */
  newBuyer(): Buyer {
    const buyer = new Buyer(this.#product, this.patience.limitMs, this.patience.everyMs);
    this.buyers.push(buyer);
    return buyer;
  }

  /** Rejects what still waits for the product, ends every process and removes the servers. */
  async close(): Promise<void> {
    this.#product.end();
    await this.clock.stop();
    await this.parts.all.disposeAsync();
  }

  /** Moves the clock away from the daily sweep, and sends every event to the endpoint. Closes everything when that fails. */
  protected async begin(): Promise<void> {
    try {
      await this.clock.begin();
      await this.newBuyer().subscribe(this.receiver);
    } catch (error) {
      await this.close();
      throw error;
    }
  }
}
