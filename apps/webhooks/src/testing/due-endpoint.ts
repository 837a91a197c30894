import type pg from 'pg';

/** A tenant's endpoint with a number of deliveries that are due at a time, each of a different object. */
interface DueEndpoint {
  readonly id: string;
  readonly tenant: string;
  readonly due: number;
  readonly at: Date;
}

/** The endpoint has no row in `endpoint_paces`, as after a server crash. */
export async function insertDueEndpoint(
  client: pg.Client,
  { id, tenant, due, at }: DueEndpoint,
): Promise<void> {
  await client.query(
    `INSERT INTO notification_webhooks (id, tenant, url, events, status, secret_encrypted, created_at, updated_at)
     VALUES ($1, $2, 'https://shop.example/', '{*}', 'enabled', '', now(), now())`,
    [id, tenant],
  );
  await client.query(
    `WITH e AS (
       INSERT INTO events (id, tenant, type, object_id, subject, sequence, body, occurred_at, stored_at)
       SELECT 'evt_' || $1::text || n, $2::text, 'payment.updated', n, 'payment:' || n, 1, '{}', now(), now()
         FROM generate_series(1, $3::int) AS n RETURNING *)
     INSERT INTO webhook_deliveries
       (id, tenant, webhook, event, type, object_id, subject, sequence, status, due_at, created_at)
     SELECT 'whd_' || id, tenant, $1::text, id, type, object_id, subject, sequence, 'pending', $4, $4 FROM e`,
    [id, tenant, due, at],
  );
}
