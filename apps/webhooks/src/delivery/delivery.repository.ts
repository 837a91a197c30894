import { sql, type Queryable } from '@fundrail/service-kit/db';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.entity.ts';
import type { AttemptRow } from './delivery.ts';
import type { DeliveryRow } from './delivery.entity.ts';

const insert = sql(
  'webhook_deliveries.insert',
  `INSERT INTO webhook_deliveries
     (id, tenant, webhook, event, type, object_id, subject, sequence, status, in_order, tries, due_at, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
);
const find = sql('webhook_deliveries.find', 'SELECT * FROM webhook_deliveries WHERE tenant = $1 AND id = $2');
const lock = sql(
  'webhook_deliveries.lock',
  'SELECT * FROM webhook_deliveries WHERE tenant = $1 AND id = $2 FOR UPDATE',
);
const update = sql(
  'webhook_deliveries.update',
  `UPDATE webhook_deliveries
      SET status = $3, in_order = $4, tries = $5, due_at = $6, lease_token = $7, leased_until = $8
    WHERE tenant = $1 AND id = $2`,
);
const failPending = sql(
  'webhook_deliveries.fail_pending',
  `UPDATE webhook_deliveries SET status = 'failed', due_at = NULL, lease_token = NULL, leased_until = NULL
    WHERE tenant = $1 AND webhook = $2 AND status = 'pending'`,
);
const hasten = sql(
  'webhook_deliveries.hasten',
  `UPDATE webhook_deliveries SET due_at = $3 WHERE tenant = $1 AND webhook = $2 AND status = 'pending' AND due_at > $3`,
);
// `id < $3` bounds the index whatever the plan; "none or less" would be asked of each row, from the newest on.
const list = sql(
  'webhook_deliveries.list',
  `SELECT * FROM webhook_deliveries
    WHERE tenant = $1 AND webhook = $2 AND id < $3 AND ($4::text IS NULL OR status = $4)
      AND ($5::text IS NULL OR event = $5) AND ($6::text[] IS NULL OR type = ANY($6)) AND ($7::text IS NULL OR object_id = $7)
    ORDER BY id DESC LIMIT $8`,
);
const insertOneAttempt = sql(
  'delivery_attempts.insert',
  `INSERT INTO delivery_attempts (tenant, delivery, at, status, duration_ms, error, response_body)
   VALUES ($1, $2, $3, $4, $5, $6, $7)`,
);
// What a success does to a delivery (`afterAttempt`), where it does nothing to the endpoint. It does not wait for the disk: one
// that a crash of the server takes back is a delivery made twice, as any crash may; and those after it are taken back with it.
const insertAttemptOfSuccess = sql(
  'delivery_attempts.insert_success',
  `WITH hasty AS MATERIALIZED (
     SELECT set_config('synchronous_commit', 'off', true) AS off
   ), delivery AS (
     UPDATE webhook_deliveries SET status = 'delivered', due_at = NULL, lease_token = NULL, leased_until = NULL
      WHERE tenant = $1 AND id = $2 AND EXISTS (
              SELECT FROM notification_webhooks
               WHERE tenant = $1 AND id = $8 AND deleted_at IS NULL AND failing_since IS NULL)
     RETURNING id
   )
   INSERT INTO delivery_attempts (tenant, delivery, at, status, duration_ms, error, response_body)
   SELECT $1, id, $3, $4, $5, $6, $7 FROM delivery, hasty WHERE hasty.off = 'off'
   RETURNING id`,
);
const attempts = sql(
  'delivery_attempts.list',
  'SELECT * FROM delivery_attempts WHERE tenant = $1 AND delivery = ANY($2) ORDER BY id',
);

export async function insertDelivery(tx: Queryable, row: DeliveryRow): Promise<void> {
  await tx.query(insert, [
    row.id,
    row.tenant,
    row.webhook,
    row.event,
    row.type,
    row.object_id,
    row.subject,
    row.sequence,
    row.status,
    row.in_order,
    row.tries,
    row.due_at,
    row.created_at,
  ]);
}

export async function findDelivery(tx: Queryable, tenant: string, id: string): Promise<DeliveryRow | null> {
  const [row] = await tx.query<DeliveryRow>(find, [tenant, id]);
  return row ?? null;
}

/** Lock its endpoint before. */
export async function lockDelivery(tx: Queryable, tenant: string, id: string): Promise<DeliveryRow | null> {
  const [row] = await tx.query<DeliveryRow>(lock, [tenant, id]);
  return row ?? null;
}

export async function updateDelivery(tx: Queryable, row: DeliveryRow): Promise<void> {
  const { tenant, id, status, in_order, tries, due_at, lease_token, leased_until } = row;
  await tx.query(update, [tenant, id, status, in_order, tries, due_at, lease_token, leased_until]);
}

/** Gives up everything that waits for an endpoint. */
export async function failPendingDeliveries(tx: Queryable, webhook: NotificationWebhookRow): Promise<void> {
  await tx.query(failPending, [webhook.tenant, webhook.id]);
}

/** Makes everything that waits for an endpoint due. */
export async function hastenDeliveries(
  tx: Queryable,
  webhook: NotificationWebhookRow,
  now: Date,
): Promise<void> {
  await tx.query(hasten, [webhook.tenant, webhook.id, now]);
}

/** What `GET /v2/notification_webhooks/:id/deliveries` asks for. */
export interface DeliveryQuery {
  readonly limit: number;
  readonly starting_after: string | null;
  readonly status: string | null;
  readonly event: string | null;
  readonly types: readonly string[] | null;
  readonly object_id: string | null;
}

/** After every id that is made: ids go on in hexadecimal digits. */
const AFTER_ALL = 'whd_g';

/** Newest first. */
export async function listDeliveries(
  tx: Queryable,
  webhook: Pick<NotificationWebhookRow, 'id' | 'tenant'>,
  query: DeliveryQuery,
): Promise<DeliveryRow[]> {
  const { starting_after: after, status, event, types, object_id: objectId, limit } = query;
  return tx.query<DeliveryRow>(list, [
    webhook.tenant,
    webhook.id,
    after ?? AFTER_ALL,
    status,
    event,
    types,
    objectId,
    limit,
  ]);
}

export async function insertAttempt(tx: Queryable, tenant: string, row: AttemptRow): Promise<void> {
  const { delivery, at, status, duration_ms, error, response_body } = row;
  await tx.query(insertOneAttempt, [tenant, delivery, at, status, duration_ms, error, response_body]);
}

/**
 * Keeps a success and what follows from it, in one statement that commits by itself: most attempts are that. False, and nothing
 * done, when the endpoint is not known to be well.
 */
export async function insertSuccess(
  database: Queryable,
  { tenant, webhook }: Pick<DeliveryRow, 'tenant' | 'webhook'>,
  row: AttemptRow,
): Promise<boolean> {
  const { delivery, at, status, duration_ms, error, response_body } = row;
  const values = [tenant, delivery, at, status, duration_ms, error, response_body, webhook];
  return (await database.query(insertAttemptOfSuccess, values)).length > 0;
}

/** The attempts of some deliveries, in their order. */
export async function listAttempts(
  tx: Queryable,
  tenant: string,
  deliveries: readonly DeliveryRow[],
): Promise<AttemptRow[]> {
  return tx.query<AttemptRow>(attempts, [tenant, deliveries.map((row) => row.id)]);
}
