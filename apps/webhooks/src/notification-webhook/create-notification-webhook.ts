import {
  ApiError,
  newId,
  type CreateNotificationWebhookDto,
  type NotificationWebhookDto,
} from '@fundrail/contracts';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { Database } from '@fundrail/service-kit/db';
import { withoutSecret, type Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { WebhooksConfig } from '../config.ts';
import { WebhookTarget } from '../target/webhook-target.ts';
import { CHALLENGES_DUE } from '../verification/challenge.repository.ts';
import { TenantPolicy } from '../verification/tenant-policy.ts';
import { withVerification } from '../verification/verification.ts';
import { newNotificationWebhook, secretCell, toNotificationWebhook } from './notification-webhook.ts';
import { countWebhooks, insertWebhook, updateVerification } from './notification-webhook.repository.ts';
import { newWebhookSecret } from './webhook-secret.ts';

/**
 * `POST /v2/notification_webhooks`. Only this response contains the secret. Throws `ValidationFailed` for a refused URL,
 * ENDPOINT_LIMIT_EXCEEDED (the number of endpoints is limited because it is the cost of an event), and SERVICE_UNAVAILABLE when the
 * verification setting cannot be read.
 */
@Injectable()
export class CreateNotificationWebhook {
  constructor(
    private readonly database: Database,
    private readonly cipher: DataCipher,
    private readonly target: WebhookTarget,
    private readonly config: WebhooksConfig,
    private readonly policy: TenantPolicy,
  ) {}

  async execute(
    caller: Caller,
    input: CreateNotificationWebhookDto,
  ): Promise<NotificationWebhookDto & { secret: string }> {
    await this.target.check(input.url);
    const isVerified = await this.policy.verifiesEndpoints(caller.tenant);
    const secret = newWebhookSecret();
    const owned = { id: newId('notificationWebhook'), tenant: caller.tenant };
    const secret_encrypted = this.cipher.encrypt(secret, secretCell(owned));
    const given = { ...owned, secret_encrypted, compatibility: caller.compatibility };
    return this.database.transaction(async (tx) => {
      if ((await countWebhooks(tx, caller.tenant)) >= this.config.endpointLimit) throw this.full();
      const plain = newNotificationWebhook(input, { ...given, now: tx.now });
      await insertWebhook(tx, plain);
      const row = isVerified ? withVerification(plain, tx.now) : plain;
      if (isVerified) {
        await updateVerification(tx, row);
        tx.signal(CHALLENGES_DUE);
      }
      const made = { ...toNotificationWebhook(row), secret };
      return caller.answer(tx, made, 200, withoutSecret(made, 'secret'));
    });
  }

  private full(): ApiError {
    const message = `You have reached the limit of ${this.config.endpointLimit} webhook endpoints. Delete an unused endpoint first.`;
    return new ApiError('ENDPOINT_LIMIT_EXCEEDED', message);
  }
}
