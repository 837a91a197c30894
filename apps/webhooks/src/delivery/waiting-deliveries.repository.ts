import { sql, type Queryable } from '@fundrail/persistence';

/** Waiting deliveries. `oldest` is the earliest due time, in business time; null when there are none. */
export interface Waiting {
  readonly waiting: number;
  readonly oldest: Date | null;
}

/**
 * Counts both kinds separately, up to 10,000 each: with a million waiting, the exact number does not matter. Endpoints are found through
 * their waiting deliveries, from one to the next in the index, at most 10,000. Endpoints without any are not visited.
 */
const waiting = sql(
  'webhook_deliveries.waiting',
  `WITH RECURSIVE visited AS (
     (SELECT webhook FROM webhook_deliveries WHERE due_at IS NOT NULL AND replay IS NULL ORDER BY webhook LIMIT 1)
     UNION ALL
     SELECT (SELECT d.webhook FROM webhook_deliveries d
              WHERE d.webhook > visited.webhook AND d.due_at IS NOT NULL AND d.replay IS NULL
              ORDER BY d.webhook LIMIT 1)
       FROM visited WHERE visited.webhook IS NOT NULL
   ), asked AS MATERIALIZED (
     SELECT w.id, w.failing_since IS NOT NULL AS failing
       FROM notification_webhooks w
      WHERE w.id = ANY (ARRAY(SELECT webhook FROM visited LIMIT 10000)) AND w.status = 'enabled' AND w.deleted_at IS NULL
         AND w.verification IN ('not_required', 'verified') AND (w.paused_until IS NULL OR w.paused_until <= $1))
   SELECT f.failing, counted.waiting, first.oldest
     FROM (VALUES (false), (true)) AS f (failing)
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS waiting
        FROM (SELECT 1 FROM asked w
               CROSS JOIN LATERAL (
                 SELECT 1 FROM webhook_deliveries
                  WHERE webhook = w.id AND due_at <= $1 AND replay IS NULL
                    AND (leased_until IS NULL OR leased_until <= $2)
                  LIMIT 10000) d
               WHERE w.failing = f.failing LIMIT 10000) due) counted
    CROSS JOIN LATERAL (
      SELECT min(d.due_at) AS oldest FROM asked w
       CROSS JOIN LATERAL (
         SELECT due_at FROM webhook_deliveries
          WHERE webhook = w.id AND due_at <= $1 AND replay IS NULL
            AND (leased_until IS NULL OR leased_until <= $2)
          ORDER BY due_at, id LIMIT 1) d
       WHERE w.failing = f.failing) first`,
);

const NONE: Waiting = { waiting: 0, oldest: null };

/** Deliveries that are due and not in progress, without replayed ones. */
export async function waitingDeliveries(
  tx: Queryable,
  now: Date,
  wallNow: Date,
): Promise<{ readonly well: Waiting; readonly failing: Waiting }> {
  const rows = await tx.query<Waiting & { readonly failing: boolean }>(waiting, [now, wallNow]);
  const of = (failing: boolean): Waiting => {
    const row = rows.find((one) => one.failing === failing);
    return row ? { waiting: row.waiting, oldest: row.oldest } : NONE;
  };
  return { well: of(false), failing: of(true) };
}
