import { sql, type Queryable } from '@fundrail/persistence';
import type { DeliveryRow } from './delivery.table.ts';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.table.ts';

/**
 * The number of deliveries that one statement changes, which takes some tens of milliseconds. An endpoint that was down for days has a
 * million of them, and storing an event for it would wait for all of them (decision 0025).
 */
export const BACKLOG_BATCH = 1_000;

// A delivery that another transaction holds waits for the next check: an event that is being stored may lock the delivery before it.
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
// Replayed deliveries are selected by their replay: no index has them with their endpoint's due deliveries.
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

/** The result of a batch: how many deliveries were given up, and the last of them; '' when there was none. */
interface GivenUp {
  readonly count: number;
  readonly last: string;
}

/**
 * Gives up deliveries to an endpoint that is disabled, deleted or has failed its verification: at most `BACKLOG_BATCH` of those after
 * `after`.
 */
export async function giveUpPending(
  tx: Queryable,
  webhook: NotificationWebhookRow,
  after = '',
): Promise<GivenUp> {
  const [row] = await tx.query<{ count: number; last: string | null }>(giveUp, [
    webhook.tenant,
    webhook.id,
    codeOf(webhook),
    after,
    BACKLOG_BATCH,
  ]);
  return { count: row?.count ?? 0, last: row?.last ?? '' };
}

function codeOf({ deleted_at, status }: NotificationWebhookRow): NonNullable<DeliveryRow['failure_code']> {
  if (deleted_at !== null) return 'endpoint_deleted';
  return status === 'disabled' ? 'endpoint_disabled' : 'endpoint_unverified';
}

/** Whether the endpoint has a pending delivery. */
export async function hasPendingDeliveries(
  tx: Queryable,
  webhook: Pick<NotificationWebhookRow, 'tenant' | 'id'>,
): Promise<boolean> {
  const [row] = await tx.query<{ pending: boolean }>(hasPending, [webhook.tenant, webhook.id]);
  return row?.pending ?? false;
}

/**
 * Makes an endpoint's waiting deliveries due and stores their planned times: at most `BACKLOG_BATCH`, and as many replayed ones. A
 * delivery that was already hastened and failed keeps its planned time, unless `again` is set. Returns how many it found.
 */
export async function hastenWaiting(
  tx: Queryable,
  webhook: Pick<NotificationWebhookRow, 'id'>,
  { now, again }: { readonly now: Date; readonly again: boolean },
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(hasten, [webhook.id, now, again, BACKLOG_BATCH]);
  return row?.count ?? 0;
}
