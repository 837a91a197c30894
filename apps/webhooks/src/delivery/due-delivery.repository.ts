import { sql, type Queryable } from '@fundrail/service-kit/db';
import type { TenantRooms } from './places.ts';
import type { OldSecret } from '../notification-webhook/notification-webhook.entity.ts';

/** A delivery that this process may attempt now, and all that it needs for it. */
export interface LeasedDelivery {
  readonly id: string;
  readonly tenant: string;
  readonly webhook: string;
  readonly event: string;
  /** When it could have been attempted, in business time. */
  readonly due_at: Date;
  readonly tries: number;
  readonly planned_at: Date | null;
  readonly url: string;
  readonly secret_encrypted: string;
  readonly old_secrets: readonly OldSecret[];
  readonly body: string;
  /** Of the event; null when it was stored before events carried one. */
  readonly traceparent: string | null;
}

// What an endpoint gets a second: while it fails, enough to hear soon that it is well again. Failing at once, one after the
// other, a dead one would cost more than any that is well.
const RATE = 'CASE WHEN w.failing_since IS NULL THEN $7::int ELSE least($7::int, 5) END';
// An endpoint's tokens at $2: it earns its rate, and keeps those of one second at most.
const TOKENS = `coalesce(
  least(${RATE}, p.tokens + greatest(0, extract(epoch FROM $2::timestamptz - p.at)) * ${RATE}), ${RATE})`;
const OPEN = `w.status = 'enabled' AND w.deleted_at IS NULL AND (w.paused_until IS NULL OR w.paused_until <= $1)`;
const BUSY =
  'SELECT count(*) FROM webhook_deliveries busy WHERE busy.webhook = w.id AND busy.leased_until > $2';
const MOST_BY_HEALTH = 'CASE WHEN w.failing_since IS NULL THEN $5::int ELSE 1 END';
// How many more deliveries the endpoint's tenant may begin.
const ROOM =
  'coalesce((SELECT r.room FROM unnest($8::text[], $9::int[]) AS r (tenant, room) WHERE r.tenant = w.tenant), $10::int)';
const UNLEASED = '(d.leased_until IS NULL OR d.leased_until <= $2)';

/**
 * Endpoints that no other replica leases for now, nor has since this statement counted what they have under way: what it then
 * adds would be beyond their places. The next lease comes back to the rest. An endpoint without a row (a crash of the server
 * empties the table) is leased for without asking.
 */
const MINE = `mine AS MATERIALIZED (
     SELECT p.webhook FROM endpoint_paces p JOIN endpoint ON endpoint.id = p.webhook AND endpoint.leases = p.leases
      WHERE endpoint.places > 0
        FOR UPDATE OF p SKIP LOCKED
   )`;
const IS_MINE = 'places > 0 AND (leases IS NULL OR id IN (SELECT webhook FROM mine))';

/**
 * Takes the lease of each of `due` and the tokens of their endpoints. The lease does not wait for the disk: one that a crash of
 * the server takes back is a delivery made twice, as any crash may. Endpoints and events are looked up one by one behind a limit:
 * joined, the planner, which takes all of it for one row, reads every delivery once more for each endpoint.
 */
const TAKE = `hasty AS MATERIALIZED (
     SELECT set_config('synchronous_commit', 'off', true) AS off
   ), leased AS (
     UPDATE webhook_deliveries d SET lease_token = $3, leased_until = $4
       FROM hasty
      WHERE d.id = ANY (ARRAY(SELECT id FROM due)) AND hasty.off = 'off'
     RETURNING d.id, d.tenant, d.webhook, d.event, d.due_at, d.tries, d.planned_at
   ), paid AS (
     INSERT INTO endpoint_paces AS p (webhook, tokens, at)
     SELECT taken.webhook, endpoint.tokens - taken.count, $2
       FROM (SELECT webhook, count(*) AS count FROM leased GROUP BY webhook) taken JOIN endpoint ON endpoint.id = taken.webhook
      ORDER BY taken.webhook
     ON CONFLICT (webhook) DO UPDATE
       SET tokens = excluded.tokens, at = greatest(p.at, excluded.at), leases = p.leases + 1
   )
   SELECT leased.*, one.url, one.secret_encrypted, one.old_secrets, said.body, said.traceparent
     FROM leased
    CROSS JOIN LATERAL (
      SELECT w.url, w.secret_encrypted, w.old_secrets FROM notification_webhooks w WHERE w.id = leased.webhook LIMIT 1) one
    CROSS JOIN LATERAL (SELECT e.body, e.traceparent FROM events e WHERE e.id = leased.event LIMIT 1) said`;

/**
 * Leases what is due, replica-safe: a row that another locks is skipped, one that is leased is not due. An endpoint gets at
 * most $5 at a time and $7 a second, one at a time and 5 a second while it fails. Places are given in turn: one to each tenant with
 * something due, and a tenant's one to each of its endpoints; who has the fewest under way comes first. What one cannot use, as a
 * dead endpoint, which gets few, or a slow one, which has all of its own, others get by the same lease, up to twice their share.
 * Only a pending delivery that is not held has a time when it is due, and only such a one has a lease; see the migrations for
 * why that is not said here again.
 * What is due is looked up as an array, and an endpoint's earliest by its order: left the choice, the planner takes a third of
 * the table for due and reads all of it, which is mostly history, to find a handful.
 * $1 business time, $2 wall time, $3 token, $4 end of the lease, $5 places an endpoint, $6 places in all, $7 an endpoint's rate,
 * $8 tenants and $9 how many more they may begin, $10 and each of the others.
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
 * Leases what is replayed, as above, at most $11 at a time to an endpoint, and nothing while a new event could go there: a
 * replay is never ahead of one.
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
    WHERE d.due_at <= $1 AND w.status = 'enabled' AND w.deleted_at IS NULL AND (w.paused_until IS NULL OR w.paused_until <= $1)`,
);

export interface LeaseTerms {
  readonly now: Date;
  readonly wallNow: Date;
  readonly token: string;
  readonly until: Date;
  readonly perEndpoint: number;
  readonly most: number;
  /** Deliveries a second to one endpoint. */
  readonly rate: number;
  /** How many more each tenant may begin; left out, that is not bounded. */
  readonly rooms?: TenantRooms;
}

export async function leaseDueDeliveries(tx: Queryable, terms: LeaseTerms): Promise<LeasedDelivery[]> {
  return tx.query<LeasedDelivery>(lease, valuesOf(terms));
}

/** `atOnce`: replayed deliveries that may be under way to one endpoint. */
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
