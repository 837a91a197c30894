import { assignments, parameters, Rows, sql, valuesOf, type Queryable } from '@fundrail/persistence';
import { NOTIFICATION_WEBHOOKS, type NotificationWebhookRow } from './notification-webhook.table.ts';

const rows = new Rows(NOTIFICATION_WEBHOOKS);
// Its first parameter is the id.
const insert = sql(
  'notification_webhooks.insert_with_pace',
  `WITH pace AS (INSERT INTO endpoint_paces (webhook, tokens, at) VALUES ($1, 0, to_timestamp(0)))
   INSERT INTO notification_webhooks (${NOTIFICATION_WEBHOOKS.inserted.join(', ')})
   VALUES (${parameters(NOTIFICATION_WEBHOOKS.inserted)})`,
);
// NO KEY: the foreign key of a new delivery locks the row too, and must not wait for a change of it.
const lock = sql(
  'notification_webhooks.lock',
  'SELECT * FROM notification_webhooks WHERE tenant = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE',
);
const lockEnded = sql(
  'notification_webhooks.lock_ended',
  `SELECT * FROM notification_webhooks
    WHERE tenant = $1 AND id = $2 AND (status = 'disabled' OR deleted_at IS NOT NULL OR verification = 'verification_failed')
      FOR NO KEY UPDATE`,
);
const update = sql(
  'notification_webhooks.update',
  `UPDATE notification_webhooks SET ${assignments(NOTIFICATION_WEBHOOKS.stepped, 3)} WHERE tenant = $1 AND id = $2`,
);
const list = sql(
  'notification_webhooks.list',
  `SELECT * FROM notification_webhooks
    WHERE tenant = $1 AND deleted_at IS NULL AND ($2::text IS NULL OR id < $2) AND ($3::text[] IS NULL OR events && $3)
    ORDER BY id DESC LIMIT $4`,
);
// Serialised for each tenant: otherwise two concurrent requests would not see each other's endpoint.
const lockTenant = sql(
  'notification_webhooks.lock_tenant',
  "SELECT pg_advisory_xact_lock(hashtextextended('webhooks.endpoints.' || $1, 0))",
);
const count = sql(
  'notification_webhooks.count',
  'SELECT count(*)::int AS endpoints FROM notification_webhooks WHERE tenant = $1 AND deleted_at IS NULL',
);
const setHealth = sql(
  'notification_webhooks.set_health',
  'UPDATE notification_webhooks SET failing_since = $3, paused_until = $4 WHERE tenant = $1 AND id = $2',
);

const setVerification = sql(
  'notification_webhooks.set_verification',
  `UPDATE notification_webhooks
      SET verification = $3, verification_error = $4, challenge = $5, challenge_until = $6, challenge_due_at = $7,
          challenge_tries = $8, updated_at = $9
    WHERE tenant = $1 AND id = $2`,
);

export async function insertWebhook(tx: Queryable, row: NotificationWebhookRow): Promise<void> {
  await tx.query(insert, valuesOf(row, NOTIFICATION_WEBHOOKS.inserted));
}

/** Counts a tenant's endpoints. Until the transaction ends, no other transaction can count them. */
export async function countWebhooks(tx: Queryable, tenant: string): Promise<number> {
  await tx.query(lockTenant, [tenant]);
  const [row] = await tx.query<{ endpoints: number }>(count, [tenant]);
  return row?.endpoints ?? 0;
}

/** Null for another tenant's endpoint, and for a deleted one. */
export function findWebhook(tx: Queryable, tenant: string, id: string) {
  return rows.find(tx, { tenant, id, deleted_at: null });
}

/** Like `findWebhook`, but also finds a deleted endpoint: its deliveries are shown as long as they are stored. */
export function findWebhookOrRemoved(tx: Queryable, tenant: string, id: string) {
  return rows.find(tx, { tenant, id });
}

/** Like `findWebhook`, and locks the row until the transaction ends. Lock the endpoint before any of its deliveries. */
export async function lockWebhook(
  tx: Queryable,
  tenant: string,
  id: string,
): Promise<NotificationWebhookRow | null> {
  const [row] = await tx.query<NotificationWebhookRow>(lock, [tenant, id]);
  return row ?? null;
}

/** Locks an endpoint that is disabled, deleted or has failed its verification; null for any other. */
export async function lockEndedWebhook(
  tx: Queryable,
  tenant: string,
  id: string,
): Promise<NotificationWebhookRow | null> {
  const [row] = await tx.query<NotificationWebhookRow>(lockEnded, [tenant, id]);
  return row ?? null;
}

export async function updateWebhook(tx: Queryable, row: NotificationWebhookRow): Promise<void> {
  // As text: the driver would make a PostgreSQL array of a list.
  const written = { ...row, old_secrets: JSON.stringify(row.old_secrets) };
  await tx.query(update, valuesOf(written, ['tenant', 'id', ...NOTIFICATION_WEBHOOKS.stepped]));
}

export async function updateHealth(tx: Queryable, row: NotificationWebhookRow): Promise<void> {
  await tx.query(setHealth, [row.tenant, row.id, row.failing_since, row.paused_until]);
}

/** Stores the fields that `updateWebhook` does not change: the verification and its challenge. */
export async function updateVerification(tx: Queryable, row: NotificationWebhookRow): Promise<void> {
  await tx.query(setVerification, [
    row.tenant,
    row.id,
    row.verification,
    row.verification_error,
    row.challenge,
    row.challenge_until,
    row.challenge_due_at,
    row.challenge_tries,
    row.updated_at,
  ]);
}

/** Lists endpoints, newest first. `patterns` selects those that have one of them. */
export async function listWebhooks(
  tx: Queryable,
  tenant: string,
  query: { limit: number; starting_after?: string | undefined; patterns: readonly string[] | null },
): Promise<NotificationWebhookRow[]> {
  return tx.query<NotificationWebhookRow>(list, [
    tenant,
    query.starting_after ?? null,
    query.patterns,
    query.limit,
  ]);
}
