import { setTimeout as pause } from 'node:timers/promises';
import { Buyer } from '../../verification/src/testing/crash/buyer.ts';
import { paid } from '../../verification/src/testing/crash/walks.ts';
import { TestIsOver } from '../../verification/src/testing/crash/patient-client.ts';
import { ok } from '../../verification/src/testing/purchase.ts';
import { CountingClient, type Figures } from './counting-client.ts';
import { RECEIVER_URL } from './guests.ts';

/** Small and bounded: the cluster has two cores. */
const BUYERS = 2;
const READS_EVERY_MS = 250;
const BETWEEN_WALKS_MS = 500;
/** A step may have to wait for pods that start, one after the other, on a machine that does other things as well. */
const PATIENCE_MS = 300_000;
const POLL_MS = 250;
/** What the walks that are under way may take to end; those that have not are broken then. */
const LAST_WALKS_MS = 600_000;

/** Buyers that purchase and pay without end, a reader, and an endpoint in the cluster that receives every event. */
export class Traffic {
  readonly client: CountingClient;
  readonly buyers: Buyer[] = [];
  /** Walks that did not reach their end. */
  readonly broken: string[] = [];
  walks = 0;
  #secret = '';
  #isOn = false;
  #isOver = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(url: string) {
    this.client = new CountingClient(url);
  }

  /** Of the webhook endpoint. */
  get secret(): string {
    return this.#secret;
  }

  /** From here on the guest `audit` gets every event. */
  async listen(): Promise<void> {
    const { body } = ok(
      await this.client.post('/v2/notification_webhooks', { url: RECEIVER_URL, event: '*' }),
    );
    this.#secret = String(body['secret']);
  }

  start(): void {
    this.#isOn = true;
    const buyers = Array.from({ length: BUYERS }, () => this.#buy());
    this.#running = Promise.all([...buyers, this.#read()]);
  }

  /** The clients' results while `doing` ran, under traffic from start to end. */
  async during(doing: () => Promise<unknown>): Promise<Figures> {
    this.client.cut();
    await doing();
    return this.client.cut();
  }

  /** Lets the walks that are under way come to their end. */
  async stop(): Promise<void> {
    this.#isOn = false;
    const limit = new AbortController();
    await Promise.race([this.#running, pause(LAST_WALKS_MS, null, { signal: limit.signal })]);
    limit.abort();
    this.#isOver = true;
    await this.#running;
  }

  /** A patient buyer retries until this ends it. */
  #reach(): Promise<CountingClient> {
    return this.#isOver
      ? Promise.reject(new TestIsOver('the traffic is over'))
      : Promise.resolve(this.client);
  }

  async #buy(): Promise<void> {
    const buyer = new Buyer({ client: () => this.#reach() }, PATIENCE_MS, POLL_MS);
    this.buyers.push(buyer);
    while (this.#isOn) {
      await paid(buyer).then(
        () => (this.walks += 1),
        (error: unknown) => this.broken.push(String(error)),
      );
      await pause(BETWEEN_WALKS_MS);
    }
  }

  async #read(): Promise<void> {
    const paths = [
      '/v2/mf_purchases',
      '/api/pg/payments',
      '/v2/investor_profiles',
      '/v2/events',
      '/sandbox/clock',
    ];
    for (let at = 0; this.#isOn; at += 1) {
      // Counted; there is nothing more to do about it.
      await this.client.get(paths[at % paths.length] ?? '').catch(() => null);
      await pause(READS_EVERY_MS);
    }
  }
}
