import { firstIdAt } from '@fundrail/contracts';
import { insertRow, Rows, saveRow, sql, type Queryable, type Tx } from '@fundrail/persistence';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.table.ts';
import type { ReplayPending, ReplayProgress } from './webhook-replay.ts';
import { WEBHOOK_REPLAYS, type WebhookReplayRow } from './webhook-replay.table.ts';

// HOOK-26: the events of the last 30 days, by the wall clock.
const SHOWN = "interval '30 days'";
// Each type separately, and only by the index of types, so that a rare type is not searched for among all events.
const MATCHES = `e.tenant = $2 AND (e.type, e.occurred_at) >= (asked.type, $3) AND (e.type, e.occurred_at) <= (asked.type, $4)
      AND e.stored_at <= $6 AND e.stored_at > $6::timestamptz - ${SHOWN}`;
const ASKED = 'unnest($5::text[]) AS asked (type)';

const rows = new Rows(WEBHOOK_REPLAYS);
// The next $7 events of each type after a position. A type with fewer events is finished.
const countPiece = sql(
  'webhook_replays.count_piece',
  `SELECT asked.type, page.looked, page.matched, page.after_at, page.after_id
     FROM unnest($2::text[], $3::timestamptz[], $4::text[]) AS asked (type, after_at, after_id)
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS looked,
             count(*) FILTER (WHERE one.stored_at <= $6 AND one.stored_at > $6::timestamptz - ${SHOWN})::int AS matched,
             max(one.occurred_at)::text AS after_at,
             (array_agg(one.id ORDER BY one.occurred_at DESC, one.id DESC))[1] AS after_id
        FROM (SELECT e.occurred_at, e.id, e.stored_at FROM events e
               WHERE e.tenant = $1 AND (e.type, e.occurred_at, e.id) > (asked.type, asked.after_at, asked.after_id)
                 AND (e.type, e.occurred_at) <= (asked.type, $5)
               ORDER BY e.type, e.occurred_at, e.id LIMIT $7) one) page`,
);
const running = sql(
  'webhook_replays.running',
  "SELECT id FROM webhook_replays WHERE status = 'running' AND tenant = $1 AND webhook = $2 LIMIT 1",
);
const list = sql(
  'webhook_replays.list',
  'SELECT * FROM webhook_replays WHERE tenant = $1 AND webhook = $2 AND id < $3 ORDER BY id DESC LIMIT $4',
);
const cancel = sql(
  'webhook_replays.cancel',
  `UPDATE webhook_replays SET status = 'cancelled', completed_at = $3
    WHERE tenant = $1 AND webhook = $2 AND status = 'running'`,
);
const progress = sql(
  'webhook_replays.progress',
  `SELECT count(*) FILTER (WHERE status = 'delivered') AS delivered, count(*) FILTER (WHERE status = 'failed') AS failed
     FROM (SELECT status FROM webhook_deliveries WHERE replay = $1
           UNION ALL SELECT status FROM webhook_deliveries WHERE retried_of = $1) of_replay`,
);
// Counts only pending deliveries, because it runs for every window: counting ended ones would read half a million million rows for a
// million events.
const pendingOf = sql(
  'webhook_replays.pending',
  `SELECT count(*) AS pending, count(*) FILTER (WHERE tries = 0) AS untried
     FROM webhook_deliveries WHERE replay = $1 AND status = 'pending'`,
);
const PENDING = "webhook_deliveries d WHERE d.replay = r.id AND d.status = 'pending'";
// Runs often, also while a replay only waits for days. So counts stop at the limit that matters.
const moving = sql(
  'webhook_replays.moving',
  `SELECT r.id, r.tenant, r.webhook FROM webhook_replays r
    WHERE r.status = 'running'
      AND CASE WHEN r.all_made THEN NOT EXISTS (SELECT FROM ${PENDING})
          ELSE (SELECT count(*) FROM (SELECT FROM ${PENDING} AND d.tries = 0 LIMIT $1 + 1) untried) <= $1
           AND (SELECT count(*) FROM (SELECT FROM ${PENDING} LIMIT $2 + 1) pending) <= $2 END
    ORDER BY r.id LIMIT 1`,
);
// In order of their ids, because other statements lock several of them.
const giveUp = sql(
  'webhook_replays.give_up',
  `UPDATE webhook_deliveries
      SET status = 'failed', failure_code = 'replay_cancelled', due_at = NULL, lease_token = NULL, leased_until = NULL
    WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_deliveries WHERE replay = $1 AND status = 'pending' ORDER BY id FOR UPDATE))`,
);
const deliver = sql(
  'webhook_replays.deliver',
  `WITH next AS (
     SELECT one.*
       FROM ${ASKED} CROSS JOIN LATERAL (
              SELECT e.id, e.tenant, e.type, e.object_id, e.subject, e.sequence, e.occurred_at FROM events e
               WHERE ${MATCHES} AND (e.type, e.occurred_at, e.id) > (asked.type,
                       coalesce((SELECT last.occurred_at FROM events last WHERE last.tenant = $2 AND last.id = $7), $3), $7)
               ORDER BY e.type, e.occurred_at, e.id LIMIT $8) one
      ORDER BY one.occurred_at, one.id LIMIT $8
   ), made AS (
     INSERT INTO webhook_deliveries
       (id, tenant, webhook, event, type, object_id, subject, sequence, status, in_order, due_at, created_at, replay)
     SELECT 'whd_' || replace(uuidv7()::text, '-', ''), tenant, $9, id, type, object_id, subject, sequence, 'pending',
            false, $10, $10, $1 FROM next ORDER BY next.occurred_at, next.id
   )
   SELECT count(*) AS made, (array_agg(id ORDER BY occurred_at DESC, id DESC))[1] AS last_event FROM next`,
);

