import { istTimestamp, type WebhookReplayDto } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { sql } from '@fundrail/persistence';
import type { Caller } from '@fundrail/service-kit/http';
import { webhooksConfig } from '../../config.ts';
import type { AttemptAnswer } from '../../delivery/delivery.ts';
import { DeliveryLane } from '../../delivery/delivery.lane.ts';
import { leaseReplayedDeliveries, type LeasedDelivery } from '../../delivery/due-delivery.repository.ts';
import { GiveUpBacklog } from '../../delivery/give-up-backlog.ts';
import { RetryDelivery } from '../../delivery/retry-delivery.ts';
import { ChangeNotificationWebhook } from '../../notification-webhook/change-notification-webhook.ts';
import { DeleteNotificationWebhook } from '../../notification-webhook/delete-notification-webhook.ts';
import type { NotificationWebhookRow } from '../../notification-webhook/notification-webhook.table.ts';
import { RotateSecret } from '../../notification-webhook/rotate-secret.ts';
import { CancelReplay } from '../../replay/cancel-replay.ts';
import { ReplayLane } from '../../replay/replay.lane.ts';
import { StartReplay } from '../../replay/start-replay.ts';
import { toWebhookReplay } from '../../replay/webhook-replay.ts';
import type { WebhookReplayRow } from '../../replay/webhook-replay.table.ts';
import { replayProgress } from '../../replay/webhook-replay.repository.ts';
import { WebhookTarget } from '../../target/webhook-target.ts';
import { DeliveryTables, TENANT } from '../delivery-tables.ts';
import { HeldSender, ObservedRecord, type HeldPost, type Recorded } from './held-sender.ts';

/** Concurrent deliveries to one endpoint: in total, and of replays. */
export const AT_ONCE = 4;
export const REPLAYED_AT_ONCE = 2;
const RATE = 1_000;
/** Rolls back a lease that was only read. */
const NOT_TAKEN = new Error('rolled back');
const MOST_LOOKS = 500;

const allReplays = sql('test.replays', 'SELECT * FROM webhook_replays ORDER BY id');
const allEndpoints = sql('test.endpoints', 'SELECT * FROM notification_webhooks ORDER BY id');
const allAttempts = sql('test.attempts', 'SELECT delivery, url, status FROM delivery_attempts ORDER BY id');

/** The deliveries of two replicas without HTTP: the test responds to every POST, acts as clients, and moves the clock. */
export class DeliveriesStage extends DeliveryTables {
  private readonly config = webhooksConfig.useFactory({
    SANDBOX: 'true',
    WEBHOOK_ENDPOINT_CONCURRENCY: String(AT_ONCE),
    WEBHOOK_REPLAY_CONCURRENCY: String(REPLAYED_AT_ONCE),
    WEBHOOK_ENDPOINT_RATE: String(RATE),
  });
  private readonly caller: Caller = {
    ...{ tenant: TENANT, client_tenant: TENANT, client_id: 'test', scopes: [], request_id: 'test' },
    ...{ compatibility: null, idempotency: null },
    answer: (_tx, body) => Promise.resolve(body),
  };
  private readonly change = new ChangeNotificationWebhook(this.database, new WebhookTarget(this.config), {
    verifiesEndpoints: () => Promise.resolve(false),
  });
  private jitter = 0;
  private sender!: HeldSender;
  private record!: ObservedRecord;
  private lanes!: readonly [DeliveryLane, DeliveryLane];

  /** Resets everything, with no endpoint. POSTs that were held before get no response. */
  override async begin(): Promise<void> {
    await super.begin();
    const { config, clock, cipher, database } = this;
    this.jitter = 0;
    this.sender = new HeldSender({ config, clock, cipher, database });
    this.record = new ObservedRecord(database, clock, () => (this.jitter++ % 10) / 10);
    const log = Log.to('webhooks', 'error');
    const lane = () => new DeliveryLane(database, clock, config, this.sender, this.record, log);
    this.lanes = [lane(), lane()];
  }

  /** Runs a replica once. Its POSTs wait for a response. */
  async look(replica: 0 | 1): Promise<void> {
    await this.lanes[replica].run(this.clock.now());
  }

  /** The replayed deliveries that a replica could send now if it leased only those; none is sent. */
  async replayedAlone(): Promise<LeasedDelivery[]> {
    const now = this.clock.now();
    const terms = {
      now,
      wallNow: now,
      until: now,
      token: 'unused',
      perEndpoint: AT_ONCE,
      most: 8,
      rate: RATE,
    };
    let leased: LeasedDelivery[] = [];
    const looking = this.database.transaction(async (tx) => {
      leased = await leaseReplayedDeliveries(tx, terms, REPLAYED_AT_ONCE);
      throw NOT_TAKEN;
    });
    await looking.catch((error: unknown) => {
      if (error !== NOT_TAKEN) throw error;
    });
    return leased;
  }

  /** The POSTs sent since the last call. */
  taken(): HeldPost[] {
    return this.sender.taken();
  }

  /** Responds to a POST, and waits until that is recorded. */
  async answer(post: HeldPost, answer: AttemptAnswer): Promise<Recorded> {
    const recorded = this.record.recordOf(answer);
    post.answer(answer);
    return recorded;
  }

  /** The other work of the due worker: replays continue, and deliveries stored while their endpoint ended are given up. */
  async work(ended: readonly string[]): Promise<void> {
    const giveUp = new GiveUpBacklog(this.database);
    const due = { kind: 'webhook.give_up', tenant: TENANT, due_at: this.clock.now(), attempts: 0 };
    for (const key of ended) await giveUp.execute({ ...due, key });
    const replays = new ReplayLane(this.database);
    for (let looks = 0; (await replays.run()) > 0; looks += 1)
      if (looks === MOST_LOOKS) throw new Error('a replay never ends');
  }

  async retry(id: string): Promise<void> {
    await new RetryDelivery(this.database).execute(this.caller, id);
  }

  async put(id: string, changes: { readonly url?: string; readonly status?: 'enabled' | 'disabled' }) {
    await this.change.execute(TENANT, id, changes);
  }

  remove(id: string): Promise<void> {
    return new DeleteNotificationWebhook(this.database).execute(TENANT, id);
  }

  /** Returns the new secret. */
  async rotate(id: string): Promise<string> {
    return (await new RotateSecret(this.database, this.cipher).execute(this.caller, id)).secret;
  }

  /** Starts a replay of all events from `from` until now. */
  startReplay(id: string, from: Date): Promise<WebhookReplayDto> {
    const asked = { from: istTimestamp(from), to: istTimestamp(this.clock.now()) };
    return new StartReplay(this.database, this.clock).execute(this.caller, id, asked);
  }

  cancelReplay(webhook: string, id: string): Promise<WebhookReplayDto> {
    return new CancelReplay(this.database).execute(this.caller, { tenant: TENANT, webhook, id });
  }

  /** As the `GET` of each returns it. */
  async replays(): Promise<WebhookReplayDto[]> {
    const rows = await this.database.query<WebhookReplayRow>(allReplays);
    return Promise.all(
      rows.map(async (row) => toWebhookReplay(row, await replayProgress(this.database, row.id))),
    );
  }

  /** Includes deleted endpoints. */
  endpoints(): Promise<NotificationWebhookRow[]> {
    return this.database.query<NotificationWebhookRow>(allEndpoints);
  }

  attempts(): Promise<{ readonly delivery: string; readonly url: string; readonly status: number | null }[]> {
    return this.database.query(allAttempts);
  }
}
