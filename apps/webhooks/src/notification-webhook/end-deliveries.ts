import type { Tx } from '@fundrail/service-kit/db';
import { beginGivingUp } from '../delivery/give-up-backlog.ts';
import { cancelReplays } from '../replay/webhook-replay.repository.ts';
import type { NotificationWebhookRow } from './notification-webhook.entity.ts';

/** Gives up whatever is on its way to an endpoint that is disabled or removed. The caller holds the lock of its row. */
export async function endDeliveries(tx: Tx, webhook: NotificationWebhookRow): Promise<void> {
  await beginGivingUp(tx, webhook);
  await cancelReplays(tx, webhook, tx.now);
}
