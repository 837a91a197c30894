import { ApiError } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, scheduleDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.table.ts';
import { lockEndedWebhook } from '../notification-webhook/notification-webhook.repository.ts';
import { giveUpPending, hasPendingDeliveries } from './backlog.repository.ts';

const GIVE_UP = 'webhook.give_up';
/** The batches of one run: they end before the lease of the due work expires. */
const MOST_BATCHES = 20;
/** Business time until locked deliveries are checked again. */
const HELD_MS = 1_000;
/**
 * A transaction that was storing an event when its endpoint was disabled may have read it as enabled. Statements time out after 10 s
 * (decision 0025), so after a minute none is left.
 */
const SETTLED_MS = 60_000;

/**
 * Gives up the pending deliveries of a disabled or deleted endpoint (HOOK-23): a first batch now, the rest by due work. The caller holds
 * the lock of its row.
 */
export async function startGivingUp(tx: Tx, webhook: NotificationWebhookRow): Promise<void> {
  await giveUpPending(tx, webhook);
  await scheduleDue(tx, { kind: GIVE_UP, key: webhook.id, tenant: webhook.tenant, due_at: tx.now });
}

/**
 * Throws `ApiError` SERVICE_UNAVAILABLE while a delivery from before the endpoint was disabled is still pending. If the endpoint were
 * enabled, that delivery would be sent, but HOOK-23 requires a start from now. The caller holds the lock of its row.
 */
export async function assertNoBacklog(tx: Tx, disabled: NotificationWebhookRow): Promise<void> {
  await giveUpPending(tx, disabled);
  if (!(await hasPendingDeliveries(tx, disabled))) return;
  const message = 'Pending deliveries of the disabled endpoint are still being cancelled. Retry the request.';
  throw new ApiError('SERVICE_UNAVAILABLE', message, [], 1);
}

/** Continues giving up, and checks once more when no event from before the change can arrive any more. */
@Injectable()
export class GiveUpBacklog {
  constructor(private readonly database: Database) {}

  @HandlesDue(GIVE_UP)
  async execute({ tenant, key }: DueWork): Promise<DueResult> {
    let after = '';
    for (let look = 0; look < MOST_BATCHES; look += 1) {
      const { last, result } = await this.database.transaction((tx) => lookOnce(tx, tenant, key, after));
      if (result) return result;
      after = last;
    }
    return { again: await this.database.now() };
  }
}

async function lookOnce(
  tx: Tx,
  tenant: string,
  id: string,
  after: string,
): Promise<{ readonly last: string; readonly result: DueResult | null }> {
  const webhook = await lockEndedWebhook(tx, tenant, id);
  if (!webhook) return { last: '', result: 'done' };
  const { count, last } = await giveUpPending(tx, webhook, after);
  if (count > 0) return { last, result: null };
  // The transactions that hold the others will have ended by the next check.
  if (await hasPendingDeliveries(tx, webhook))
    return { last: '', result: { again: new Date(tx.now.getTime() + HELD_MS) } };
  const ended = webhook.deleted_at ?? webhook.disabled_at ?? webhook.updated_at;
  const settled = new Date(ended.getTime() + SETTLED_MS);
  return { last: '', result: tx.now >= settled ? 'done' : { again: settled } };
}
