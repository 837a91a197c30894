import { serviceKitMigrations, type ServiceDefinition } from '@fundrail/service-kit/db';
import { webhooksConfig } from './config.ts';
import { DELIVERY_ATTEMPTS } from './delivery/attempt.table.ts';
import { WEBHOOK_DELIVERIES } from './delivery/delivery.table.ts';
import { EVENTS } from './event/event.table.ts';
import { AttemptDays1700000036000 } from './migrations/attempt-days.migration.ts';
import { DeliveriesByEvent1700000036001 } from './migrations/deliveries-by-event.migration.ts';
import { AttemptsWithoutDay1700000043000 } from './migrations/attempts-without-day.migration.ts';
import { CancelledReplays1700000042000 } from './migrations/cancelled-replays.migration.ts';
import { RetriedDeliveries1700000042001 } from './migrations/retried-deliveries.migration.ts';
import { EventTraces1700000012000 } from './migrations/event-traces.migration.ts';
import { EndpointPaces1700000033000 } from './migrations/endpoint-paces.migration.ts';
import { DueChallenges1900000000011 } from './migrations/due-challenges.migration.ts';
import { EndpointVerification1900000000010 } from './migrations/endpoint-verification.migration.ts';
import { EventTimes1700000037000 } from './migrations/event-times.migration.ts';
import { GoneEndpoints1700000039000 } from './migrations/gone-endpoints.migration.ts';
import { HeldDeliveries1700000035000 } from './migrations/held-deliveries.migration.ts';
import { LeasedDeliveries1700000013000 } from './migrations/leased-deliveries.migration.ts';
import { OldSecrets1700000031000 } from './migrations/old-secrets.migration.ts';
import { PausedEndpoints1700000030000 } from './migrations/paused-endpoints.migration.ts';
import { PlannedAttempts1700000034000 } from './migrations/planned-attempts.migration.ts';
import { ToldDeliveries1700000038000 } from './migrations/failure-codes.migration.ts';
import { ListedDeliveries1700000038001 } from './migrations/listed-deliveries.migration.ts';
import { WebhookReplays1700000032000 } from './migrations/webhook-replays.migration.ts';
import { ReplayIndexes1700000032001 } from './migrations/replay-indexes.migration.ts';
import { WebhookTables1700000002000 } from './migrations/webhook-tables.migration.ts';
import { NOTIFICATION_WEBHOOKS } from './notification-webhook/notification-webhook.table.ts';
import { WEBHOOK_REPLAYS } from './replay/webhook-replay.table.ts';
import { WebhooksModule } from './webhooks.module.ts';

/** Endpoints, the events of the last 30 days, and their deliveries. */
export const webhooksService: ServiceDefinition = {
  name: 'webhooks',
  module: WebhooksModule,
  config: webhooksConfig,
  migrations: [
    ...serviceKitMigrations,
    WebhookTables1700000002000,
    EventTraces1700000012000,
    LeasedDeliveries1700000013000,
    PausedEndpoints1700000030000,
    OldSecrets1700000031000,
    WebhookReplays1700000032000,
    ReplayIndexes1700000032001,
    EndpointPaces1700000033000,
    PlannedAttempts1700000034000,
    HeldDeliveries1700000035000,
    AttemptDays1700000036000,
    DeliveriesByEvent1700000036001,
    EventTimes1700000037000,
    ToldDeliveries1700000038000,
    ListedDeliveries1700000038001,
    GoneEndpoints1700000039000,
    CancelledReplays1700000042000,
    RetriedDeliveries1700000042001,
    AttemptsWithoutDay1700000043000,
    EndpointVerification1900000000010,
    DueChallenges1900000000011,
  ],
  tables: [DELIVERY_ATTEMPTS, EVENTS, NOTIFICATION_WEBHOOKS, WEBHOOK_DELIVERIES, WEBHOOK_REPLAYS],
  encrypted: [
    {
      table: 'notification_webhooks',
      key: ['id'],
      tenant: 'tenant',
      column: 'secret_encrypted',
      type: 'text',
    },
    { table: 'notification_webhooks', key: ['id'], tenant: 'tenant', column: 'old_secrets', type: 'jsonb' },
  ],
  // Every event of the product arrives here, and handling it only adds its row and its deliveries.
  eventGroups: { most: 32, atOnce: 2 },
};
