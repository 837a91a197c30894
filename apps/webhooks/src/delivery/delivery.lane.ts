import { newTraceparent, runInTrace } from '@fundrail/messaging';
import { Log } from '@fundrail/service-kit';
import { Clock, Database } from '@fundrail/service-kit/db';
import { DueLane } from '@fundrail/service-kit/due';
import { faultPoint } from '@fundrail/service-kit/http';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { WebhooksConfig } from '../config.ts';
import { liveSecrets } from '../notification-webhook/notification-webhook.ts';
import {
  earliestDueDelivery,
  leaseDueDeliveries,
  leaseReplayedDeliveries,
  type LeasedDelivery,
} from './due-delivery.repository.ts';
import { Places } from './places.ts';
import { RecordAttempt } from './record-attempt.ts';
import { WebhookSender } from './webhook-sender.ts';

// Contract §9: the process has 10 s to end. What has not been answered by then is sent again with the same webhook-id.
const LAST_CALLS_MS = 4_000;

/**
 * Makes the deliveries that are due. A run starts them and does not wait: a slow endpoint holds up no other. A process that
 * dies between a send and its record leaves a lease behind; when it ends, the delivery is made again: at least once.
 */
@Injectable()
export class DeliveryLane extends DueLane implements BeforeApplicationShutdown {
  readonly name = 'webhook-deliveries';
  /** The sandbox's clock does not stop for each delivery (contract §10 "Conventions"). */
  override readonly isStep = false;
  private readonly places: Places;
  private readonly running = new Set<Promise<void>>();
  private readonly stop = new AbortController();
  private closing = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: WebhooksConfig,
    private readonly sender: WebhookSender,
    private readonly record: RecordAttempt,
    private readonly log: Log,
  ) {
    super();
    this.places = new Places(config.concurrency, config.inFlight);
  }

  earliestDue(before: Date): Promise<Date | null> {
    return earliestDueDelivery(this.database, before);
  }

  /** Most ends of attempts free too little for a lease. */
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
    if (leased.length === most) return most;
    const left = { ...terms, most: most - leased.length, rooms: this.places.rooms() };
    const replayed = await leaseReplayedDeliveries(this.database, left, replayConcurrency);
    for (const delivery of replayed) this.start(delivery, token, now);
    return leased.length + replayed.length;
  }

  /** Starts no more, gives what runs a moment to end, and leaves the rest to the next process. */
  async beforeApplicationShutdown(): Promise<void> {
    this.closing = true;
    const ended = Promise.all(this.running);
    await Promise.race([ended, pause(LAST_CALLS_MS, undefined, { ref: false })]);
    this.stop.abort();
    await ended;
  }

  private start(delivery: LeasedDelivery, token: string, now: Date): void {
    const leave = this.places.take(performance.now(), delivery.tenant);
    const run = runInTrace(delivery.traceparent ?? newTraceparent(), () => this.attempt(delivery, token, now))
      .catch((error: unknown) => {
        // The lease ends by itself, and the attempt is made again.
        const { id, webhook, tenant } = delivery;
        if (!this.stop.signal.aborted)
          this.log.error('a webhook attempt was not recorded', error, { id, webhook, tenant });
      })
      .finally(() => {
        leave();
        this.running.delete(run);
        if (this.isReady()) this.database.signal('due');
      });
    this.running.add(run);
  }

  private async attempt(delivery: LeasedDelivery, token: string, now: Date): Promise<void> {
    const { url, event, body, traceparent, secret_encrypted } = delivery;
    const old = liveSecrets(delivery.old_secrets, now).map((one) => one.secret_encrypted);
    const post = {
      url,
      id: event,
      body,
      traceparent,
      secrets_encrypted: [secret_encrypted, ...old],
      queued_ms: Math.max(0, now.getTime() - delivery.due_at.getTime()),
    };
    const answer = await this.sender.send(post, this.stop.signal);
    await faultPoint('webhook.sent');
    await this.record.execute(delivery, token, answer);
  }
}
