import type { Compatibility } from '@fundrail/contracts';
import { sql, type Queryable } from '@fundrail/persistence';
import type { TenantRooms } from './slots.ts';
import type { OldSecret } from '../notification-webhook/notification-webhook.table.ts';

/** A delivery that this process may attempt now, with all data for the attempt. */
export interface LeasedDelivery {
  readonly id: string;
  readonly tenant: string;
  readonly webhook: string;
  readonly event: string;
  /** When it became due, in business time. */
  readonly due_at: Date;
  readonly tries: number;
  readonly planned_at: Date | null;
  readonly url: string;
  readonly secret_encrypted: string;
  readonly old_secrets: readonly OldSecret[];
  readonly body: string;
  /** In whose names the endpoint receives it; null: in ours. */
  readonly compatibility: Compatibility | null;
  /** The event's; null for events from before this column existed. */
  readonly traceparent: string | null;
}

// Deliveries per second to an endpoint. A failing endpoint gets few, but enough to detect its recovery soon. Without this limit, a dead
// endpoint that fails immediately would cost more than a healthy one.
const RATE = 'CASE WHEN w.failing_since IS NULL THEN $7::int ELSE least($7::int, 5) END';
// An endpoint's tokens at $2. They grow at its rate, up to one second's worth.
const TOKENS = `coalesce(
  least(${RATE}, p.tokens + greatest(0, extract(epoch FROM $2::timestamptz - p.at)) * ${RATE}), ${RATE})`;
const OPEN = `w.status = 'enabled' AND w.deleted_at IS NULL AND w.verification IN ('not_required', 'verified')
  AND (w.paused_until IS NULL OR w.paused_until <= $1)`;
const BUSY =
  'SELECT count(*) FROM webhook_deliveries busy WHERE busy.webhook = w.id AND busy.leased_until > $2';
const MOST_BY_HEALTH = 'CASE WHEN w.failing_since IS NULL THEN $5::int ELSE 1 END';
// How many more deliveries the endpoint's tenant may start.
const ROOM =
  'coalesce((SELECT r.room FROM unnest($8::text[], $9::int[]) AS r (tenant, room) WHERE r.tenant = w.tenant), $10::int)';
const UNLEASED = '(d.leased_until IS NULL OR d.leased_until <= $2)';

/**
 * Endpoints that no other replica is leasing for, or has leased for since this statement counted their running deliveries. Otherwise both
 * replicas together could exceed the endpoint's limit. The next lease handles the others. An endpoint without a row (a server crash
 * empties the table) is leased for without this check.
 */
const MINE = `mine AS MATERIALIZED (
     SELECT p.webhook FROM endpoint_paces p JOIN endpoint ON endpoint.id = p.webhook AND endpoint.leases = p.leases
      WHERE endpoint.places > 0
        FOR UPDATE OF p SKIP LOCKED
   )`;
const IS_MINE = 'places > 0 AND (leases IS NULL OR id IN (SELECT webhook FROM mine))';

/**
 * Takes the lease of each of `due` and the tokens of their endpoints. The commit is asynchronous: if a server crash loses it, the
 * delivery is made twice, as after any crash. Endpoints and events are looked up one by one with a limit. With a join, the planner, which
 * estimates one row, would read every delivery again for each endpoint.
 */
const TAKE = `async_commit AS MATERIALIZED (
     SELECT set_config('synchronous_commit', 'off', true) AS off
   ), leased AS (
     UPDATE webhook_deliveries d SET lease_token = $3, leased_until = $4
       FROM async_commit
      WHERE d.id = ANY (ARRAY(SELECT id FROM due)) AND async_commit.off = 'off'
     RETURNING d.id, d.tenant, d.webhook, d.event, d.due_at, d.tries, d.planned_at
   ), paid AS (
     INSERT INTO endpoint_paces AS p (webhook, tokens, at)
     SELECT taken.webhook, endpoint.tokens - taken.count, $2
       FROM (SELECT webhook, count(*) AS count FROM leased GROUP BY webhook) taken JOIN endpoint ON endpoint.id = taken.webhook
      ORDER BY taken.webhook
     ON CONFLICT (webhook) DO UPDATE
       SET tokens = excluded.tokens, at = greatest(p.at, excluded.at), leases = p.leases + 1
   )
   SELECT leased.*, one.url, one.secret_encrypted, one.old_secrets, one.compatibility, sent.body, sent.traceparent
     FROM leased
    CROSS JOIN LATERAL (
      SELECT w.url, w.secret_encrypted, w.old_secrets, w.compatibility FROM notification_webhooks w WHERE w.id = leased.webhook LIMIT 1) one
    CROSS JOIN LATERAL (SELECT e.body, e.traceparent FROM events e WHERE e.id = leased.event LIMIT 1) sent`;