const oldestRunning = sql(
  'webhook_replays.oldest_running',
  "SELECT min(stored_before) AS stored_before FROM webhook_replays WHERE status = 'running'",
);
const removeOld = sql(
  'webhook_replays.remove_old',
  `DELETE FROM webhook_replays r
    WHERE r.id < $1 AND r.status <> 'running' AND (SELECT 1 FROM webhook_deliveries d WHERE d.replay = r.id LIMIT 1) IS NULL`,
);

const matches = (row: Omit<WebhookReplayRow, 'matched'>) => [
  row.id,
  row.tenant,
  row.from_at,
  row.to_at,
  row.types,
  row.stored_before,
];

/** The signal of commits that give a replay something to do. */
export const REPLAYS_DUE = 'due:webhook-replays';
/** The signal of commits that have made deliveries of replays; `DELIVERIES_DUE` comes with it, after it. */
export const REPLAYED_DUE = 'due:webhook-replayed';

export const insertReplay = insertRow(WEBHOOK_REPLAYS);

/** The number of events of one type that one statement counts. All types together take some tenths of a second (decision 0025). */
const COUNTED_AT_ONCE = 5_000;

interface CountedPiece {
  readonly type: string;
  readonly looked: number;
  readonly matched: number;
  readonly after_at: string;
  readonly after_id: string;
}

/** Counts the events that a replay has to send. A month may have millions of them, so they are counted in pieces. */
export async function countMatched(
  db: Queryable,
  row: Omit<WebhookReplayRow, 'matched'>,
  atOnce = COUNTED_AT_ONCE,
): Promise<number> {
  let matched = 0;
  let left = row.types.map((type) => ({ type, after_at: row.from_at.toISOString(), after_id: '' }));
  while (left.length > 0) {
    const pieces = await db.query<CountedPiece>(countPiece, [
      row.tenant,
      left.map(({ type }) => type),
      left.map((one) => one.after_at),
      left.map((one) => one.after_id),
      row.to_at,
      row.stored_before,
      atOnce,
    ]);
    matched += pieces.reduce((sum, piece) => sum + piece.matched, 0);
    left = pieces.filter(({ looked }) => looked === atOnce);
  }
  return matched;
}

