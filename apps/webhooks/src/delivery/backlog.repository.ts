import { sql, type Queryable } from '@fundrail/service-kit/db';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.entity.ts';

/**
 * How many deliveries one statement changes: some tens of milliseconds. An endpoint that was dead for days has a million of them,
 * and whoever stores an event of it would wait for them all (decision 0025).
 */
export const BACKLOG_BATCH = 1_000;

// What somebody else holds is left to the next look: an event that is being stored may hold what it waits behind.
const giveUp = sql(
  'webhook_deliveries.give_up',
  `WITH waiting AS MATERIALIZED (
     SELECT id FROM webhook_deliveries
      WHERE tenant = $1 AND webhook = $2 AND status = 'pending' AND id > $4
      ORDER BY id LIMIT $5 FOR UPDATE SKIP LOCKED
   ), given_up AS (
     UPDATE webhook_deliveries
        SET status = 'failed', failure_code = $3, due_at = NULL, lease_token = NULL, leased_until = NULL
      WHERE id = ANY (ARRAY(SELECT id FROM waiting))
   )
   SELECT count(*)::int AS count, max(id) AS last FROM waiting`,
);
const hasPending = sql(
  'webhook_deliveries.has_pending',
  `SELECT EXISTS (SELECT FROM webhook_deliveries WHERE tenant = $1 AND webhook = $2 AND status = 'pending') AS pending`,
);
// Replayed ones are asked for by their replay: no index has them among those of their endpoint that are due at a time.
const hasten = sql(
  'webhook_deliveries.hasten',
  `WITH waiting AS MATERIALIZED (
     (SELECT id FROM webhook_deliveries
       WHERE webhook = $1 AND due_at > $2 AND replay IS NULL AND ($3 OR planned_at IS NULL)
       ORDER BY due_at, id LIMIT $4)
     UNION ALL
     (SELECT d.id FROM webhook_replays r JOIN webhook_deliveries d ON d.replay = r.id
       WHERE r.webhook = $1 AND r.status = 'running' AND d.status = 'pending' AND d.due_at > $2 AND ($3 OR d.planned_at IS NULL)
       LIMIT $4)
   ), hastened AS (
     UPDATE webhook_deliveries SET planned_at = due_at, due_at = $2
      WHERE id = ANY (ARRAY(SELECT id FROM waiting)) AND webhook = $1 AND due_at > $2 AND ($3 OR planned_at IS NULL)
   )
   SELECT count(*)::int AS count FROM waiting`,
);

/** What a look gave up: how many, and the last of them; '' when there was none. */
export interface GivenUp {
  readonly count: number;
  readonly last: string;
}

/** Gives up deliveries to an endpoint that is disabled or removed: `BACKLOG_BATCH` at most, of those after `after`. */
export async function giveUpPending(
  tx: Queryable,
  webhook: NotificationWebhookRow,
  after = '',
): Promise<GivenUp> {
  const code = webhook.deleted_at === null ? 'endpoint_disabled' : 'endpoint_deleted';
  const [row] = await tx.query<{ count: number; last: string | null }>(giveUp, [
    webhook.tenant,
    webhook.id,
    code,
    after,
    BACKLOG_BATCH,
  ]);
  return { count: row?.count ?? 0, last: row?.last ?? '' };
}

/** Whether a delivery to that endpoint is neither delivered nor given up. */
export async function hasPendingDeliveries(
  tx: Queryable,
  webhook: Pick<NotificationWebhookRow, 'tenant' | 'id'>,
): Promise<boolean> {
  const [row] = await tx.query<{ pending: boolean }>(hasPending, [webhook.tenant, webhook.id]);
  return row?.pending ?? false;
}

/**
 * Makes what waits for an endpoint due, its planned times kept: `BACKLOG_BATCH` at most, and as many that are replayed. A delivery that
 * was hastened and failed waits for its planned time (`again`: it does not). Answers how many it found.
 */
export async function hastenWaiting(
  tx: Queryable,
  webhook: Pick<NotificationWebhookRow, 'id'>,
  { now, again }: { readonly now: Date; readonly again: boolean },
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(hasten, [webhook.id, now, again, BACKLOG_BATCH]);
  return row?.count ?? 0;
}
