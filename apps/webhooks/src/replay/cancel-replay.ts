import { found, type WebhookReplayDto } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { lockWebhook } from '../notification-webhook/notification-webhook.repository.ts';
import { cancelledReplay, toWebhookReplay } from './webhook-replay.ts';
import {
  giveUpReplay,
  lockReplay,
  replayProgress,
  updateReplay,
  type ReplayKey,
} from './webhook-replay.repository.ts';

/**
 * `POST …/:id/replays/:replay/cancel`: creates no more deliveries, and gives up those not delivered yet. One in progress may still arrive
 * and is then counted. Throws NOT_FOUND, or ILLEGAL_TRANSITION when the replay has ended.
 */
@Injectable()
export class CancelReplay {
  constructor(private readonly database: Database) {}

  execute(caller: Caller, key: ReplayKey): Promise<WebhookReplayDto> {
    return this.database.transaction(async (tx) => {
      // Locks the endpoint before the replay, as everywhere.
      await lockWebhook(tx, key.tenant, key.webhook);
      const row = found(await lockReplay(tx, key));
      const cancelled = cancelledReplay(row, tx.now);
      await updateReplay(tx, cancelled);
      await giveUpReplay(tx, row.id);
      return caller.answer(tx, toWebhookReplay(cancelled, await replayProgress(tx, row.id)));
    });
  }
}
