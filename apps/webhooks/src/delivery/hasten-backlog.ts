import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, scheduleDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.table.ts';
import { lockWebhook } from '../notification-webhook/notification-webhook.repository.ts';
import { BACKLOG_BATCH, hastenWaiting } from './backlog.repository.ts';
import { DELIVERIES_DUE } from './delivery.repository.ts';

/** The key is the endpoint's id. */
const HASTEN = 'webhook.hasten';
/** Includes deliveries that were hastened before. */
const HASTEN_AGAIN = 'webhook.hasten_again';
/** The batches of one run: they end before the lease of the due work expires. */
const MOST_BATCHES = 20;

/**
 * Makes an endpoint's waiting deliveries due now and stores their planned times (HOOK-22): a first batch now, the rest by due work. A
 * delivery that was already hastened and failed keeps its planned time, unless `again` is set. The caller holds the lock of the
 * endpoint's row.
 */
export async function startHastening(
  tx: Tx,
  webhook: NotificationWebhookRow,
  { again = false }: { readonly again?: boolean } = {},
): Promise<void> {
  tx.signal(DELIVERIES_DUE);
  if ((await hastenWaiting(tx, webhook, { now: tx.now, again })) < BACKLOG_BATCH) return;
  const kind = again ? HASTEN_AGAIN : HASTEN;
  await scheduleDue(tx, { kind, key: webhook.id, tenant: webhook.tenant, due_at: tx.now });
}

/** Continues until no delivery is left or the endpoint fails again. Its next success then starts this again. */
@Injectable()
export class HastenBacklog {
  constructor(private readonly database: Database) {}

  @HandlesDue(HASTEN)
  hasten(work: DueWork): Promise<DueResult> {
    return this.hastenAll(work, false);
  }

  @HandlesDue(HASTEN_AGAIN)
  hastenAgain(work: DueWork): Promise<DueResult> {
    return this.hastenAll(work, true);
  }

  private async hastenAll({ tenant, key }: DueWork, again: boolean): Promise<DueResult> {
    for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
      const count = await this.database.transaction((tx) => hastenSome(tx, tenant, key, again));
      if (count < BACKLOG_BATCH) return 'done';
    }
    return { again: await this.database.now() };
  }
}

async function hastenSome(tx: Tx, tenant: string, id: string, again: boolean): Promise<number> {
  const webhook = await lockWebhook(tx, tenant, id);
  if (webhook?.status !== 'enabled' || webhook.failing_since !== null) return 0;
  const count = await hastenWaiting(tx, webhook, { now: tx.now, again });
  if (count > 0) tx.signal(DELIVERIES_DUE);
  return count;
}
