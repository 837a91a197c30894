import { Module } from '@nestjs/common';
import { webhooksConfig } from './config.ts';
import { DeliveryController } from './delivery/delivery.controller.ts';
import { DeliveryLane } from './delivery/delivery.lane.ts';
import { EndpointDeliveriesController } from './delivery/endpoint-deliveries.controller.ts';
import { RANDOM, RecordAttempt } from './delivery/record-attempt.ts';
import { RetryDelivery } from './delivery/retry-delivery.ts';
import { WebhookSender } from './delivery/webhook-sender.ts';
import { EventConsumer } from './event/event.consumer.ts';
import { EventController } from './event/event.controller.ts';
import { StoreEvent } from './event/store-event.ts';
import { ChangeNotificationWebhook } from './notification-webhook/change-notification-webhook.ts';
import { CreateNotificationWebhook } from './notification-webhook/create-notification-webhook.ts';
import { DeleteNotificationWebhook } from './notification-webhook/delete-notification-webhook.ts';
import { NotificationWebhookController } from './notification-webhook/notification-webhook.controller.ts';
import { SendTestEvent } from './notification-webhook/send-test-event.ts';
import { WebhookTarget } from './target/webhook-target.ts';

@Module({
  controllers: [
    DeliveryController,
    EndpointDeliveriesController,
    EventConsumer,
    EventController,
    NotificationWebhookController,
  ],
  providers: [
    webhooksConfig,
    { provide: RANDOM, useValue: Math.random },
    ChangeNotificationWebhook,
    CreateNotificationWebhook,
    DeleteNotificationWebhook,
    DeliveryLane,
    RecordAttempt,
    RetryDelivery,
    SendTestEvent,
    StoreEvent,
    WebhookSender,
    WebhookTarget,
  ],
})
export class WebhooksModule {}
