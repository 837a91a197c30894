import pg from 'pg';
import { onServer } from '../lib/postgres.ts';

/** Tenants and their share of the payments, in tenths. */
const BIG = 'big';
const SHARES = `CASE WHEN n % 10 < 7 THEN '${BIG}' WHEN n % 10 < 9 THEN 'mid' ELSE 'small' END`;
/** The tenant whose lists are requested: it has seven of ten payments. */
export const TENANT = BIG;

// Ids of payments, orders and references are the payment's number with these before it.
export const FIRST_ID = 1_000;
export const FIRST_ORDER = 1_000_000_000;
export const REFERENCE = 'ref-';

/**
 * `count` payments, evenly over the year that ends now. 80 % are NETBANKING, 15 % NACH, 5 % AUTH_TRANSACTION; one in seven has
 * FAILED, one in a hundred is REJECTED, those of the last day are on their way, all others are APPROVED.
 */
const payments = (count: number, first: number, last: number) => `
  SELECT *, status IN ('SUCCESS', 'INITIATED', 'APPROVED', 'REJECTED') AS paid FROM (
    SELECT *, CASE
        WHEN payment_type = 'AUTH_TRANSACTION' THEN CASE WHEN n % 7 = 0 THEN 'FAILED' ELSE 'SUCCESS' END
        WHEN created_at > now() - interval '30 min' THEN (ARRAY['PENDING', 'SUBMITTED', 'SUCCESS'])[n % 3 + 1]
        WHEN n % 7 = 0 THEN 'FAILED' WHEN n % 101 = 0 THEN 'REJECTED'
        WHEN created_at > now() - interval '1 day' THEN 'INITIATED' ELSE 'APPROVED' END AS status
    FROM (
      SELECT n, now() - interval '365 days' * ((${count} - n) / ${count}::float8) AS created_at, ${SHARES} AS tenant,
        CASE WHEN n % 20 IN (3, 8, 19) THEN 'NACH' WHEN n % 20 = 14 THEN 'AUTH_TRANSACTION' ELSE 'NETBANKING' END AS payment_type
      FROM generate_series(${first}, ${last}) AS n) AS made) AS become`;

const insertPayments = (source: string) => `
  INSERT INTO payments (id, tenant, payment_type, status, amount, debit_date, method, upi, from_bank_account_id,
    mandate_id, provider_name, source_ref_id, failure_code, created_at, submitted_at,
    debit_confirmed_at, failed_at, event_seq, received_amount, transfer_reference, transfer_accepted_at)
  SELECT ${FIRST_ID} + n, tenant, payment_type, status, CASE WHEN payment_type <> 'AUTH_TRANSACTION' THEN 1000 + n % 5000 ELSE 0 END, payment_day(created_at),
    CASE payment_type WHEN 'NETBANKING' THEN 'UPI' END, CASE payment_type WHEN 'NETBANKING' THEN jsonb_build_object(
      'type', 'uri', 'vpa', null, 'uri', 'upi://pay?pa=clearing@bank&pn=Operator&am=1000.00&cu=INR&tr=' || n) END,
    n % 100000 + 1,
    CASE WHEN payment_type <> 'NETBANKING' THEN n % 100000 + 1 END, 'GATEWAYPOA', '${REFERENCE}' || n,
    CASE status WHEN 'FAILED' THEN 'payment_expired' END, created_at,
    created_at + interval '3 s', CASE WHEN paid THEN created_at + interval '1 min' END,
    CASE status WHEN 'FAILED' THEN created_at + interval '30 min' END, 4,
    CASE WHEN paid AND payment_type <> 'AUTH_TRANSACTION' THEN 1000 + n % 5000 ELSE 0 END,
    CASE WHEN status IN ('INITIATED', 'APPROVED') THEN 'trf_' || n END,
    CASE WHEN status IN ('INITIATED', 'APPROVED') THEN created_at + interval '2 min' END
  FROM (${source}) AS payment`;

