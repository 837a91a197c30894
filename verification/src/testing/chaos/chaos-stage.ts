import {
  startOwnKafka,
  startOwnPostgres,
  WebhookReceiver,
  type OwnKafka,
  type OwnPostgres,
} from '@fundrail/testing';
import { Buyer } from '../crash/buyer.ts';
import { Fleet } from '../fleet/fleet.ts';
import { Kubelet } from '../fleet/kubelet.ts';
import { ok } from '../purchase.ts';
import { FastClock } from './fast-clock.ts';
import { PatientFleet } from './patient-fleet.ts';

/** The three busiest services run twice: one replica leads the relay, both consume events and run due work. */
const REPLICAS = { orders: 2, payments: 2, webhooks: 2 } as const;
const ENV = {
  // The longest limit that payments accepts, so that no payment expires when the clock is moved past a back-off.
  PAYMENT_EXPIRY_MINUTES: '1440',
  UPI_URI_EXPIRY_MINUTES: '1440',
  // The shortest time-out that a broker accepts by default: after a kill, the group waits that long for the dead member.
  KAFKA_SESSION_TIMEOUT_MS: '6000',
};
/** As long as a whole run: the audit finds what never arrives. */
const PATIENCE_MS = 24 * 3_600_000;
const ASK_EVERY_MS = 400;

/** The parts of a chaos run: the product as processes, its servers, its clients, and a kubelet that keeps it running. */
export class ChaosStage {
  readonly buyers: Buyer[] = [];
  readonly kubelet: Kubelet;
  readonly clock: FastClock;
  readonly #product: PatientFleet;

  private constructor(
    readonly postgres: OwnPostgres,
    readonly kafka: OwnKafka,
    readonly fleet: Fleet,
    readonly receiver: WebhookReceiver,
    private readonly parts: AsyncDisposableStack,
    log: (line: string) => void,
  ) {
    this.kubelet = new Kubelet(log);
    this.clock = new FastClock(fleet.databases);
    this.#product = new PatientFleet(fleet);
  }

  /** Starts everything, or nothing. @param log receives the lines of the kubelet. */
  static async open(log: (line: string) => void): Promise<ChaosStage> {
    await using started = new AsyncDisposableStack();
    const postgres = await startOwnPostgres();
    started.defer(() => postgres.remove());
    const kafka = await startOwnKafka();
    started.defer(() => kafka.remove());
    const fleet = await Fleet.start({
      databaseUrl: postgres.url,
      brokers: kafka.brokers,
      replicas: REPLICAS,
      env: ENV,
      providerProxy: true,
    });
    started.defer(() => fleet.kill());
    const receiver = await WebhookReceiver.start();
    started.defer(() => receiver.stop());
    const stage = new ChaosStage(postgres, kafka, fleet, receiver, started.move(), log);
    await stage.#begin().catch(async (error: unknown) => {
      await stage.close();
      throw error;
    });
    return stage;
  }

  /** A client app that records what it has created, and waits without a limit. */
  newBuyer(): Buyer {
    const buyer = new Buyer(this.#product, PATIENCE_MS, ASK_EVERY_MS);
    this.buyers.push(buyer);
    return buyer;
  }

  /** Rejects what still waits for the product, ends every process and removes the servers. */
  async close(): Promise<void> {
    this.#product.end();
    await Promise.all([this.kubelet.stop(), this.clock.stop(), this.parts.disposeAsync()]);
  }

  async #begin(): Promise<void> {
    await this.clock.begin();
    const { client } = this.newBuyer();
    const webhook = { url: this.receiver.url, event: '*' };
    const { body } = ok(await client.post('/v2/notification_webhooks', webhook));
    this.receiver.secret = String(body['secret']);
    this.kubelet.watch(this.fleet.replicas());
  }
}
