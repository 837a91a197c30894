import { found } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { endDeliveries } from './end-deliveries.ts';
import { lockWebhook, updateWebhook } from './notification-webhook.repository.ts';

/** `DELETE /v2/notification_webhooks/:id`: no more deliveries are sent there. Throws `ApiError` NOT_FOUND. */
@Injectable()
export class DeleteNotificationWebhook {
  constructor(private readonly database: Database) {}

  execute(tenant: string, id: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      const row = found(await lockWebhook(tx, tenant, id));
      const deleted = { ...row, deleted_at: tx.now };
      await updateWebhook(tx, deleted);
      await endDeliveries(tx, deleted);
    });
  }
}
