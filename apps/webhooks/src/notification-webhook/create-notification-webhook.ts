import {
  ApiError,
  newId,
  type CreateNotificationWebhookDto,
  type NotificationWebhookDto,
} from '@fundrail/contracts';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { WebhooksConfig } from '../config.ts';
import { WebhookTarget } from '../target/webhook-target.ts';
import { newNotificationWebhook, toNotificationWebhook } from './notification-webhook.ts';
import { countWebhooks, insertWebhook } from './notification-webhook.repository.ts';
import { newWebhookSecret } from './webhook-secret.ts';

/**
 * `POST /v2/notification_webhooks`. The secret is in this answer and nowhere else. Throws `ValidationFailed` for a refused URL, and
 * `ApiError` ENDPOINT_LIMIT_EXCEEDED: each event is delivered to each endpoint, so their number is what an event costs.
 */
@Injectable()
export class CreateNotificationWebhook {
  constructor(
    private readonly database: Database,
    private readonly cipher: DataCipher,
    private readonly target: WebhookTarget,
    private readonly config: WebhooksConfig,
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
      if ((await countWebhooks(tx, caller.tenant)) >= this.config.endpointLimit) throw this.full();
      const row = newNotificationWebhook(input, { ...given, now: tx.now });
      await insertWebhook(tx, row);
      return caller.answer(tx, { ...toNotificationWebhook(row), secret });
    });
  }

  private full(): ApiError {
    const message = `A tenant may have ${this.config.endpointLimit} webhook endpoints, and this one has them all: remove one that is not used.`;
    return new ApiError('ENDPOINT_LIMIT_EXCEEDED', message);
  }
}
