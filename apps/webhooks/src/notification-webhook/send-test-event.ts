import { found, istTimestamp, newId, stringifyJson, type WebhookDeliveryDto } from '@fundrail/contracts';
import { currentTraceparent } from '@fundrail/messaging';
import { Clock, Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { newDelivery, toWebhookDelivery } from '../delivery/delivery.ts';
import { DELIVERIES_DUE, insertDelivery } from '../delivery/delivery.repository.ts';
import { newEventRow } from '../event/event.ts';
import { insertEvent } from '../event/event.repository.ts';
import { assertOpen } from '../verification/verification.ts';
import { toNotificationWebhook } from './notification-webhook.ts';
import type { NotificationWebhookRow } from './notification-webhook.table.ts';
import { lockWebhook, updateWebhook } from './notification-webhook.repository.ts';

/**
 * `POST /v2/notification_webhooks/:id/test`: sends `notification_webhook.test` to this endpoint only, independent of its events. So the
 * event is stored here and not published on the bus. Throws NOT_FOUND, or ILLEGAL_TRANSITION while the endpoint is disabled or
 * unverified.
 */
@Injectable()
export class SendTestEvent {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  execute(caller: Caller, id: string): Promise<WebhookDeliveryDto> {
    return this.database.transaction(async (tx) => {
      const webhook = found(await lockWebhook(tx, caller.tenant, id));
      assertOpen(webhook);
      // A test is sent now, even if the endpoint has requested a pause.
      const counted = { ...webhook, event_seq: webhook.event_seq + 1, paused_until: null };
      await updateWebhook(tx, counted);
      const event = newEventRow(testEvent(counted, tx.now), this.clock.now());
      await insertEvent(tx, event);
      // An earlier failed test does not delay it.
      const delivery = { ...newDelivery(event, id, newId('webhookDelivery'), tx.now), in_order: false };
      await insertDelivery(tx, delivery);
      tx.signal(DELIVERIES_DUE);
      return caller.answer(tx, toWebhookDelivery(delivery, []));
    });
  }
}

function testEvent(webhook: NotificationWebhookRow, now: Date) {
  const { id, tenant, event_seq: sequence } = webhook;
  const object = toNotificationWebhook(webhook);
  return {
    id: newId('event'),
    type: 'notification_webhook.test',
    tenant,
    aggregate_id: id,
    sequence,
    occurred_at: istTimestamp(now),
    data_text: stringifyJson({ object, previous_attributes: null }),
    traceparent: currentTraceparent(),
  };
}
