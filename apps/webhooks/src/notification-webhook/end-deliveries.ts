import type { Tx } from '@fundrail/persistence';
import { startGivingUp } from '../delivery/give-up-backlog.ts';
import { cancelReplays } from '../replay/webhook-replay.repository.ts';
import type { NotificationWebhookRow } from './notification-webhook.table.ts';

/**
 * Gives up all pending deliveries and replays of an endpoint that is disabled, deleted or has failed its verification. The caller holds
 * the lock of its row.
 */
export async function endDeliveries(tx: Tx, webhook: NotificationWebhookRow): Promise<void> {
  await startGivingUp(tx, webhook);
  await cancelReplays(tx, webhook, tx.now);
}
