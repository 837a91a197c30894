import { found, type NotificationWebhookDto } from '@fundrail/contracts';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { Database } from '@fundrail/service-kit/db';
import { withoutSecret, type Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { oldSecretCell, rotatedWebhook, secretCell, toNotificationWebhook } from './notification-webhook.ts';
import { lockWebhook, updateWebhook } from './notification-webhook.repository.ts';
import { newWebhookSecret } from './webhook-secret.ts';

/**
 * `POST /v2/notification_webhooks/:id/rotate_secret`: creates a new secret, which only this response contains. For 24 h, the new and the
 * previous secret both sign. Throws NOT_FOUND, or ILLEGAL_TRANSITION after too many rotations within that time.
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
      const row = found(await lockWebhook(tx, caller.tenant, id));
      const before = this.cipher.decrypt(row.secret_encrypted, secretCell(row));
      const rotated = rotatedWebhook(
        row,
        {
          secret: this.cipher.encrypt(secret, secretCell(row)),
          old: this.cipher.encrypt(before, oldSecretCell(row)),
        },
        tx.now,
      );
      await updateWebhook(tx, rotated);
      const made = { ...toNotificationWebhook(rotated), secret };
      return caller.answer(tx, made, 200, withoutSecret(made, 'secret'));
    });
  }
}
