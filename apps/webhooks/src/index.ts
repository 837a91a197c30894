import { serviceKitMigrations, type ServiceDefinition } from '@fundrail/service-kit/db';
import { webhooksConfig } from './config.ts';
import { DeliveryRow } from './delivery/delivery.entity.ts';
import { EventRow } from './event/event.entity.ts';
import { EventTraces1700000012000 } from './migrations/event-traces.migration.ts';
import { LeasedDeliveries1700000013000 } from './migrations/leased-deliveries.migration.ts';
import { WebhookTables1700000002000 } from './migrations/webhook-tables.migration.ts';
import { NotificationWebhookRow } from './notification-webhook/notification-webhook.entity.ts';
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
  ],
  entities: [DeliveryRow, EventRow, NotificationWebhookRow],
  // Every event of the product comes here, and all that it does is to add its row and its deliveries.
  eventGroups: { most: 32, atOnce: 2 },
};
