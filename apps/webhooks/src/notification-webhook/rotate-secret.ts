import { ApiError, type NotificationWebhookDto } from '@fundrail/contracts';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { rotatedWebhook, toNotificationWebhook } from './notification-webhook.ts';
import { lockWebhook, updateWebhook } from './notification-webhook.repository.ts';
import { newWebhookSecret } from './webhook-secret.ts';

/**
 * `POST /v2/notification_webhooks/:id/rotate_secret`: a new secret, shown in this answer alone; it and the one before both sign
 * for 24 h. Throws NOT_FOUND, or ILLEGAL_TRANSITION when it was rotated too often within them.
 */
@Injectable()
export class RotateSecret {
  constructor(
    private readonly database: Database,
    private readonly cipher: DataCipher,
  ) {}

  execute(caller: Caller, id: string): Promise<NotificationWebhookDto & { secret: string }> {
    const secret = newWebhookSecret();
    return this.database.transaction(async (tx) => {
      const row = await lockWebhook(tx, caller.tenant, id);
      if (!row) throw new ApiError('NOT_FOUND');
      const rotated = rotatedWebhook(row, this.cipher.encrypt(secret), tx.now);
      await updateWebhook(tx, rotated);
      return caller.answer(tx, { ...toNotificationWebhook(rotated), secret });
    });
  }
}