const insertOrders = (source: string) => `
  INSERT INTO payment_orders (payment_id, old_id, tenant, order_id, amount, live)
  SELECT ${FIRST_ID} + n, ${FIRST_ORDER} + n, tenant, 'mfp_' || md5(n::text), 1000 + n % 5000, status NOT IN ('FAILED', 'REJECTED')
  FROM (${source}) AS payment WHERE payment_type <> 'AUTH_TRANSACTION'`;

/** How each of them is asked for: a purchase by URI, an authorisation on the page; a debit has neither. */
const insertRequests = (source: string) => `
  WITH payment AS (${source}), upi AS (
    INSERT INTO upi_requests (payment_id, tenant, state, expires_at, sent_at)
    SELECT ${FIRST_ID} + n, tenant, 'sent', created_at + interval '30 min', created_at + interval '3 s'
    FROM payment WHERE payment_type = 'NETBANKING'
  ), page AS (
    INSERT INTO checkouts (payment_id, tenant, state, expires_at, postback_url, sdk_offered, token_expires_at)
    SELECT ${FIRST_ID} + n, tenant, 'offered', created_at + interval '30 min', '', false, created_at + interval '30 min'
    FROM payment WHERE payment_type = 'AUTH_TRANSACTION'
  )
  INSERT INTO authorisations (payment_id, tenant, state)
  SELECT ${FIRST_ID} + n, tenant, CASE status WHEN 'SUCCESS' THEN 'approved' ELSE 'asked' END
  FROM payment WHERE payment_type = 'AUTH_TRANSACTION'`;

const COUNT = `
  INSERT INTO payment_counts (tenant, day, payment_type, status, n)
  SELECT tenant, payment_day(created_at), payment_type, status, count(*) FROM payments GROUP BY 1, 2, 3, 4`;

/** Connections that fill at the same time. */
const AT_ONCE = 3;
const CHUNKS = 12;

/**
 * Fills a migrated, empty database of payments: without triggers and, but for the primary keys, without indexes, which are
 * then built as the migrations have them. In the end everything is vacuumed, as a database is that has been used for a year.
 */
export async function fill(url: string, count: number): Promise<void> {
  const indexes = await indexesOf(url);
  await onServer(url, 'ALTER TABLE payments DISABLE TRIGGER USER', ...indexes.map(({ drop }) => drop));
  const chunks = Array.from({ length: CHUNKS }, (_, index) =>
    payments(count, Math.floor((count * index) / CHUNKS) + 1, Math.floor((count * (index + 1)) / CHUNKS)),
  );
  await together(
    url,
    chunks.flatMap((source) => [insertPayments(source), insertOrders(source), insertRequests(source)]),
  );
  await together(url, [COUNT, ...indexes.map(({ make }) => make)]);
  await together(url, [
    'VACUUM (ANALYZE) payments',
    'VACUUM (ANALYZE) payment_orders',
    'VACUUM (ANALYZE) payment_counts',
    'VACUUM (ANALYZE) upi_requests, checkouts, authorisations',
  ]);
  await onServer(url, 'ALTER TABLE payments ENABLE TRIGGER USER');
}

async function together(url: string, statements: readonly string[]): Promise<void> {
  const left = [...statements];
  const one = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      await onServer(url, "SET maintenance_work_mem = '1GB'", next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

interface Index {
  readonly drop: string;
  readonly make: string;
}

const INDEXES = `
  SELECT CASE WHEN c.oid IS NULL THEN format('DROP INDEX %s', i.indexrelid::regclass)
           ELSE format('ALTER TABLE %s DROP CONSTRAINT %s', i.indrelid::regclass, c.conname) END AS drop,
         CASE WHEN c.oid IS NULL THEN pg_get_indexdef(i.indexrelid)
           ELSE format('ALTER TABLE %s ADD CONSTRAINT %s %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
           END AS make
    FROM pg_index AS i LEFT JOIN pg_constraint AS c ON c.conindid = i.indexrelid AND c.contype = 'u'
   WHERE i.indrelid IN ('payments'::regclass, 'payment_orders'::regclass) AND NOT i.indisprimary`;

async function indexesOf(url: string): Promise<Index[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Index>(INDEXES)).rows;
  } finally {
    await client.end();
  }
}
