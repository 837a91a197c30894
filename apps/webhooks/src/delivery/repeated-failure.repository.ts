import { sql, type Queryable } from '@fundrail/service-kit/db';
import { LONGEST_FAILURE_MS, type AttemptRow, type NextAttempt } from './delivery.ts';
import type { LeasedDelivery } from './due-delivery.repository.ts';

/**
 * What failures do to their deliveries where they do nothing to the endpoint, which has failed before (`healthAfter`): next to
 * nothing, so that a dead endpoint costs others no more than that. As `insertOfSuccesses` it waits for no lock and not for the
 * disk; what somebody else holds, and a row that is another than when it was leased, is left to the long way.
 */
const insertOfFailures = sql(
  'delivery_attempts.insert_failures',
  `WITH hasty AS MATERIALIZED (
     SELECT set_config('synchronous_commit', 'off', true) AS off
   ), told AS MATERIALIZED (
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::timestamptz[], $7::int[], $8::timestamptz[],
                          $9::timestamptz[], $10::int[], $11::int[], $12::text[], $13::text[], $17::text[], $18::bigint[])
       AS a (tenant, delivery, webhook, token, tries, planned_at, next_tries, next_planned_at, next_due_at,
             status, duration_ms, error, response_body, url, webhook_timestamp)
   ), failing AS MATERIALIZED (
     SELECT w.id, w.tenant, w.url FROM notification_webhooks w
      WHERE w.id = ANY($3::text[]) AND w.status = 'enabled' AND w.deleted_at IS NULL AND w.failing_since > $16
        FOR SHARE OF w SKIP LOCKED
   ), free AS MATERIALIZED (
     SELECT same.id FROM told
       JOIN failing ON failing.id = told.webhook AND failing.tenant = told.tenant AND failing.url = told.url
      CROSS JOIN LATERAL (
        SELECT d.id FROM webhook_deliveries d
         WHERE d.id = told.delivery AND d.webhook = told.webhook AND d.tenant = told.tenant AND d.status = 'pending'
           AND d.lease_token = told.token AND d.tries = told.tries AND d.planned_at IS NOT DISTINCT FROM told.planned_at
         LIMIT 1 FOR UPDATE SKIP LOCKED) same
   ), put_off AS (
     UPDATE webhook_deliveries d
        SET (tries, planned_at, due_at) = (
              SELECT told.next_tries, told.next_planned_at, told.next_due_at FROM told
               WHERE told.delivery = d.id AND told.token = d.lease_token),
            lease_token = NULL, leased_until = NULL
       FROM hasty
      WHERE d.id = ANY (ARRAY(SELECT id FROM free)) AND hasty.off = 'off'
     RETURNING d.id
   )
   INSERT INTO delivery_attempts
     (tenant, delivery, at, stored_at, url, webhook_timestamp, status, duration_ms, error, response_body)
   SELECT told.tenant, told.delivery, $14, $15, told.url, told.webhook_timestamp, told.status, told.duration_ms, told.error, told.response_body
     FROM told WHERE told.delivery IN (SELECT id FROM put_off)
   RETURNING delivery`,
);

/** A failure of a delivery that was leased, and when it comes again. */
export interface RepeatedFailure {
  readonly delivery: Pick<LeasedDelivery, 'id' | 'tenant' | 'webhook' | 'tries' | 'planned_at'>;
  readonly leaseToken: string;
  readonly attempt: Omit<AttemptRow, 'at' | 'stored_at'>;
  readonly next: NextAttempt;
}

/**
 * Keeps failures of endpoints that have failed before, in one statement that commits by itself. Answers whose
 * deliveries' it did: nothing is done where the endpoint is well, has failed for too long or has another URL by now, or anything changes
 * at the same time.
 */
export async function insertRepeatedFailures(
  database: Queryable,
  failures: readonly RepeatedFailure[],
  { at, stored_at }: Pick<AttemptRow, 'at' | 'stored_at'>,
): Promise<ReadonlySet<string>> {
  const kept = await database.query<{ delivery: string }>(insertOfFailures, [
    failures.map(({ delivery }) => delivery.tenant),
    failures.map(({ delivery }) => delivery.id),
    failures.map(({ delivery }) => delivery.webhook),
    failures.map(({ leaseToken }) => leaseToken),
    failures.map(({ delivery }) => delivery.tries),
    failures.map(({ delivery }) => delivery.planned_at),
    failures.map(({ next }) => next.tries),
    failures.map(({ next }) => next.planned_at),
    failures.map(({ next }) => next.due_at),
    failures.map(({ attempt }) => attempt.status),
    failures.map(({ attempt }) => attempt.duration_ms),
    failures.map(({ attempt }) => attempt.error),
    failures.map(({ attempt }) => attempt.response_body),
    at,
    stored_at,
    new Date(at.getTime() - LONGEST_FAILURE_MS),
    failures.map(({ attempt }) => attempt.url),
    failures.map(({ attempt }) => attempt.webhook_timestamp),
  ]);
  return new Set(kept.map(({ delivery }) => delivery));
}
