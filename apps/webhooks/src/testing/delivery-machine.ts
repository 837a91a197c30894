import { randomUUID } from 'node:crypto';
import type { AttemptAnswer } from '../delivery/delivery.ts';
import { leaseDueDeliveries, type LeasedDelivery } from '../delivery/due-delivery.repository.ts';
import { RecordAttempt } from '../delivery/record-attempt.ts';
import { DeliveryTables } from './delivery-tables.ts';

const LEASE_MS = 20_000;

/** The delivery machine without HTTP and without its lane: a test leases, responds for the endpoint, and moves the clock. */
export class DeliveryMachine extends DeliveryTables {
  webhook = '';
  private readonly recording = new RecordAttempt(this.database, this.clock, () => this.random);
  private random = 0;

  /** Resets everything, with one endpoint that subscribes to all events. */
  override async begin(): Promise<void> {
    await super.begin();
    this.webhook = await this.addEndpoint('https://shop.example/');
  }

  /** The deliveries that one replica would send now, with the lease's token. */
  async lease(): Promise<{ readonly token: string; readonly leased: LeasedDelivery[] }> {
    const now = this.clock.now();
    const token = randomUUID();
    const until = new Date(now.getTime() + LEASE_MS);
    const terms = { now, wallNow: now, token, until, perEndpoint: 4, most: 8, rate: 1_000 };
    return { token, leased: await leaseDueDeliveries(this.database, terms) };
  }

  async record(
    delivery: LeasedDelivery,
    token: string,
    answer: AttemptAnswer,
    random: number,
  ): Promise<void> {
    // It is read immediately, before others can be recorded.
    this.random = random;
    await this.recording.execute(delivery, token, answer);
  }
}
