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

/** The three that do the work run twice: one leads its relay, both consume and work what is due. */
const REPLICAS = { orders: 2, payments: 2, webhooks: 2 } as const;
const ENV = {
  // No payment runs out of time when the clock is moved past a back-off: the longest that payments takes.
  PAYMENT_EXPIRY_MINUTES: '1440',
  UPI_URI_EXPIRY_MINUTES: '1440',
  // The shortest that a broker takes by default: after a kill, that long the group waits for the dead one.
  KAFKA_SESSION_TIMEOUT_MS: '6000',
};
/** As long as a whole run: what never comes is found by the audit. */
const PATIENCE_MS = 24 * 3_600_000;
const ASK_EVERY_MS = 400;

/** Everything that a chaos run plays on: the product as processes, its servers, its clients and who keeps it running. */
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
    tell: (line: string) => void,
  ) {
    this.kubelet = new Kubelet(tell);
    this.clock = new FastClock(fleet.databases);
    this.#product = new PatientFleet(fleet);
  }

  /** Starts everything, or nothing. @param tell gets what the kubelet has to say. */
  static async open(tell: (line: string) => void): Promise<ChaosStage> {
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
    const stage = new ChaosStage(postgres, kafka, fleet, receiver, started.move(), tell);
    await stage.#begin().catch(async (error: unknown) => {
      await stage.close();
      throw error;
    });
    return stage;
  }

  /** A client app that keeps books, and waits as long as it takes. */
  newBuyer(): Buyer {
    const buyer = new Buyer(this.#product, PATIENCE_MS, ASK_EVERY_MS);
    this.buyers.push(buyer);
    return buyer;
  }

  /** Whoever still waits for the product is told that it is over. Ends every process and removes the servers. */
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