/** The key of a replay: its id is valid only for its endpoint. */
export type ReplayKey = Pick<WebhookReplayRow, 'tenant' | 'webhook' | 'id'>;

export function findReplay(tx: Queryable, { tenant, webhook, id }: ReplayKey) {
  return rows.find(tx, { tenant, webhook, id });
}

/** Lock its endpoint first. */
export function lockReplay(tx: Tx, { tenant, webhook, id }: ReplayKey) {
  return rows.lock(tx, { tenant, webhook, id });
}

/** Whether a replay to the endpoint is running. The caller holds the lock of its row. */
export async function isReplaying(
  tx: Queryable,
  webhook: Pick<NotificationWebhookRow, 'id' | 'tenant'>,
): Promise<boolean> {
  return (await tx.query(running, [webhook.tenant, webhook.id])).length > 0;
}

/** Sorts after every id: ids continue in hexadecimal digits. */
const AFTER_ALL = 'whr_g';

/** Newest first. */
export async function listReplays(
  tx: Queryable,
  webhook: Pick<NotificationWebhookRow, 'id' | 'tenant'>,
  { limit, starting_after: after }: { readonly limit: number; readonly starting_after: string | undefined },
): Promise<WebhookReplayRow[]> {
  return tx.query<WebhookReplayRow>(list, [webhook.tenant, webhook.id, after ?? AFTER_ALL, limit]);
}

export const updateReplay = saveRow(WEBHOOK_REPLAYS, 'id');

/** Cancels the running replays of an endpoint. The caller holds the lock of its row. */
export async function cancelReplays(
  tx: Queryable,
  webhook: Pick<NotificationWebhookRow, 'id' | 'tenant'>,
  now: Date,
): Promise<void> {
  await tx.query(cancel, [webhook.tenant, webhook.id, now]);
}

export async function replayProgress(tx: Queryable, id: string): Promise<ReplayProgress> {
  const [row] = await tx.query<ReplayProgress>(progress, [id]);
  return row ?? { delivered: 0, failed: 0 };
}

/** Counts the replay's pending deliveries. */
export async function pendingOfReplay(tx: Queryable, id: string): Promise<ReplayPending> {
  const [row] = await tx.query<ReplayPending>(pendingOf, [id]);
  return row ?? { pending: 0, untried: 0 };
}

/** Gives up the replay's pending deliveries. Lock its endpoint and the replay first. */
export async function giveUpReplay(tx: Queryable, id: string): Promise<void> {
  await tx.query(giveUp, [id]);
}

/** Finds a running replay that has room for more deliveries (at most `most` pending), or whose last delivery has ended. */
export async function findMovingReplay(tx: Queryable, most: ReplayPending): Promise<ReplayKey | null> {
  const [row] = await tx.query<ReplayKey>(moving, [most.untried, most.pending]);
  return row ?? null;
}

/** Creates the next deliveries of a replay, oldest event first, due now and outside the order of their objects. */
export async function insertReplayDeliveries(
  tx: Queryable,
  row: WebhookReplayRow,
  { most, now }: { readonly most: number; readonly now: Date },
): Promise<{ readonly made: number; readonly last_event: string | null }> {
  const values = [...matches(row), row.last_event, most, row.webhook, now];
  const [batch] = await tx.query<{ made: number; last_event: string | null }>(deliver, values);
  return batch ?? { made: 0, last_event: null };
}

/** The wall time at which the oldest running replay was requested, over all tenants; null when none runs. */
export async function oldestRunningReplay(tx: Queryable): Promise<Date | null> {
  const [row] = await tx.query<{ stored_before: Date | null }>(oldestRunning);
  return row?.stored_before ?? null;
}

/** Deletes ended replays that were requested before a wall time and have no deliveries left. */
export async function removeOldReplays(tx: Queryable, before: Date): Promise<void> {
  await tx.query(removeOld, [firstIdAt('webhookReplay', before)]);
}
