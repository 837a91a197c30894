import type { EventEnvelope } from '@fundrail/contracts';
import type {
  BusHealth,
  EventBus,
  GroupSubscription,
  PublishOutcome,
  Subscription,
} from './event-bus.port.ts';
import { AdminConnection } from './kafka/admin-connection.ts';
import { atMost } from './kafka/at-most.ts';
import { BrokerWatch } from './kafka/broker-watch.ts';
import { groupPositions } from './kafka/group-positions.ts';
import type { KafkaConnection } from './kafka/kafka-connection.ts';
import { KafkaGroup } from './kafka/kafka-group.ts';
import { KafkaPublisher } from './kafka/kafka-publisher.ts';

export interface KafkaBusOptions {
  /** Events of a partition that may be taken and not yet committed; 500. */
  readonly windowSize?: number;
  /**
   * Wall milliseconds from the first event that is handled to the commit of its offset, with all that were handled meanwhile; 250. A commit
   * is a write of the broker. What a dead member has not committed is delivered again, and the inbox absorbs it.
   */
  readonly commitEveryMs?: number;
  /** Wall milliseconds after which a request to publish counts as failed; 15 000. */
  readonly publishTimeoutMs?: number;
  /** Wall milliseconds between two health checks of the broker; 2000. */
  readonly watchEveryMs?: number;
  /** After this time without progress a consumer counts as stuck while the broker answers, in wall ms; 60 000. */
  readonly stuckAfterMs?: number;
  /** For how long one transaction of a consumer may run, in wall ms; 120 000. */
  readonly longestTransactionMs?: number;
}

const DEFAULTS = {
  windowSize: 500,
  commitEveryMs: 250,
  publishTimeoutMs: 15_000,
  watchEveryMs: 2_000,
  stuckAfterMs: 60_000,
  longestTransactionMs: 120_000,
};

const CLOSE_LIMIT_MS = 2_000;

/**
 * The bus of a service in production: events over Kafka (MSG-3). The topic is the kind of aggregate, the key its id. The bus
 * waits without limit for an unavailable broker, also at the first start. Meanwhile nothing is published, so events stay in the
 * outbox.
 *
 * **Order and effect with several members, and with dead ones.** A partition belongs to one member of a group at a time. But a
 * member that was paused for long (SIGSTOP, a swapping machine) may continue with events of a partition that another member
 * has now. This is safe for two reasons. Each member takes the event's inbox row in the transaction of the effect: the second
 * member waits for the first and finds the event done. And every member starts at a committed offset, before which all events
 * are settled in the database, and starts an event only when the previous one of its key is settled. So no member's effect comes
 * before the effect of an earlier event of the key. The broker refuses offsets that such a member commits, because its
 * assignment has expired.
 */
export class KafkaBus implements EventBus {
  readonly #options: Required<KafkaBusOptions>;
  readonly #admin: AdminConnection;
  readonly #watch: BrokerWatch;
  readonly #publisher: KafkaPublisher;
  readonly #groups = new Map<string, KafkaGroup>();

  /** Connects in the background. */
  constructor(
    private readonly connection: KafkaConnection,
    options: KafkaBusOptions = {},
  ) {
    this.#options = { ...DEFAULTS, ...options };
    this.#admin = new AdminConnection(connection);
    this.#watch = new BrokerWatch(this.#admin, this.#options.watchEveryMs);
    const { publishTimeoutMs } = this.#options;
    this.#publisher = new KafkaPublisher(connection, publishTimeoutMs, () => this.#watch.suspect());
  }

  publish(events: readonly EventEnvelope[]): readonly Promise<PublishOutcome>[] {
    return this.#publisher.publish(events);
  }

  /** Resolves immediately; `health().ready` is true once the group has joined. */
  subscribe(subscription: GroupSubscription): Promise<Subscription> {
    const { group } = subscription;
    if (this.#groups.has(group)) throw new Error(`the group ${group} has subscribed already`);
    const { connection } = this;
    const options = { connection, admin: this.#admin, watch: this.#watch, subscription, ...this.#options };
    const running = new KafkaGroup(options);
    this.#groups.set(group, running);
    return Promise.resolve({ stop: () => this.#stop(running) });
  }

  health(): BusHealth {
    const groups = [...this.#groups.values()];
    const { downSince, upSince } = this.#watch;
    const trouble = groups.map((group) => group.trouble()).find((text) => text !== null) ?? null;
    const waiting = groups.filter((group) => !group.isJoined).map((group) => group.name);
    const notReady = [
      ...(upSince ? [] : ['the broker does not answer']),
      ...(waiting.length > 0 ? [`not joined: ${waiting.join(', ')}`] : []),
    ];
    return {
      live: trouble === null,
      ready: notReady.length === 0,
      detail: trouble ?? notReady[0] ?? null,
      downSince,
    };
  }

  /** Counts only for a group that has subscribed here; 0 for others. What has been handled here counts as consumed. */
  async unconsumed(group: string): Promise<number> {
    await this.#groups.get(group)?.commitNow();
    const topics = this.#groups.get(group)?.topics ?? [];
    const positions = await groupPositions(this.connection, this.#admin, group, topics);
    return positions.reduce((sum, { position, end }) => sum + (end - position), 0);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#groups.values()].map((group) => this.#stop(group)));
    const ends = [this.#publisher.close(), this.#watch.stop(), this.#admin.close()];
    await atMost(CLOSE_LIMIT_MS, Promise.all(ends));
  }

  async #stop(group: KafkaGroup): Promise<void> {
    await group.stop();
    if (this.#groups.get(group.name) === group) this.#groups.delete(group.name);
  }
}
