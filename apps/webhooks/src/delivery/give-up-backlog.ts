import { ApiError } from '@fundrail/contracts';
import { Database, type Tx } from '@fundrail/service-kit/db';
import { HandlesDue, scheduleDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.entity.ts';
import { lockEndedWebhook } from '../notification-webhook/notification-webhook.repository.ts';
import { giveUpPending, hasPendingDeliveries } from './backlog.repository.ts';

const GIVE_UP = 'webhook.give_up';
/** Looks of one run: they end before the lease of the work does. */
const MOST_LOOKS = 20;
/** Until what somebody else holds is looked at again, in business time. */
const HELD_MS = 1_000;
/**
 * An event that was being stored when its endpoint was disabled may have seen it enabled. A statement is given up after 10 s
 * (decision 0025), so that after a minute there is none left.
 */
const SETTLED_MS = 60_000;

/**
 * Gives up what is on its way to an endpoint that is disabled or removed (contract §10): some at once, the rest by due work. The
 * caller holds the lock of its row.
 */
export async function beginGivingUp(tx: Tx, webhook: NotificationWebhookRow): Promise<void> {
  await giveUpPending(tx, webhook);
  await scheduleDue(tx, { kind: GIVE_UP, key: webhook.id, tenant: webhook.tenant, due_at: tx.now });
}

/**
 * Throws `ApiError` SERVICE_UNAVAILABLE while a delivery from before an endpoint was disabled waits: enabled, it would send that, and
 * contract §10 has it start from now. The caller holds the lock of its row.
 */
export async function needsNoBacklog(tx: Tx, disabled: NotificationWebhookRow): Promise<void> {
  await giveUpPending(tx, disabled);
  if (!(await hasPendingDeliveries(tx, disabled))) return;
  const message = 'What waited when the endpoint was disabled is still being given up; ask again.';
  throw new ApiError('SERVICE_UNAVAILABLE', message, [], 1);
}

/** Goes on giving up, and looks once more when no event from before can come any more. */
@Injectable()
export class GiveUpBacklog {
  constructor(private readonly database: Database) {}

  @HandlesDue(GIVE_UP)
  async execute({ tenant, key }: DueWork): Promise<DueResult> {
    let after = '';
    for (let look = 0; look < MOST_LOOKS; look += 1) {
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
  // Whoever holds the others has ended by the next look.
  if (await hasPendingDeliveries(tx, webhook))
    return { last: '', result: { again: new Date(tx.now.getTime() + HELD_MS) } };
  const ended = webhook.deleted_at ?? webhook.disabled_at ?? webhook.updated_at;
  const settled = new Date(ended.getTime() + SETTLED_MS);
  return { last: '', result: tx.now >= settled ? 'done' : { again: settled } };
}
