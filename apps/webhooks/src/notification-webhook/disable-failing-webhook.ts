import { EVENTS, newId, stringifyJson } from '@fundrail/contracts';
import { appendEvents, previousAttributes } from '@fundrail/messaging';
import type { Tx } from '@fundrail/persistence';
import { endDeliveries } from './end-deliveries.ts';
import { disabledWebhook, toNotificationWebhook } from './notification-webhook.ts';
import type { NotificationWebhookRow } from './notification-webhook.table.ts';
import { updateWebhook } from './notification-webhook.repository.ts';

/**
 * Disables an endpoint that responded with 410 or failed for too long, and notifies the tenant's other endpoints (HOOK-20, HOOK-21). The
 * caller holds the lock of its row.
 */
export async function disableFailingWebhook(
  tx: Tx,
  row: NotificationWebhookRow,
  reason: string,
): Promise<void> {
  const disabled = { ...disabledWebhook(row, reason, tx.now), event_seq: row.event_seq + 1 };
  await updateWebhook(tx, disabled);
  await endDeliveries(tx, disabled);
  const type = 'notification_webhook.disabled';
  const { id } = disabled;
  await appendEvents(tx, [
    {
      id: newId('event'),
      type,
      version: EVENTS[type].version,
      tenant: row.tenant,
      aggregate_id: id,
      sequence: disabled.event_seq,
      occurred_at: tx.now,
      data: stringifyJson({
        object: toNotificationWebhook(disabled),
        previous_attributes: previousAttributes(toNotificationWebhook(row), toNotificationWebhook(disabled)),
      }),
      traceparent: null,
    },
  ]);
}
