import { NO_TRACING } from '@fundrail/messaging';
import { ServiceMetrics } from '@fundrail/service-kit';
import type { DataCipher } from '@fundrail/service-kit/crypto';
import type { Database } from '@fundrail/service-kit/db';
import type { FakeClock } from '@fundrail/testing';
import type { WebhooksConfig } from '../../config.ts';
import type { AttemptAnswer } from '../../delivery/delivery.ts';
import { DeliveryMetrics } from '../../delivery/delivery-metrics.ts';
import type { LeasedDelivery } from '../../delivery/due-delivery.repository.ts';
import { RecordAttempt } from '../../delivery/record-attempt.ts';
import { WebhookSender, type SignedPost } from '../../delivery/webhook-sender.ts';
import { WebhookTarget } from '../../target/webhook-target.ts';

/** A POST without a response so far. */
export interface HeldPost extends SignedPost {
  /** The secrets that sign it, newest first. */
  readonly secrets: readonly string[];
  /** Responds to it; a second response has no effect. */
  answer(answer: AttemptAnswer): void;
}

/** Replaces the network: every POST waits until the test responds to it. */
export class HeldSender extends WebhookSender {
  private readonly posts: HeldPost[] = [];

  constructor(
    private readonly own: {
      config: WebhooksConfig;
      clock: FakeClock;
      cipher: DataCipher;
      database: Database;
    },
  ) {
    const { config, clock, cipher, database } = own;
    const dueWorker = { lags: () => Promise.resolve(new Map<string, number>()), onEnd: () => undefined };
    const nothing = { limits: null, relay: null, bus: null, strategy: null };
    const metrics = new ServiceMetrics({ service: 'webhooks', database, dueWorker, ...nothing });
    const deliveryMetrics = new DeliveryMetrics(metrics, database, clock);
    super(config, new WebhookTarget(config), clock, cipher, deliveryMetrics, NO_TRACING);
  }

  override send(post: SignedPost): Promise<AttemptAnswer> {
    const { promise, resolve } = Promise.withResolvers<AttemptAnswer>();
    const secrets = post.secrets_encrypted.map(({ value, cell }) => this.own.cipher.decrypt(value, cell));
    this.posts.push({ ...post, secrets, answer: resolve });
    return promise;
  }

  /** The POSTs sent since the last call. */
  taken(): HeldPost[] {
    return this.posts.splice(0);
  }
}

/** Observes when a response has been recorded, and for which delivery and lease. */
export class ObservedRecord extends RecordAttempt {
  private readonly awaited = new Map<AttemptAnswer, PromiseWithResolvers<Recorded>>();

  /** Call it before the response is given. Rejects when the recording rejects. */
  recordOf(answer: AttemptAnswer): Promise<Recorded> {
    const recorded = Promise.withResolvers<Recorded>();
    this.awaited.set(answer, recorded);
    return recorded.promise;
  }

  override async execute(delivery: LeasedDelivery, token: string, answer: AttemptAnswer): Promise<void> {
    const awaited = this.awaited.get(answer);
    this.awaited.delete(answer);
    try {
      await super.execute(delivery, token, answer);
      awaited?.resolve({ delivery: delivery.id, token });
    } catch (error) {
      awaited?.reject(error);
      throw error;
    }
  }
}

/** The delivery and the lease of a recorded response. */
export interface Recorded {
  readonly delivery: string;
  readonly token: string;
}
