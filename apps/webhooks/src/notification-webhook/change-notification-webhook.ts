import {
  ApiError,
  type ChangeNotificationWebhookDto,
  type NotificationWebhookDto,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { needsNoBacklog } from '../delivery/give-up-backlog.ts';
import { beginHastening } from '../delivery/hasten-backlog.ts';
import { endDeliveries } from './end-deliveries.ts';
import { WebhookTarget } from '../target/webhook-target.ts';
import { changedNotificationWebhook, toNotificationWebhook } from './notification-webhook.ts';
import { findWebhook, lockWebhook, updateWebhook } from './notification-webhook.repository.ts';

/**
 * `PUT /v2/notification_webhooks/:id`. Disabling fails what waits (contract §10), another URL
 * makes it due: what the old one answered says nothing of it. Throws NOT_FOUND, `ValidationFailed` for the URL, or SERVICE_UNAVAILABLE
 * when it is to be enabled while what waited before is being given up.
 */
@Injectable()
export class ChangeNotificationWebhook {
  constructor(
    private readonly database: Database,
    private readonly target: WebhookTarget,
  ) {}

  async execute(
    tenant: string,
    id: string,
    changes: ChangeNotificationWebhookDto,
  ): Promise<NotificationWebhookDto> {
    if (changes.url !== undefined) await this.checkUrl(tenant, id, changes.url);
    return this.database.transaction(async (tx) => {
      const row = await lockWebhook(tx, tenant, id);
      if (!row) throw new ApiError('NOT_FOUND');
      const changed = changedNotificationWebhook(row, changes, tx.now);
      await updateWebhook(tx, changed);
      if (changed.status === 'disabled') await endDeliveries(tx, changed);
      else if (row.status === 'disabled') await needsNoBacklog(tx, row);
      else if (changed.url !== row.url) await beginHastening(tx, changed, { again: true });
      return toNotificationWebhook(changed);
    });
  }

  /** One that the endpoint has already is taken as it is: its host may be gone, and the PUT be there to disable it. */
  private async checkUrl(tenant: string, id: string, url: string): Promise<void> {
    const row = await findWebhook(this.database, tenant, id);
    if (!row) throw new ApiError('NOT_FOUND');
    if (row.url !== url) await this.target.check(url);
  }
}
