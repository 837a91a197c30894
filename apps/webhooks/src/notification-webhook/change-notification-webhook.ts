import {
  ApiError,
  found,
  type ChangeNotificationWebhookDto,
  type NotificationWebhookDto,
} from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { assertNoBacklog } from '../delivery/give-up-backlog.ts';
import { startHastening } from '../delivery/hasten-backlog.ts';
import { endDeliveries } from './end-deliveries.ts';
import { WebhookTarget } from '../target/webhook-target.ts';
import { CHALLENGES_DUE } from '../verification/challenge.repository.ts';
import { TenantPolicy } from '../verification/tenant-policy.ts';
import { isUnverified, withoutVerification, withVerification } from '../verification/verification.ts';
import { changedNotificationWebhook, toNotificationWebhook } from './notification-webhook.ts';
import type { NotificationWebhookRow } from './notification-webhook.table.ts';
import {
  findWebhook,
  lockWebhook,
  updateVerification,
  updateWebhook,
} from './notification-webhook.repository.ts';

/**
 * `PUT /v2/notification_webhooks/:id`. Disabling fails pending deliveries (HOOK-23). A new URL makes them due, because the old URL's
 * failures do not count for it. If the tenant's endpoints are verified, they wait until the new URL is verified. Throws NOT_FOUND,
 * `ValidationFailed` for the URL, or SERVICE_UNAVAILABLE when the endpoint is to be enabled while old deliveries are still being given
 * up, or when the verification setting cannot be read.
 */
@Injectable()
export class ChangeNotificationWebhook {
  constructor(
    private readonly database: Database,
    private readonly target: WebhookTarget,
    private readonly policy: TenantPolicy,
  ) {}

  async execute(
    tenant: string,
    id: string,
    changes: ChangeNotificationWebhookDto,
  ): Promise<NotificationWebhookDto> {
    const isVerified = changes.url === undefined ? null : await this.checkUrl(tenant, id, changes.url);
    return this.database.transaction(async (tx) => {
      const row = found(await lockWebhook(tx, tenant, id));
      const plain = changedNotificationWebhook(row, changes, tx.now);
      await updateWebhook(tx, plain);
      const changed = plain.url === row.url ? plain : await this.withNewUrl(tx, plain, isVerified);
      if (changed.status === 'disabled') await endDeliveries(tx, changed);
      else if (row.status === 'disabled') await assertNoBacklog(tx, row);
      else if (changed.url !== row.url && !isUnverified(changed))
        await startHastening(tx, changed, { again: true });
      if (changed.challenge_due_at !== null) tx.signal(CHALLENGES_DUE);
      return toNotificationWebhook(changed);
    });
  }

  /**
   * Whether the URL has to be verified. Returns null for the endpoint's current URL, which is not checked: its host may no longer
   * resolve, and the PUT may be there to disable the endpoint.
   */
  private async checkUrl(tenant: string, id: string, url: string): Promise<boolean | null> {
    const row = found(await findWebhook(this.database, tenant, id));
    if (row.url === url) return null;
    await this.target.check(url);
    return this.policy.verifiesEndpoints(tenant);
  }

  private async withNewUrl(
    tx: Tx,
    row: NotificationWebhookRow,
    isVerified: boolean | null,
  ): Promise<NotificationWebhookRow> {
    // Another request has changed the URL since this one read it.
    if (isVerified === null)
      throw new ApiError(
        'SERVICE_UNAVAILABLE',
        'The URL was changed by another request. Retry the request.',
        [],
        1,
      );
    const changed = isVerified ? withVerification(row, tx.now) : withoutVerification(row, tx.now);
    await updateVerification(tx, changed);
    return changed;
  }
}
