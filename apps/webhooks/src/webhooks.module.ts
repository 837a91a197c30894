import { forgetOldRows } from '@fundrail/service-kit/housekeeping';
import { Module } from '@nestjs/common';
import { webhooksConfig } from './config.ts';
import { DashboardController } from './dashboard/dashboard.controller.ts';
import { DashboardSessions } from './dashboard/dashboard-session.ts';
import { SignInController } from './dashboard/sign-in.controller.ts';
import { DeliveryController } from './delivery/delivery.controller.ts';
import { DeliveryLane } from './delivery/delivery.lane.ts';
import { DeliveryMetrics } from './delivery/delivery-metrics.ts';
import { EndpointDeliveriesController } from './delivery/endpoint-deliveries.controller.ts';
import { GiveUpBacklog } from './delivery/give-up-backlog.ts';
import { HastenBacklog } from './delivery/hasten-backlog.ts';
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
import { RotateSecret } from './notification-webhook/rotate-secret.ts';
import { SendTestEvent } from './notification-webhook/send-test-event.ts';
import { publishedEventsCheck } from './reconciliation/published-events.check.ts';
import { CancelReplay } from './replay/cancel-replay.ts';
import { ReplayController } from './replay/replay.controller.ts';
import { ReplayLane } from './replay/replay.lane.ts';
import { StartReplay } from './replay/start-replay.ts';
import { DeleteOld } from './retention/delete-old.ts';
import { RetentionLane } from './retention/retention.lane.ts';
import { WebhookTarget } from './target/webhook-target.ts';
import { StartChallenge } from './verification/start-challenge.ts';
import { ChallengeLane } from './verification/challenge.lane.ts';
import { RecordChallenge } from './verification/record-challenge.ts';
import { SendChallenge } from './verification/send-challenge.ts';
import { TenantPolicy, TenantsAtIdentity } from './verification/tenant-policy.ts';
import { VerificationController } from './verification/verification.controller.ts';
import { VerifyEndpoint } from './verification/verify-endpoint.ts';

const forgetPastFacts = ['past_events', 'past_deliveries', 'past_attempts'].map((table) =>
  forgetOldRows({ table, column: 'stored_at', days: 'log_days', clock: 'wall' }),
);

@Module({
  controllers: [
    DashboardController,
    DeliveryController,
    EndpointDeliveriesController,
    EventConsumer,
    EventController,
    NotificationWebhookController,
    ReplayController,
    SignInController,
    VerificationController,
  ],
  providers: [
    webhooksConfig,
    { provide: RANDOM, useValue: Math.random },
    StartChallenge,
    ChallengeLane,
    ChangeNotificationWebhook,
    CreateNotificationWebhook,
    DashboardSessions,
    DeleteNotificationWebhook,
    DeliveryLane,
    DeliveryMetrics,
    DeleteOld,
    ...forgetPastFacts,
    GiveUpBacklog,
    HastenBacklog,
    RecordAttempt,
    RecordChallenge,
    ReplayLane,
    RetentionLane,
    RetryDelivery,
    RotateSecret,
    SendChallenge,
    SendTestEvent,
    StartReplay,
    CancelReplay,
    StoreEvent,
    { provide: TenantPolicy, useClass: TenantsAtIdentity },
    publishedEventsCheck,
    VerifyEndpoint,
    WebhookSender,
    WebhookTarget,
  ],
})
export class WebhooksModule {}