/**
 * Leases due deliveries. Safe with several replicas: a locked row is skipped, and a leased one is not due. An endpoint gets at most $5 at
 * a time and $7 per second; while it fails, one at a time and 5 per second. Slots are given in turn: one to each tenant with due
 * deliveries, and within a tenant one to each endpoint. Those with the fewest running deliveries come first. Slots that an endpoint
 * cannot use, because it is dead or already at its limit, go to others in the same lease, up to twice their share. Only a pending
 * delivery that is not held has a due time, and only such a delivery has a lease. The conditions are not repeated here, so that the
 * planner uses the right indexes; see the migrations. Due deliveries are looked up as an array, and an endpoint's earliest by order.
 * Otherwise the planner estimates that a third of the table is due, and reads all of it, mostly history, to find a few rows. $1 business
 * time, $2 wall time, $3 token, $4 end of the lease, $5 slots of an endpoint, $6 slots in total, $7 an endpoint's rate, $8 tenants and $9
 * how many more each may start, $10 the same for each other tenant.
 */
const lease = sql(
  'webhook_deliveries.lease',
  `WITH endpoint AS MATERIALIZED (
     SELECT *, least(most - busy, floor(tokens), room)::int AS places
       FROM (SELECT w.id, w.tenant, ${ROOM} AS room, under_way.busy,
                    ${MOST_BY_HEALTH} AS most, ${TOKENS} AS tokens, p.leases
               FROM notification_webhooks w LEFT JOIN endpoint_paces p ON p.webhook = w.id
              CROSS JOIN LATERAL (${BUSY}) under_way (busy)
              WHERE ${OPEN}
                AND (SELECT d.due_at FROM webhook_deliveries d
                      WHERE d.webhook = w.id AND d.due_at IS NOT NULL AND d.replay IS NULL AND ${UNLEASED}
                      ORDER BY d.due_at, d.id LIMIT 1) <= $1) open
   ), ${MINE}, turn AS (
     SELECT *, count(*) OVER (PARTITION BY tenant) AS endpoints, sum(busy) OVER (PARTITION BY tenant) AS tenant_busy,
            row_number() OVER (PARTITION BY tenant ORDER BY busy, id) AS place_in_tenant,
            (SELECT count(DISTINCT tenant) FROM endpoint WHERE ${IS_MINE}) AS tenants
       FROM endpoint WHERE ${IS_MINE}
   ), candidate AS (
     SELECT one.tenant_busy, one.room, one.id AS webhook, free.id,
            row_number() OVER (PARTITION BY one.tenant ORDER BY free.nth, one.busy, one.id) AS place_in_tenant
       FROM (SELECT * FROM turn ORDER BY place_in_tenant, tenant_busy, id LIMIT $6) one
      CROSS JOIN LATERAL (
        SELECT d.id, row_number() OVER (ORDER BY d.due_at, d.id) AS nth FROM webhook_deliveries d
         WHERE d.webhook = one.id AND d.due_at <= $1 AND d.replay IS NULL AND ${UNLEASED}
         ORDER BY d.due_at, d.id LIMIT least(one.places, 2 * greatest(1, $6 / one.tenants / one.endpoints))) free
   ), due AS (
     SELECT d.id FROM webhook_deliveries d
      WHERE d.id = ANY (ARRAY(
              SELECT id FROM candidate WHERE place_in_tenant <= room ORDER BY place_in_tenant, tenant_busy, webhook LIMIT $6))
        AND d.due_at <= $1 AND ${UNLEASED}
        FOR UPDATE SKIP LOCKED
   ), ${TAKE}`,
);

