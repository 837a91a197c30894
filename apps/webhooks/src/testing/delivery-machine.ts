import { newId } from '@fundrail/contracts';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { sql } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { FakeClock } from '@fundrail/testing';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { AttemptAnswer } from '../delivery/delivery.ts';
import type { DeliveryRow } from '../delivery/delivery.table.ts';
import { leaseDueDeliveries, type LeasedDelivery } from '../delivery/due-delivery.repository.ts';
import { RecordAttempt } from '../delivery/record-attempt.ts';
import { newEventRow } from '../event/event.ts';
import { insertAndDeliverEvent } from '../event/event.repository.ts';
import { newNotificationWebhook, secretCell } from '../notification-webhook/notification-webhook.ts';
import { insertWebhook } from '../notification-webhook/notification-webhook.repository.ts';

const MACHINE_START = new Date('2026-11-21T10:00:00Z');
const TENANT = 'demo';
const LEASE_MS = 20_000;
const all = sql('test.deliveries', 'SELECT * FROM webhook_deliveries ORDER BY id');
const clear = sql(
  'test.clear',
  'TRUNCATE delivery_attempts, webhook_deliveries, events, webhook_replays, notification_webhooks, endpoint_paces',
);

/** The delivery machine without HTTP and without its lane: a test leases, responds for the endpoint, and moves the clock. */
export class DeliveryMachine {
  readonly clock = new FakeClock(MACHINE_START);
  webhook = '';
  private readonly pool: pg.Pool;
  private readonly database: Database;
  private readonly recording: RecordAttempt;
  private random = 0;
  private readonly cipher = new DataCipher('a-key-of-the-delivery-machine-0123456789');

  constructor(url: string) {
    this.pool = new pg.Pool({ connectionString: url, max: 4 });
    // A connection that is being closed may report that its database is gone.
    this.pool.on('error', () => undefined);
    const source = new DataSource({ type: 'postgres', url });
    this.database = new Database(source, this.pool, this.clock, { sandbox: false });
    this.recording = new RecordAttempt(this.database, this.clock, () => this.random);
  }

  end(): Promise<void> {
    return this.pool.end();
  }

  /** Resets everything, with one endpoint that subscribes to all events. */
  async begin(): Promise<void> {
    this.clock.set(MACHINE_START);
    this.webhook = newId('notificationWebhook');
    const owned = { id: this.webhook, tenant: TENANT };
    const given = { ...owned, secret_encrypted: this.cipher.encrypt('whsec_0', secretCell(owned)) };
    const input = { url: 'https://shop.example/', events: ['*'], status: 'enabled' as const };
    await this.database.query(clear);
    await insertWebhook(this.database, newNotificationWebhook(input, { ...given, now: MACHINE_START }));
  }

  async publish(object: string, sequence: number): Promise<void> {
    const now = this.clock.now();
    const about = { tenant: TENANT, aggregate_id: object, sequence, occurred_at: now.toISOString() };
    const fields = { id: newId('event'), type: 'payment.updated', data_text: '{}', traceparent: null };
    const row = newEventRow({ ...about, ...fields }, now);
    await insertAndDeliverEvent(this.database, row, { patterns: ['*'], now });
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

  deliveries(): Promise<DeliveryRow[]> {
    return this.database.query<DeliveryRow>(all);
  }
}
