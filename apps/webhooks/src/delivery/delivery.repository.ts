import { firstIdAt } from '@fundrail/contracts';
import { assignments, insertRow, sql, valuesOf, type Queryable } from '@fundrail/persistence';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.table.ts';
import { WEBHOOK_DELIVERIES, type DeliveryRow } from './delivery.table.ts';

const find = sql('webhook_deliveries.find', 'SELECT * FROM webhook_deliveries WHERE tenant = $1 AND id = $2');
const lock = sql(
  'webhook_deliveries.lock',
  'SELECT * FROM webhook_deliveries WHERE tenant = $1 AND id = $2 FOR UPDATE',
);
// A concurrent success of the first delivery has not seen the change of those behind it. The update makes it notice.
const touchFirst = sql(
  'webhook_deliveries.touch_first',
  `UPDATE webhook_deliveries SET followers = followers + 1
    WHERE tenant = $1 AND webhook = $2 AND subject = $3 AND sequence < $4
      AND status = 'pending' AND in_order AND due_at IS NOT NULL`,
);
const update = sql(
  'webhook_deliveries.update',
  `UPDATE webhook_deliveries SET ${assignments(WEBHOOK_DELIVERIES.stepped, 3)} WHERE tenant = $1 AND id = $2`,
);
// `id < $3` bounds the index in any plan; an optional bound would be checked row by row, from the newest. The status is part of the text:
// failed and pending deliveries have their own indexes, which the planner does not use for a status passed as a parameter.
const listOf = (name: string, status: string) =>
  sql(
    name,
    `SELECT * FROM webhook_deliveries
    WHERE tenant = $1 AND webhook = $2 AND id < $3 ${status}
      AND ($4::text IS NULL OR event = $4) AND ($5::text[] IS NULL OR type = ANY($5)) AND ($6::text IS NULL OR object_id = $6)
    ORDER BY id DESC LIMIT $7`,
  );
const list = listOf('webhook_deliveries.list', '');
// An event has a few deliveries: they are found first.
const listOfEvent = listOf(
  'webhook_deliveries.list_of_event',
  'AND id = ANY (ARRAY(SELECT id FROM webhook_deliveries WHERE event = $4)) AND ($8::text IS NULL OR status = $8)',
);
const LISTS = {
  pending: listOf('webhook_deliveries.list_pending', "AND status = 'pending'"),
  delivered: listOf('webhook_deliveries.list_delivered', "AND status = 'delivered'"),
  failed: listOf('webhook_deliveries.list_failed', "AND status = 'failed'"),
} as const;
/** Whether a delivery `n` is held. Written so that the planner does not use the index of pending deliveries. */
export const IS_HELD = "n.due_at IS NULL AND n.status <> 'delivered' AND n.status <> 'failed'";
/** 1 if others are held behind the held delivery `n` of an UPDATE, else 0. */
export const OTHERS_ARE_HELD = `(
           SELECT least(count(*), 1) FROM (
             SELECT FROM webhook_deliveries o
              WHERE o.webhook = n.webhook AND o.subject = n.subject AND o.status = 'pending' AND o.due_at IS NULL
                AND o.id <> n.id LIMIT 1) other)`;
// Releases the first held delivery of an object. Other held deliveries then wait for that one.
const letNextGo = sql(
  'webhook_deliveries.let_next_go',
  `UPDATE webhook_deliveries n SET due_at = $3, followers = n.followers + ${OTHERS_ARE_HELD}
    WHERE n.id = ANY (ARRAY(
            SELECT h.id FROM webhook_deliveries h
             WHERE h.webhook = $1 AND h.subject = $2 AND h.status = 'pending' AND h.due_at IS NULL
             ORDER BY h.sequence LIMIT 1))
      AND ${IS_HELD}`,
);

// A locked delivery is deleted by a later run.
const removeOld = sql(
  'webhook_deliveries.remove_old',
  `WITH gone AS (
     DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(
       SELECT id FROM webhook_deliveries WHERE id < $1 AND status <> 'pending' ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED))
     RETURNING id, tenant, webhook, event, status, failure_code, created_at
   ), past AS (
     INSERT INTO past_deliveries (id, tenant, webhook, event, status, failure_code, created_at, stored_at) SELECT gone.*, $3 FROM gone
     ON CONFLICT DO NOTHING
   )
   SELECT count(*)::int AS removed FROM gone`,
);

/** The signal of commits that make deliveries due. */
export const DELIVERIES_DUE = 'due:webhook-deliveries';

export const insertDelivery = insertRow(WEBHOOK_DELIVERIES);

export async function findDelivery(tx: Queryable, tenant: string, id: string): Promise<DeliveryRow | null> {
  const [row] = await tx.query<DeliveryRow>(find, [tenant, id]);
  return row ?? null;
}

/** Lock its endpoint first. */
export async function lockDelivery(tx: Queryable, tenant: string, id: string): Promise<DeliveryRow | null> {
  const [row] = await tx.query<DeliveryRow>(lock, [tenant, id]);
  return row ?? null;
}

/**
 * The same for a delivery that is about to leave the order of its object. The delivery before it is locked first, and a concurrent
 * success of that one starts again. Otherwise each could rely on the other to release the next delivery.
 */
export async function lockDeliveryOfOrder(tx: Queryable, row: DeliveryRow): Promise<DeliveryRow | null> {
  await tx.query(touchFirst, [row.tenant, row.webhook, row.subject, row.sequence]);
  return lockDelivery(tx, row.tenant, row.id);
}

export async function updateDelivery(tx: Queryable, row: DeliveryRow): Promise<void> {
  await tx.query(update, valuesOf(row, ['tenant', 'id', ...WEBHOOK_DELIVERIES.stepped]));
}

/** Makes the first held delivery of the object due. The caller holds the endpoint's lock. */
export async function letNextDeliveryGo(
  tx: Queryable,
  { webhook, subject }: Pick<DeliveryRow, 'webhook' | 'subject'>,
  now: Date,
): Promise<void> {
  await tx.query(letNextGo, [webhook, subject, now]);
}

/** The query of `GET /v2/notification_webhooks/:id/deliveries`. */
export interface DeliveryQuery {
  readonly limit: number;
  readonly starting_after: string | null;
  readonly status: DeliveryRow['status'] | null;
  readonly event: string | null;
  readonly types: readonly string[] | null;
  readonly object_id: string | null;
}

/** Sorts after every id: ids continue in hexadecimal digits. */
const AFTER_ALL = 'whd_g';

/** Newest first. */
export async function listDeliveries(
  tx: Queryable,
  webhook: Pick<NotificationWebhookRow, 'id' | 'tenant'>,
  query: DeliveryQuery,
): Promise<DeliveryRow[]> {
  const { starting_after: after, status, event, types, object_id: objectId, limit } = query;
  const asked = [webhook.tenant, webhook.id, after ?? AFTER_ALL, event, types, objectId, limit];
  if (event !== null) return tx.query<DeliveryRow>(listOfEvent, [...asked, status]);
  return tx.query<DeliveryRow>(status === null ? list : LISTS[status], asked);
}

/** Moves the facts of the oldest ended deliveries created before a wall time to the past ones, at most `most`. Returns how many. */
export async function removeOldDeliveries(tx: Queryable, before: Date, most: number): Promise<number> {
  const [row] = await tx.query<{ removed: number }>(removeOld, [
    firstIdAt('webhookDelivery', before),
    most,
    before,
  ]);
  return row?.removed ?? 0;
}
