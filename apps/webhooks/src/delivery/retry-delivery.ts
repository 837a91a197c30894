import { found, type WebhookDeliveryDto } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { lockWebhook, updateHealth } from '../notification-webhook/notification-webhook.repository.ts';
import { assertOpen } from '../verification/verification.ts';
import { listAttempts } from './attempt.repository.ts';
import { letsNextGo, retriedDelivery, toWebhookDelivery } from './delivery.ts';
import {
  DELIVERIES_DUE,
  findDelivery,
  letNextDeliveryGo,
  lockDeliveryOfOrder,
  updateDelivery,
} from './delivery.repository.ts';

/** `POST /v2/webhook_deliveries/:id/retry`. Throws NOT_FOUND, or ILLEGAL_TRANSITION while the endpoint is disabled or unverified. */
@Injectable()
export class RetryDelivery {
  constructor(private readonly database: Database) {}

  async execute(caller: Caller, id: string): Promise<WebhookDeliveryDto> {
    const { tenant } = caller;
    return this.database.transaction(async (tx) => {
      const known = found(await findDelivery(tx, tenant, id));
      const webhook = found(await lockWebhook(tx, tenant, known.webhook));
      const row = found(await lockDeliveryOfOrder(tx, known));
      assertOpen(webhook);
      const retried = retriedDelivery(row, tx.now);
      await updateDelivery(tx, retried);
      if (letsNextGo(row, retried)) await letNextDeliveryGo(tx, row, tx.now);
      if (webhook.paused_until) await updateHealth(tx, { ...webhook, paused_until: null });
      tx.signal(DELIVERIES_DUE);
      return caller.answer(tx, toWebhookDelivery(retried, await listAttempts(tx, tenant, [row])));
    });
  }
}
