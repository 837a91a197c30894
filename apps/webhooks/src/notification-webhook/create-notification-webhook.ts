import { newId, type CreateNotificationWebhookDto, type NotificationWebhookDto } from '@fundrail/contracts';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { WebhookTarget } from '../target/webhook-target.ts';
import { newNotificationWebhook, toNotificationWebhook } from './notification-webhook.ts';
import { insertWebhook } from './notification-webhook.repository.ts';
import { newWebhookSecret } from './webhook-secret.ts';

/** `POST /v2/notification_webhooks`. The secret is in this answer and nowhere else. Throws `ValidationFailed` for a refused URL. */
@Injectable()
export class CreateNotificationWebhook {
  constructor(
    private readonly database: Database,
    private readonly cipher: DataCipher,
    private readonly target: WebhookTarget,
  ) {}

  async execute(
    caller: Caller,
    input: CreateNotificationWebhookDto,
  ): Promise<NotificationWebhookDto & { secret: string }> {
    await this.target.check(input.url);
    const secret = newWebhookSecret();
    const given = {
      id: newId('notificationWebhook'),
      tenant: caller.tenant,
      secret_encrypted: this.cipher.encrypt(secret),
    };
    return this.database.transaction(async (tx) => {
      const row = newNotificationWebhook(input, { ...given, now: tx.now });
      await insertWebhook(tx, row);
      return caller.answer(tx, { ...toNotificationWebhook(row), secret });
    });
  }
}
