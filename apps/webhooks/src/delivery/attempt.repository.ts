import { columnArrays, insertRow, sql, type Queryable } from '@fundrail/persistence';
import { DELIVERY_ATTEMPTS, type AttemptRow } from './attempt.table.ts';
import type { DeliveryRow } from './delivery.table.ts';
import { IS_HELD, OTHERS_ARE_HELD } from './delivery.repository.ts';

const insert = insertRow(DELIVERY_ATTEMPTS);
const list = sql(
  'delivery_attempts.list',
  'SELECT * FROM delivery_attempts WHERE tenant = $1 AND delivery = ANY($2) ORDER BY id',
);
/**
 * Applies successes to their deliveries (`afterAttempt`) and to the next deliveries of their objects, if they do not change the endpoint.
 * It never waits for a lock, so groups cannot wait for each other. A delivery that another transaction holds is recorded by the slow
 * path. So is a row that has changed since this statement read it: otherwise a delivery held behind it meanwhile would never be released.
 * The commit is asynchronous. A server crash may lose it, and then the delivery is made twice, as after any crash; later commits are lost
 * with it. Deliveries are looked up by arrays, so that the plan does not depend on the estimated size of a group.
 */
const insertOfSuccesses = sql(
  'delivery_attempts.insert_successes',
  `WITH async_commit AS MATERIALIZED (
     SELECT set_config('synchronous_commit', 'off', true) AS off
   ), seen AS MATERIALIZED (
     SELECT d.id, d.tenant, d.webhook, d.status, d.in_order, d.followers FROM webhook_deliveries d WHERE d.id = ANY($2::text[])
   ), well AS MATERIALIZED (
     SELECT w.id, w.tenant FROM notification_webhooks w
      WHERE w.id = ANY($3::text[]) AND w.tenant = ANY($1::text[]) AND w.deleted_at IS NULL AND w.failing_since IS NULL
   ), free AS MATERIALIZED (
     SELECT d.id, d.webhook, d.subject, d.status = 'pending' AND d.in_order AND d.followers > 0 AS lets_next_go
       FROM webhook_deliveries d JOIN seen ON seen.id = d.id
      WHERE d.id = ANY (ARRAY(SELECT seen.id FROM seen JOIN well ON well.id = seen.webhook AND well.tenant = seen.tenant))
        AND d.status = seen.status AND d.in_order = seen.in_order AND d.followers = seen.followers
        FOR UPDATE OF d SKIP LOCKED
   ), held AS MATERIALIZED (
     SELECT free.id AS behind, first.id
       FROM free CROSS JOIN LATERAL (
              SELECT h.id FROM webhook_deliveries h
               WHERE h.webhook = free.webhook AND h.subject = free.subject AND h.status = 'pending' AND h.due_at IS NULL
               ORDER BY h.sequence LIMIT 1) first
      WHERE free.lets_next_go
   ), next AS MATERIALIZED (
     SELECT n.id, held.behind FROM webhook_deliveries n JOIN held ON held.id = n.id
      WHERE n.id = ANY (ARRAY(SELECT id FROM held)) AND ${IS_HELD}
        FOR UPDATE OF n SKIP LOCKED
   ), ended AS (
     UPDATE webhook_deliveries d SET status = 'delivered', failure_code = NULL, due_at = NULL, lease_token = NULL, leased_until = NULL
      WHERE d.id = ANY (ARRAY(SELECT id FROM free WHERE NOT lets_next_go OR id IN (SELECT behind FROM next)))
     RETURNING d.id
   ), following AS (
     UPDATE webhook_deliveries n SET due_at = $4, followers = n.followers + ${OTHERS_ARE_HELD}
      WHERE n.id = ANY (ARRAY(SELECT id FROM next))
   )
   -- The columns in the order of the values below, not of their declaration.
   INSERT INTO delivery_attempts
     (tenant, delivery, at, stored_at, url, webhook_timestamp, status, duration_ms, error, response_body)
   SELECT a.tenant, a.delivery, $4, $5, a.url, a.webhook_timestamp, a.status, a.duration_ms, a.error, a.response_body
     FROM async_commit CROSS JOIN unnest($1::text[], $2::text[], $6::int[], $7::int[], $8::text[], $9::text[], $10::text[], $11::bigint[])
                             AS a (tenant, delivery, status, duration_ms, error, response_body, url, webhook_timestamp)
    WHERE async_commit.off = 'off' AND a.delivery IN (SELECT id FROM ended)
   RETURNING delivery`,
);

export async function insertAttempt(tx: Queryable, tenant: string, row: AttemptRow): Promise<void> {
  await insert(tx, { tenant, ...row });
}

/** A success of a leased delivery. */
export interface Success extends Pick<DeliveryRow, 'tenant' | 'webhook'> {
  readonly attempt: Omit<AttemptRow, 'at' | 'stored_at'>;
}

/**
 * Stores successes and their consequences in one statement with its own commit; most attempts are successes. Returns for each whether it
 * was stored. False means that nothing was done, because the endpoint is not known to be healthy or the delivery changes concurrently.
 */
export async function insertSuccesses(
  database: Queryable,
  successes: readonly Success[],
  { at, stored_at }: Pick<AttemptRow, 'at' | 'stored_at'>,
): Promise<boolean[]> {
  const attempts = successes.map(({ attempt }) => attempt);
  const kept = await database.query<{ delivery: string }>(insertOfSuccesses, [
    successes.map(({ tenant }) => tenant),
    attempts.map(({ delivery }) => delivery),
    successes.map(({ webhook }) => webhook),
    at,
    stored_at,
    ...columnArrays(attempts, [
      'status',
      'duration_ms',
      'error',
      'response_body',
      'url',
      'webhook_timestamp',
    ]),
  ]);
  const deliveries = new Set(kept.map(({ delivery }) => delivery));
  return attempts.map(({ delivery }) => deliveries.has(delivery));
}

/** The attempts of some deliveries, in order. */
export async function listAttempts(
  tx: Queryable,
  tenant: string,
  deliveries: readonly DeliveryRow[],
): Promise<AttemptRow[]> {
  return tx.query<AttemptRow>(list, [tenant, deliveries.map((row) => row.id)]);
}
