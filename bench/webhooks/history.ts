import { EVENT_DATA } from '../lib/events.ts';
import { onServer } from '../lib/postgres.ts';
import type { BenchEndpoint } from './fill.ts';

/** For so long attempts, deliveries and events are kept (EVT-7). */
const DAYS = 30;
/** Days that the product makes ahead. */
const DAYS_AHEAD = 7;
const TENANTS = 10;
const PER_TENANT = 10;
/** Endpoints of a tenant that receive an event. */
const LISTENING = 2;
/** Events of an object. */
const EVENTS = 4;
/** One of so many deliveries was taken by its second attempt, and one of so many never. */
const TAKEN_LATE = 10;
const NEVER_TAKEN = 100;
const AT_ONCE = 2;

/** The 100 endpoints of ten tenants. */
export const ENDPOINTS: readonly BenchEndpoint[] = Array.from(
  { length: TENANTS * PER_TENANT },
  (_, number) => ({ id: endpointId(number), tenant: `bench-${number % TENANTS}` }),
);

function endpointId(number: number): string {
  return `nwh_${number.toString(16).padStart(32, '0')}`;
}

const insertEndpoints = `
  INSERT INTO notification_webhooks (id, tenant, url, events, status, secret_encrypted, created_at, updated_at)
  SELECT 'nwh_' || lpad(to_hex(n), 32, '0'), 'bench-' || n % ${TENANTS}, 'https://shop.example/hooks', '{payment.*}', 'enabled',
         repeat('x', 100), now() - interval '31 days', now()
    FROM generate_series(0, ${TENANTS * PER_TENANT - 1}) AS n;
  INSERT INTO endpoint_paces (webhook, tokens, at) SELECT id, 0, to_timestamp(0) FROM notification_webhooks`;

// What a migrated database has at first is one piece; after a month there is one for each day.
const makeDays = `
  DROP TABLE delivery_attempts_before;
  DO $$ BEGIN
    FOR d IN -${DAYS} .. ${DAYS_AHEAD} LOOP
      EXECUTE format('CREATE TABLE delivery_attempts_%s PARTITION OF delivery_attempts FOR VALUES FROM (%L) TO (%L)',
        to_char(date_trunc('day', now(), 'UTC') + d * interval '1 day', 'YYYYMMDD'),
        date_trunc('day', now(), 'UTC') + d * interval '1 day', date_trunc('day', now(), 'UTC') + (d + 1) * interval '1 day');
    END LOOP;
  END $$`;

/** Numbered events, evenly over the days until an hour ago; ids begin with their time, as the product's do. */
const madeEvents = (first: number, last: number, all: number) => `
  SELECT k, at, 'bench-' || k % ${TENANTS} AS tenant, (k / ${EVENTS})::text AS object_id, k % ${EVENTS} + 1 AS sequence,
         lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || lpad(to_hex(k), 18, '0') AS tail
    FROM (SELECT k, now() - interval '1 hour' - interval '${DAYS} days' * ((${all} - k) / ${all}::float8) AS at
            FROM generate_series(${first}, ${last}) AS k) AS moments`;

const insertEvents = (source: string) => `
  INSERT INTO events (id, tenant, type, object_id, subject, sequence, body, occurred_at, stored_at)
  SELECT 'evt_' || tail || '00', tenant, 'payment.updated', object_id, 'payment:' || object_id, sequence,
         '{"id":"evt_' || tail || '00","object":"event","type":"payment.updated","data":' || '${EVENT_DATA.replaceAll("'", "''")}' || '}',
         at, at
    FROM (${source}) AS made`;

/** Two deliveries of each: `n` is the first's number or the second's. */
const madeDeliveries = (source: string) => `
  SELECT made.*, 2 * k + second AS n, 'whd_' || tail || lpad(second::text, 2, '0') AS id,
         'nwh_' || lpad(to_hex(k % ${TENANTS} + ${TENANTS} * (k / ${TENANTS} % ${PER_TENANT / LISTENING} * ${LISTENING} + second)), 32, '0') AS webhook
    FROM (${source}) AS made CROSS JOIN generate_series(0, ${LISTENING - 1}) AS second`;

const insertDeliveries = (source: string) => `
  INSERT INTO webhook_deliveries
    (id, tenant, webhook, event, type, object_id, subject, sequence, status, failure_code, tries, created_at)
  SELECT id, tenant, webhook, 'evt_' || tail || '00', 'payment.updated', object_id, 'payment:' || object_id, sequence,
         CASE WHEN n % ${NEVER_TAKEN} = 1 THEN 'failed' ELSE 'delivered' END,
         CASE WHEN n % ${NEVER_TAKEN} = 1 THEN 'attempts_exhausted' END,
         CASE WHEN n % ${NEVER_TAKEN} = 1 THEN 10 WHEN n % ${TAKEN_LATE} = 0 THEN 1 ELSE 0 END, at
    FROM (${madeDeliveries(source)}) AS delivery`;

const insertAttempts = (source: string) => `
  INSERT INTO delivery_attempts (tenant, delivery, at, stored_at, url, webhook_timestamp, status, duration_ms, error, response_body)
  SELECT tenant, id, at + 5 * try * interval '1 s', at + 5 * try * interval '1 s', 'https://shop.example/hooks',
         extract(epoch FROM at)::bigint, CASE WHEN n % ${NEVER_TAKEN} = 1 OR try < tries THEN 500 ELSE 200 END, 40, NULL, 'ok'
    FROM (SELECT delivery.*, CASE WHEN n % ${TAKEN_LATE} = 0 THEN 1 ELSE 0 END AS tries FROM (${madeDeliveries(source)}) AS delivery) AS tried
   CROSS JOIN LATERAL generate_series(0, tries) AS try`;

/** Attempts that so many events have. */
const ATTEMPTS_OF_EVENT = LISTENING * (1 + 1 / TAKEN_LATE);

/**
 * Fills a migrated, empty database of webhooks with a month of deliveries that have ended, and so many attempts of them, by the
 * day. In the end all is vacuumed, as by the years.
 */
export async function fillHistory(url: string, attempts: number): Promise<void> {
  await onServer(url, insertEndpoints, makeDays);
  const all = Math.round(attempts / ATTEMPTS_OF_EVENT);
  const days = Array.from({ length: DAYS }, (_, day) =>
    madeEvents(Math.floor((all * day) / DAYS) + 1, Math.floor((all * (day + 1)) / DAYS), all),
  );
  await together(
    days.map((source) => [insertEvents(source), insertDeliveries(source), insertAttempts(source)]),
    // Each reference would be asked for, and all of them are there.
    (statements) => onServer(url, "SET session_replication_role = 'replica'", ...statements),
  );
  await together(
    ['events', 'webhook_deliveries', 'delivery_attempts', 'notification_webhooks'].map((table) => [
      `VACUUM (ANALYZE) ${table}`,
    ]),
    (statements) => onServer(url, ...statements),
  );
}

async function together(
  parts: readonly (readonly string[])[],
  work: (statements: readonly string[]) => Promise<void>,
): Promise<void> {
  const left = [...parts];
  const one = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}
