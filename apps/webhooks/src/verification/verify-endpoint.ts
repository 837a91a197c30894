import { found, type NotificationWebhookDto } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Clock, Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { assertEnabled } from '../delivery/delivery.ts';
import { startHastening } from '../delivery/hasten-backlog.ts';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.table.ts';
import { toNotificationWebhook } from '../notification-webhook/notification-webhook.ts';
import { lockWebhook, updateVerification } from '../notification-webhook/notification-webhook.repository.ts';
import { CHALLENGES_DUE, challengesSince } from './challenge.repository.ts';
import { TenantPolicy } from './tenant-policy.ts';
import {
  challengedAgain,
  CHALLENGE_WINDOW_MS,
  challengeWait,
  hostOf,
  isUnverified,
  assertNoWait,
  withoutVerification,
} from './verification.ts';

/**
 * `POST /v2/notification_webhooks/:id/verify`: sends the endpoint a new challenge. Does nothing if it is verified or a challenge is in
 * progress. While the tenant's setting is off, a pending endpoint is released. Throws NOT_FOUND, ILLEGAL_TRANSITION while it is disabled,
 * RATE_LIMITED, or SERVICE_UNAVAILABLE when the setting cannot be read.
 */
@Injectable()
export class VerifyEndpoint {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly policy: TenantPolicy,
  ) {}

  async execute(caller: Caller, id: string): Promise<NotificationWebhookDto> {
    const isOn = await this.policy.verifiesEndpoints(caller.tenant);
    return this.database.transaction(async (tx) => {
      const row = found(await lockWebhook(tx, caller.tenant, id));
      assertEnabled(row);
      const after = isOn ? await this.again(tx, row) : await release(tx, row);
      return caller.answer(tx, toNotificationWebhook(after));
    });
  }

  private async again(tx: Tx, row: NotificationWebhookRow): Promise<NotificationWebhookRow> {
    const wallNow = this.clock.now();
    const after = challengedAgain(row, tx.now, wallNow);
    if (!after) return row;
    const since = new Date(wallNow.getTime() - CHALLENGE_WINDOW_MS);
    const sent = await challengesSince(tx, row.tenant, since);
    assertNoWait(challengeWait(sent, { webhook: row.id, host: hostOf(row.url) }, wallNow));
    await updateVerification(tx, after);
    tx.signal(CHALLENGES_DUE);
    return after;
  }
}

async function release(tx: Tx, row: NotificationWebhookRow): Promise<NotificationWebhookRow> {
  if (!isUnverified(row)) return row;
  const after = withoutVerification(row, tx.now);
  await updateVerification(tx, after);
  await startHastening(tx, after, { again: true });
  return after;
}