/**
 * Leases replayed deliveries, as above, at most $11 at a time to an endpoint. Leases none while a new event is due there: a replay never
 * goes ahead of new events.
 */
const leaseReplayed = sql(
  'webhook_deliveries.lease_replayed',
  `WITH endpoint AS MATERIALIZED (
     SELECT w.id, w.tenant, ${ROOM} AS room, p.leases,
            ${TOKENS} AS tokens,
            least(${MOST_BY_HEALTH} - (${BUSY}), floor(${TOKENS}), ${ROOM},
                  $11::int - (${BUSY} AND busy.replay IS NOT NULL))::int AS places
       FROM notification_webhooks w LEFT JOIN endpoint_paces p ON p.webhook = w.id
      WHERE ${OPEN} AND w.id = ANY (ARRAY(SELECT webhook FROM webhook_replays WHERE status = 'running'))
        AND NOT EXISTS (
              SELECT FROM webhook_deliveries d
               WHERE d.webhook = w.id AND d.due_at <= $1 AND d.replay IS NULL AND ${UNLEASED})
   ), ${MINE}, due AS (
     SELECT id
       FROM (SELECT free.id, one.room, row_number() OVER (PARTITION BY one.tenant ORDER BY one.id) AS place_in_tenant
               FROM (SELECT * FROM endpoint WHERE ${IS_MINE}) one
              CROSS JOIN LATERAL (
                SELECT d.id FROM webhook_replays r JOIN webhook_deliveries d ON d.replay = r.id
                 WHERE r.webhook = one.id AND r.status = 'running' AND d.status = 'pending' AND d.due_at <= $1 AND ${UNLEASED}
                 ORDER BY d.due_at, d.id
                 LIMIT one.places
                   FOR UPDATE OF d SKIP LOCKED) free) candidate
      WHERE place_in_tenant <= room
      LIMIT $6
   ), ${TAKE}`,
);
const earliest = sql(
  'webhook_deliveries.earliest',
  `SELECT min(d.due_at) AS due_at FROM webhook_deliveries d JOIN notification_webhooks w ON w.id = d.webhook
    WHERE d.due_at <= $1 AND ${OPEN}`,
);

export interface LeaseTerms {
  readonly now: Date;
  readonly wallNow: Date;
  readonly token: string;
  readonly until: Date;
  readonly perEndpoint: number;
  readonly most: number;
  /** Deliveries per second to one endpoint. */
  readonly rate: number;
  /** How many more each tenant may start. Default: unlimited. */
  readonly rooms?: TenantRooms;
}

export async function leaseDueDeliveries(tx: Queryable, terms: LeaseTerms): Promise<LeasedDelivery[]> {
  return tx.query<LeasedDelivery>(lease, valuesOf(terms));
}

/** `atOnce`: the maximum number of concurrent replayed deliveries to one endpoint. */
export async function leaseReplayedDeliveries(
  tx: Queryable,
  terms: LeaseTerms,
  atOnce: number,
): Promise<LeasedDelivery[]> {
  return tx.query<LeasedDelivery>(leaseReplayed, [...valuesOf(terms), atOnce]);
}

function valuesOf({ now, wallNow, token, until, perEndpoint, most, rate, rooms }: LeaseTerms): unknown[] {
  const known = [...(rooms?.rooms ?? [])];
  const [tenants, more] = [known.map(([tenant]) => tenant), known.map(([, room]) => room)];
  return [now, wallNow, token, until, perEndpoint, most, rate, tenants, more, rooms?.others ?? most];
}

export async function earliestDueDelivery(tx: Queryable, before: Date): Promise<Date | null> {
  const [row] = await tx.query<{ due_at: Date | null }>(earliest, [before]);
  return row?.due_at ?? null;
}
