import { newTraceparent, runInTrace } from '@fundrail/messaging';
import { Log } from '@fundrail/service-kit';
import { Clock, Database } from '@fundrail/service-kit/db';
import { DueLane } from '@fundrail/service-kit/due';
import { faultPoint } from '@fundrail/service-kit/http';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { WebhooksConfig } from '../config.ts';
import { bodyFor } from '../event/event.ts';
import { signingSecrets } from '../notification-webhook/notification-webhook.ts';
import { DELIVERIES_DUE } from './delivery.repository.ts';
import {
  earliestDueDelivery,
  leaseDueDeliveries,
  leaseReplayedDeliveries,
  type LeasedDelivery,
} from './due-delivery.repository.ts';
import { REPLAYED_DUE, REPLAYS_DUE } from '../replay/webhook-replay.repository.ts';
import { Slots } from './slots.ts';
import { RecordAttempt } from './record-attempt.ts';
import { WebhookSender } from './webhook-sender.ts';

// OPS-4: the process has 10 s to stop. A delivery without a response by then is sent again with the same webhook-id.
const LAST_CALLS_MS = 4_000;
/**
 * Wall milliseconds between two leases of replayed deliveries while there are none to lease: twice as many after each, up to the second figure.
 * The end of one, and the making of more, start the next lease at once.
 */
const [REPLAYS_EVERY_MS, REPLAYS_LATEST_MS] = [100, 500];

/**
 * Sends the due deliveries. A run starts them without waiting, so a slow endpoint does not delay others. If a process dies between the
 * attempt and its record, the lease expires and the delivery is sent again: at least once.
 */
@Injectable()
export class DeliveryLane extends DueLane implements BeforeApplicationShutdown {
  readonly name = 'webhook-deliveries';
  override readonly signal = DELIVERIES_DUE;
  /** A lease costs as much as several deliveries, so under load each takes those of some milliseconds. */
  override readonly restMs = 5;
  /** A jump of the sandbox clock does not stop at each delivery (CLOCK-6). */
  override readonly isStep = false;
  private readonly places: Slots;
  private readonly running = new Set<Promise<void>>();
  private readonly stop = new AbortController();
  private closing = false;
  /** The monotonic time of the next lease of replayed deliveries, and the run that waits for it. */
  private replaysFrom = 0;
  private replaysEveryMs = REPLAYS_EVERY_MS;
  private replaysLater: NodeJS.Timeout | null = null;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: WebhooksConfig,
    private readonly sender: WebhookSender,
    private readonly record: RecordAttempt,
    private readonly log: Log,
  ) {
    super();
    this.places = new Slots(config.concurrency, config.inFlight);
    database.onSignal(REPLAYED_DUE, () => this.leaseReplaysNow());
  }

  earliestDue(before: Date): Promise<Date | null> {
    return earliestDueDelivery(this.database, before);
  }

  /** Not ready after most attempts, because they free too few slots for a lease. */
  override isReady(): boolean {
    return !this.closing && this.places.free(performance.now()) > 0;
  }

  async run(now: Date): Promise<number> {
    const most = this.places.free(performance.now());
    if (most === 0 || this.closing) return 0;
    const wallNow = this.clock.now();
    const token = randomUUID();
    const until = new Date(wallNow.getTime() + this.config.leaseMs);
    const { endpointConcurrency: perEndpoint, endpointRate: rate, replayConcurrency } = this.config;
    const terms = { now, wallNow, token, until, perEndpoint, rate };
    const leased = await leaseDueDeliveries(this.database, { ...terms, most, rooms: this.places.rooms() });
    for (const delivery of leased) this.start(delivery, token, now);
    if (leased.length === most || this.leasesReplaysLater()) return leased.length;
    // Set before the lease: an attempt that ends during it sets 0.
    this.replaysFrom = performance.now() + this.replaysEveryMs;
    this.replaysEveryMs = Math.min(2 * this.replaysEveryMs, REPLAYS_LATEST_MS);
    const left = { ...terms, most: most - leased.length, rooms: this.places.rooms() };
    const replayed = await leaseReplayedDeliveries(this.database, left, replayConcurrency);
    for (const delivery of replayed) this.start(delivery, token, now, true);
    if (replayed.length > 0) this.leaseReplaysNow();
    return leased.length + replayed.length;
  }

  /** Starts no more deliveries and gives running ones a moment to end. The next process sends the rest. */
  async beforeApplicationShutdown(): Promise<void> {
    this.closing = true;
    const ended = Promise.all(this.running);
    await Promise.race([ended, pause(LAST_CALLS_MS, undefined, { ref: false })]);
    this.stop.abort();
    await ended;
  }

  private leaseReplaysNow(): void {
    this.replaysFrom = 0;
    this.replaysEveryMs = REPLAYS_EVERY_MS;
  }

  /** Whether it is too early for a lease of replayed deliveries. It then starts a run for the time when it is not. */
  private leasesReplaysLater(): boolean {
    const restMs = this.replaysFrom - performance.now();
    if (restMs <= 0) return false;
    this.replaysLater ??= setTimeout(() => {
      this.replaysLater = null;
      this.database.signal(DELIVERIES_DUE);
    }, restMs).unref();
    return true;
  }

  private start(delivery: LeasedDelivery, token: string, now: Date, isReplayed = false): void {
    const leave = this.places.take(performance.now(), delivery.tenant);
    const run = runInTrace(delivery.traceparent ?? newTraceparent(), () => this.attempt(delivery, token, now))
      .catch((error: unknown) => {
        // The lease expires, and the attempt is made again.
        const { id, webhook, tenant } = delivery;
        if (!this.stop.signal.aborted)
          this.log.error('a webhook attempt was not recorded', error, { id, webhook, tenant });
      })
      .finally(() => {
        leave();
        this.running.delete(run);
        if (isReplayed) {
          this.leaseReplaysNow();
          this.database.signal(REPLAYS_DUE);
        }
        if (this.isReady()) this.database.signal(DELIVERIES_DUE);
      });
    this.running.add(run);
  }

  private async attempt(delivery: LeasedDelivery, token: string, now: Date): Promise<void> {
    const { url, event, compatibility, traceparent } = delivery;
    const post = {
      url,
      id: event,
      body: bodyFor(compatibility, delivery.body),
      traceparent,
      compatibility,
      secrets_encrypted: signingSecrets({ ...delivery, id: delivery.webhook }, now),
      queued_ms: Math.max(0, now.getTime() - delivery.due_at.getTime()),
    };
    const answer = await this.sender.send(post, this.stop.signal);
    await faultPoint('webhook.sent');
    await this.record.execute(delivery, token, answer);
  }
}
