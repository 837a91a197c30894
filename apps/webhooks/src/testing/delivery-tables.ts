import { newId } from '@fundrail/contracts';
import { sql } from '@fundrail/persistence';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { Database } from '@fundrail/service-kit/db';
import { FakeClock } from '@fundrail/testing';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { DeliveryRow } from '../delivery/delivery.table.ts';
import { newEventRow } from '../event/event.ts';
import { insertAndDeliverEvents } from '../event/event.repository.ts';
import { newNotificationWebhook, secretCell } from '../notification-webhook/notification-webhook.ts';
import { insertWebhook } from '../notification-webhook/notification-webhook.repository.ts';

export const TENANT = 'demo';
export const FIRST_SECRET = 'whsec_0';
const STAGE_START = new Date('2026-11-21T10:00:00Z');
const TABLES =
  'delivery_attempts, webhook_deliveries, events, webhook_replays, notification_webhooks, endpoint_paces, due_work, outbox';
const clear = sql('test.clear', `TRUNCATE ${TABLES}`);
const allDeliveries = sql('test.deliveries', 'SELECT * FROM webhook_deliveries ORDER BY id');

/** The database of webhooks without the service: a test adds endpoints and events, and moves the clock. */
export class DeliveryTables {
  readonly clock = new FakeClock(STAGE_START);
  protected readonly database: Database;
  protected readonly cipher = new DataCipher('a-key-of-the-delivery-tables-0123456789');
  private readonly pool: pg.Pool;

  constructor(url: string) {
    // Counts are numbers, as in a service.
    const types = new pg.TypeOverrides();
    types.setTypeParser(pg.types.builtins.INT8, Number);
    this.pool = new pg.Pool({ connectionString: url, max: 8, pipeline: true, types });
    // A connection that is being closed may report that its database is gone.
    this.pool.on('error', () => undefined);
    const source = new DataSource({ type: 'postgres', url });
    this.database = new Database(source, this.pool, this.clock, { sandbox: false });
  }

  end(): Promise<void> {
    return this.pool.end();
  }

  /** Resets everything, with no endpoint. */
  async begin(): Promise<void> {
    this.clock.set(STAGE_START);
    await this.database.query(clear);
  }

  /** An endpoint that subscribes to all events. */
  async addEndpoint(url: string): Promise<string> {
    const owned = { id: newId('notificationWebhook'), tenant: TENANT };
    const secret_encrypted = this.cipher.encrypt(FIRST_SECRET, secretCell(owned));
    const given = { ...owned, secret_encrypted, compatibility: null, now: this.clock.now() };
    const input = { url, events: ['*'], status: 'enabled' as const };
    await insertWebhook(this.database, newNotificationWebhook(input, given));
    return owned.id;
  }

  async publish(event: { readonly id?: string; readonly object: string; readonly sequence: number }) {
    const now = this.clock.now();
    const about = { aggregate_id: event.object, sequence: event.sequence, occurred_at: now.toISOString() };
    const fields = { type: 'payment.updated', data_text: '{}', traceparent: null };
    const row = newEventRow({ id: event.id ?? newId('event'), tenant: TENANT, ...about, ...fields }, now);
    await insertAndDeliverEvents(this.database, [row], now);
  }

  deliveries(): Promise<DeliveryRow[]> {
    return this.database.query<DeliveryRow>(allDeliveries);
  }
}
