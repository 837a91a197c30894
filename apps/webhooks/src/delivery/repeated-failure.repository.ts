import { columnArrays, sql, type Queryable } from '@fundrail/persistence';
import type { AttemptRow } from './attempt.table.ts';
import { LONGEST_FAILURE_MS, type NextAttempt } from './delivery.ts';
import type { LeasedDelivery } from './due-delivery.repository.ts';

/**
 * Applies failures to their deliveries if they do not change the endpoint, which has failed before (`healthAfter`). It is cheap, so that
 * a dead endpoint costs others almost nothing. Like `insertOfSuccesses`, it never waits for a lock, and its commit is asynchronous.
 * Deliveries that another transaction holds, or that changed after the lease, are recorded by the slow path.
 */
const insertOfFailures = sql(
  'delivery_attempts.insert_failures',
  `WITH async_commit AS MATERIALIZED (
     SELECT set_config('synchronous_commit', 'off', true) AS off
   ), failure AS MATERIALIZED (
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::timestamptz[], $7::int[], $8::timestamptz[],
                          $9::timestamptz[], $10::int[], $11::int[], $12::text[], $13::text[], $17::text[], $18::bigint[])
       AS a (tenant, delivery, webhook, token, tries, planned_at, next_tries, next_planned_at, next_due_at,
             status, duration_ms, error, response_body, url, webhook_timestamp)
   ), failing AS MATERIALIZED (
     SELECT w.id, w.tenant, w.url FROM notification_webhooks w
      WHERE w.id = ANY($3::text[]) AND w.status = 'enabled' AND w.deleted_at IS NULL AND w.failing_since > $16
        FOR SHARE OF w SKIP LOCKED
   ), free AS MATERIALIZED (
     SELECT same.id FROM failure
       JOIN failing ON failing.id = failure.webhook AND failing.tenant = failure.tenant AND failing.url = failure.url
      CROSS JOIN LATERAL (
        SELECT d.id FROM webhook_deliveries d
         WHERE d.id = failure.delivery AND d.webhook = failure.webhook AND d.tenant = failure.tenant AND d.status = 'pending'
           AND d.lease_token = failure.token AND d.tries = failure.tries AND d.planned_at IS NOT DISTINCT FROM failure.planned_at
         LIMIT 1 FOR UPDATE SKIP LOCKED) same
   ), put_off AS (
     UPDATE webhook_deliveries d
        SET (tries, planned_at, due_at) = (
              SELECT failure.next_tries, failure.next_planned_at, failure.next_due_at FROM failure
               WHERE failure.delivery = d.id AND failure.token = d.lease_token),
            lease_token = NULL, leased_until = NULL
       FROM async_commit
      WHERE d.id = ANY (ARRAY(SELECT id FROM free)) AND async_commit.off = 'off'
     RETURNING d.id
   )
   INSERT INTO delivery_attempts
     (tenant, delivery, at, stored_at, url, webhook_timestamp, status, duration_ms, error, response_body)
   SELECT failure.tenant, failure.delivery, $14, $15, failure.url, failure.webhook_timestamp, failure.status, failure.duration_ms, failure.error, failure.response_body
     FROM failure WHERE failure.delivery IN (SELECT id FROM put_off)
   RETURNING delivery`,
);

/** A failure of a leased delivery, and its next attempt. */
export interface RepeatedFailure {
  readonly delivery: Pick<LeasedDelivery, 'id' | 'tenant' | 'webhook' | 'tries' | 'planned_at'>;
  readonly leaseToken: string;
  readonly attempt: Omit<AttemptRow, 'at' | 'stored_at'>;
  readonly next: NextAttempt;
}

/**
 * Stores failures of failing endpoints in one statement with its own commit. Returns for which deliveries it did so. It does nothing if
 * the endpoint is healthy, has failed for too long, has a new URL, or anything changes concurrently.
 */
export async function insertRepeatedFailures(
  database: Queryable,
  failures: readonly RepeatedFailure[],
  { at, stored_at }: Pick<AttemptRow, 'at' | 'stored_at'>,
): Promise<ReadonlySet<string>> {
  const [deliveries, attempts] = [failures.map((one) => one.delivery), failures.map((one) => one.attempt)];
  const kept = await database.query<{ delivery: string }>(insertOfFailures, [
    ...columnArrays(deliveries, ['tenant', 'id', 'webhook']),
    failures.map(({ leaseToken }) => leaseToken),
    ...columnArrays(deliveries, ['tries', 'planned_at']),
    ...columnArrays(
      failures.map(({ next }) => next),
      ['tries', 'planned_at', 'due_at'],
    ),
    ...columnArrays(attempts, ['status', 'duration_ms', 'error', 'response_body']),
    at,
    stored_at,
    new Date(at.getTime() - LONGEST_FAILURE_MS),
    ...columnArrays(attempts, ['url', 'webhook_timestamp']),
  ]);
  return new Set(kept.map(({ delivery }) => delivery));
}
