import { ApiError, newId, type CreateWebhookReplayDto, type WebhookReplayDto } from '@fundrail/contracts';
import { Clock, Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { needsEnabled } from '../delivery/delivery.ts';
import { lockWebhook } from '../notification-webhook/notification-webhook.repository.ts';
import { newReplay, toWebhookReplay } from './webhook-replay.ts';
import { insertReplay, isReplaying } from './webhook-replay.repository.ts';

const ACCEPTED = 202;
const ONE_AT_A_TIME = 'A replay to this endpoint is running; another may start when it has ended.';

/**
 * `POST /v2/notification_webhooks/:id/replay`: counts what matches, and leaves the sending to `ReplayLane`. Throws NOT_FOUND,
 * `ValidationFailed` for the range, or ILLEGAL_TRANSITION while the endpoint is disabled or another replay runs.
 */
@Injectable()
export class StartReplay {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  execute(caller: Caller, webhookId: string, input: CreateWebhookReplayDto): Promise<WebhookReplayDto> {
    return this.database.transaction(async (tx) => {
      const webhook = await lockWebhook(tx, caller.tenant, webhookId);
      if (!webhook) throw new ApiError('NOT_FOUND');
      needsEnabled(webhook);
      if (await isReplaying(tx, webhook)) throw new ApiError('ILLEGAL_TRANSITION', ONE_AT_A_TIME);
      const given = { id: newId('webhookReplay'), now: tx.now, wallNow: this.clock.now() };
      const replay = await insertReplay(tx, newReplay(webhook, input, given));
      tx.signal('due');
      const nothingYet = { delivered: 0, failed: 0 };
      return caller.answer(tx, toWebhookReplay(replay, nothingYet), ACCEPTED);
    });
  }
}
