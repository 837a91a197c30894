import { sql, type Queryable } from '@fundrail/service-kit/db';

/** A delivery that this process may attempt now, and all that it needs for it. */
export interface LeasedDelivery {
  readonly id: string;
  readonly tenant: string;
  readonly webhook: string;
  readonly event: string;
  readonly url: string;
  readonly secret_encrypted: string;
  readonly body: string;
  /** Of the event; null when it was stored before events carried one. */
  readonly traceparent: string | null;
}

/**
 * Leases what is due, replica-safe: a row that another locks is skipped, one that is leased is not due. For one endpoint and
 * object only the first pending delivery is free; what stands outside the order always is. An endpoint gets at most $5 at a
 * time, and one at a time while it fails, so that dead ones take no places from the others.
 * Only a pending delivery has a time when it is due, and a lease; see the migration for why that is not said here again.
 * What is due is looked up as an array, and an endpoint's earliest by its order: left the choice, the planner takes a third of
 * the table for due and reads all of it, which is mostly history, to find a handful.
 * The lease does not wait for the disk: one that a crash of the server takes back is a delivery made twice, as any crash may.
 * $1 business time, $2 wall time, $3 token, $4 end of the lease, $5 places an endpoint, $6 places in all.
 */
const lease = sql(
  'webhook_deliveries.lease',
  `WITH endpoint AS (
     SELECT w.id, w.url, w.secret_encrypted,
            CASE WHEN w.failing_since IS NULL THEN $5::int ELSE 1 END
              - (SELECT count(*) FROM webhook_deliveries busy
                  WHERE busy.webhook = w.id AND busy.leased_until > $2) AS places
       FROM notification_webhooks w
      WHERE w.status = 'enabled' AND w.deleted_at IS NULL
        AND (SELECT d.due_at FROM webhook_deliveries d WHERE d.webhook = w.id AND d.due_at IS NOT NULL
              ORDER BY d.due_at, d.id LIMIT 1) <= $1
   ), hasty AS MATERIALIZED (
     SELECT set_config('synchronous_commit', 'off', true) AS off
   ), due AS (
     SELECT free.id
       FROM endpoint
      CROSS JOIN LATERAL (
        SELECT d.id FROM webhook_deliveries d
         WHERE d.webhook = endpoint.id AND d.due_at <= $1
           AND (d.leased_until IS NULL OR d.leased_until <= $2)
           AND (NOT d.in_order OR NOT EXISTS (
                 SELECT FROM webhook_deliveries earlier
                  WHERE earlier.webhook = d.webhook AND earlier.subject = d.subject AND earlier.status = 'pending'
                    AND earlier.in_order AND earlier.sequence < d.sequence))
         ORDER BY d.due_at, d.id
         LIMIT greatest(endpoint.places, 0)
           FOR UPDATE SKIP LOCKED) free
      LIMIT $6
   )
   UPDATE webhook_deliveries d SET lease_token = $3, leased_until = $4
     FROM endpoint, events, hasty
    WHERE d.id = ANY (ARRAY(SELECT id FROM due)) AND endpoint.id = d.webhook AND events.id = d.event AND hasty.off = 'off'
   RETURNING d.id, d.tenant, d.webhook, d.event, endpoint.url, endpoint.secret_encrypted, events.body, events.traceparent`,
);
const earliest = sql(
  'webhook_deliveries.earliest',
  `SELECT min(d.due_at) AS due_at FROM webhook_deliveries d JOIN notification_webhooks w ON w.id = d.webhook
    WHERE d.due_at <= $1 AND w.status = 'enabled'`,
);

export interface LeaseTerms {
  readonly now: Date;
  readonly wallNow: Date;
  readonly token: string;
  readonly until: Date;
  readonly perEndpoint: number;
  readonly most: number;
}

export async function leaseDueDeliveries(tx: Queryable, terms: LeaseTerms): Promise<LeasedDelivery[]> {
  const { now, wallNow, token, until, perEndpoint, most } = terms;
  return tx.query<LeasedDelivery>(lease, [now, wallNow, token, until, perEndpoint, most]);
}

export async function earliestDueDelivery(tx: Queryable, before: Date): Promise<Date | null> {
  const [row] = await tx.query<{ due_at: Date | null }>(earliest, [before]);
  return row?.due_at ?? null;
}
