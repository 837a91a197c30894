import { ApiError, newId, type CreateWebhookReplayDto, type WebhookReplayDto } from '@fundrail/contracts';
import type { Queryable } from '@fundrail/persistence';
import { Clock, Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.table.ts';
import { findWebhook, lockWebhook } from '../notification-webhook/notification-webhook.repository.ts';
import { assertOpen } from '../verification/verification.ts';
import { newReplay, toWebhookReplay } from './webhook-replay.ts';
import { countMatched, insertReplay, isReplaying, REPLAYS_DUE } from './webhook-replay.repository.ts';

const ACCEPTED = 202;
const ONE_AT_A_TIME = 'A replay to this endpoint is already running. Wait until it has ended or cancel it.';

/**
 * `POST /v2/notification_webhooks/:id/replay`: counts the matching events; `ReplayLane` sends them. Counting may take seconds, so it
 * happens before the endpoint is locked. Throws NOT_FOUND, `ValidationFailed` for the range, or ILLEGAL_TRANSITION while the endpoint is
 * disabled or unverified, or another replay runs.
 */
@Injectable()
export class StartReplay {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute(caller: Caller, webhookId: string, input: CreateWebhookReplayDto): Promise<WebhookReplayDto> {
    const { tenant } = caller;
    const webhook = await freeOne(this.database, await findWebhook(this.database, tenant, webhookId));
    const given = {
      id: newId('webhookReplay'),
      now: await this.database.now(),
      wallNow: this.clock.now(),
    };
    const replay = newReplay(webhook, input, given);
    const row = { ...replay, matched: await countMatched(this.database, replay) };
    return this.database.transaction(async (tx) => {
      await freeOne(tx, await lockWebhook(tx, tenant, webhookId));
      await insertReplay(tx, row);
      tx.signal(REPLAYS_DUE);
      const nothingYet = { delivered: 0, failed: 0 };
      return caller.answer(tx, toWebhookReplay(row, nothingYet), ACCEPTED);
    });
  }
}

/** The endpoint, if a replay to it may start. */
async function freeOne(
  tx: Queryable,
  webhook: NotificationWebhookRow | null,
): Promise<NotificationWebhookRow> {
  if (!webhook) throw new ApiError('NOT_FOUND');
  assertOpen(webhook);
  if (await isReplaying(tx, webhook)) throw new ApiError('ILLEGAL_TRANSITION', ONE_AT_A_TIME);
  return webhook;
}
