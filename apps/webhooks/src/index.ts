import { serviceKitMigrations, type ServiceDefinition } from '@fundrail/service-kit/db';
import { webhooksConfig } from './config.ts';
import { DELIVERY_ATTEMPTS } from './delivery/attempt.table.ts';
import { WEBHOOK_DELIVERIES } from './delivery/delivery.table.ts';
import { EVENTS } from './event/event.table.ts';
import { WEBHOOKS_PERSONAL } from './event/personal.tables.ts';
import { NOTIFICATION_WEBHOOKS } from './notification-webhook/notification-webhook.table.ts';
import { WEBHOOK_REPLAYS } from './replay/webhook-replay.table.ts';
import { WebhooksBaseline1700001000001 } from './migrations/0001-baseline.migration.ts';
import { DueChallenges1900000000011 } from './migrations/due-challenges.migration.ts';
import { EndpointCompatibility1900000000012 } from './migrations/endpoint-compatibility.migration.ts';
import { EndpointVerification1900000000010 } from './migrations/endpoint-verification.migration.ts';
import { PastFacts1900000000013 } from './migrations/past-facts.migration.ts';
import { WebhooksModule } from './webhooks.module.ts';

/** Endpoints, the events of the last 30 days, and their deliveries. */
export const webhooksService: ServiceDefinition = {
  name: 'webhooks',
  module: WebhooksModule,
  config: webhooksConfig,
  migrations: [
    ...serviceKitMigrations,
    WebhooksBaseline1700001000001,
    EndpointVerification1900000000010,
    DueChallenges1900000000011,
    EndpointCompatibility1900000000012,
    PastFacts1900000000013,
  ],
  tables: [DELIVERY_ATTEMPTS, EVENTS, NOTIFICATION_WEBHOOKS, WEBHOOK_DELIVERIES, WEBHOOK_REPLAYS],
  personal: WEBHOOKS_PERSONAL,
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
};
