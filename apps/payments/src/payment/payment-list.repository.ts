import { PAYMENT_STATUSES, PAYMENT_TYPES, type PaymentFilters } from '@fundrail/contracts';
import { sql, type Queryable, type Statement } from '@fundrail/persistence';
import type { PaymentRow } from './payment.tables.ts';

/** A page of a list: of the payments that match the filters, newest first, at most `size` rows from `page * size` on. */
export type PaymentQuery = PaymentFilters & { readonly page: number; readonly size: number };

/** The rows of a page, and the total of all pages, from the same snapshot. */
interface RowsOfPage {
  readonly rows: readonly PaymentRow[];
  readonly total: number;
}

/** There is always a row: on an empty page it contains only the total. */
type Selected = { readonly total: number } & (PaymentRow | { readonly id: null });

/**
 * A page of a tenant's payments with the exact total. No rows are counted: the total and the day where the page starts come from
 * counters, the rows from an index (decision 0011).
 */
export async function findPage(db: Queryable, tenant: string, query: PaymentQuery): Promise<RowsOfPage> {
  const isNamed = query.amc_order_ids !== undefined || query.source_ref_id !== undefined;
  const [statement, values] = isNamed ? named(query) : counted(query);
  const selected = await db.query<Selected>(statement, [tenant, ...values]);
  return { total: selected[0]?.total ?? 0, rows: selected.filter((row) => row.id !== null) };
}

type Asked = readonly [Statement, readonly unknown[]];

/** The open ends of a date range, as PostgreSQL writes them. */
const [FIRST_DAY, LAST_DAY] = ['-infinity', 'infinity'];

function counted({ from, to, payment_type, payment_status, page, size }: PaymentQuery): Asked {
  const values = [from ?? FIRST_DAY, to ?? LAST_DAY, page * size, size];
  if (payment_type && payment_status) return [OF_TYPE_AND_STATUS, [...values, payment_type, payment_status]];
  if (payment_type) return [OF_TYPE, [...values, payment_type]];
  if (payment_status) return [OF_STATUS, [...values, payment_status]];
  return [OF_ALL, values];
}

// Reads a row by its id only: OFFSET keeps the planner from scanning all rows of the tenant (decision 0010).
const ROW = '(SELECT * FROM payments WHERE id = found.id OFFSET 0)';
const PAGE_ORDER = 'ORDER BY page.created_at DESC, page.id DESC';

/**
 * A page by the counters: $2 to $3 are the days, $4 is the offset, $5 the size. For each day of the page it computes how many of
 * its rows to skip and to take; rows are skipped only on the first day of the page.
 */
function pageByCounters(name: string, condition: string, keys: string): Statement {
  const counters = (table: string) =>
    `SELECT day, n FROM ${table} WHERE tenant = $1 AND day BETWEEN $2::date AND $3::date${condition}`;
  return sql(
    `payments.page_${name}`,
    `WITH days AS MATERIALIZED (
       SELECT day, sum(n)::int AS n
       FROM (${counters('payment_counts')} UNION ALL ${counters('payment_count_deltas')}) AS counters GROUP BY day
     ), placed AS (
       SELECT day, n, sum(n) OVER (ORDER BY day DESC) - n AS before FROM days
     ), wanted AS (
       SELECT day, greatest($4 - before, 0) AS skip, least($4 + $5 - before, n) - greatest($4 - before, 0) AS take
       FROM placed WHERE before < $4::bigint + $5::bigint AND before + n > $4
     ), found AS (
       SELECT newest.id FROM wanted CROSS JOIN LATERAL (${keys}) AS newest
     )
     SELECT total.total, page.* FROM (SELECT coalesce(sum(n), 0) AS total FROM days) AS total
       LEFT JOIN (SELECT p.* FROM found CROSS JOIN LATERAL ${ROW} AS p WHERE p.tenant = $1) AS page ON true
     ${PAGE_ORDER}`,
  );
}

// With this collation only the list's statements use the list's indexes.
const OF_DAY = `tenant COLLATE "C" = $1 AND created_at >= day::timestamp AT TIME ZONE INTERVAL '05:30'
  AND created_at < (day + 1)::timestamp AT TIME ZONE INTERVAL '05:30'`;

/** The keys of the payments of a day, all of them or by type and status, in the order of a matching index. */
const keysOfDay = (condition: string) =>
  `SELECT created_at, id FROM payments WHERE ${OF_DAY}${condition} ORDER BY created_at DESC, id DESC`;

/** Merges the keys of several conditions; each is read no further than the page needs. */
function merged(conditions: readonly string[]): string {
  const parts = conditions.map((condition) => `(${keysOfDay(condition)} LIMIT skip + take)`);
  return `SELECT id FROM (${parts.join(' UNION ALL ')}) AS parts ORDER BY created_at DESC, id DESC OFFSET skip LIMIT take`;
}

const ONE_INDEX = 'OFFSET skip LIMIT take';
const OF_ALL = pageByCounters('of_all', '', `${keysOfDay('')} ${ONE_INDEX}`);
const OF_TYPE = pageByCounters(
  'of_type',
  ' AND payment_type = $6',
  merged(PAYMENT_STATUSES.map((status) => ` AND payment_type = $6 AND status = '${status}'`)),
);
const OF_STATUS = pageByCounters(
  'of_status',
  ' AND status = $6',
  merged(PAYMENT_TYPES.map((type) => ` AND payment_type = '${type}' AND status = $6`)),
);
const TYPE_AND_STATUS = ' AND payment_type = $6 AND status = $7';
const OF_TYPE_AND_STATUS = pageByCounters(
  'of_type_and_status',
  TYPE_AND_STATUS,
  `${keysOfDay(TYPE_AND_STATUS)} ${ONE_INDEX}`,
);

function named(query: PaymentQuery): Asked {
  const { from, to, payment_type, payment_status, amc_order_ids, source_ref_id, page, size } = query;
  const filters = [
    amc_order_ids ?? null,
    source_ref_id ?? null,
    payment_type ?? null,
    payment_status ?? null,
  ];
  return [OF_NAMED, [...filters, from ?? FIRST_DAY, to ?? LAST_DAY, page * size, size]];
}

/** An order has a few payments and a reference has one: they are found first, then the other filters apply. */
const OF_NAMED = sql(
  'payments.page_of_named',
  `WITH found AS (
     SELECT payment_id AS id FROM payment_orders WHERE tenant = $1 AND old_id = ANY($2::bigint[])
     UNION
     SELECT id FROM payments WHERE tenant = $1 AND source_ref_id = $3
   ), matching AS MATERIALIZED (
     SELECT p.* FROM found CROSS JOIN LATERAL ${ROW} AS p
     WHERE p.tenant = $1 AND ($3::text IS NULL OR p.source_ref_id = $3)
       AND ($2::bigint[] IS NULL OR p.id IN (SELECT payment_id FROM payment_orders WHERE tenant = $1 AND old_id = ANY($2)))
       AND ($4::text IS NULL OR p.payment_type = $4) AND ($5::text IS NULL OR p.status = $5)
       AND payment_day(p.created_at) BETWEEN $6 AND $7
   )
   SELECT total.total, page.* FROM (SELECT count(*) AS total FROM matching) AS total
     LEFT JOIN (SELECT * FROM matching ORDER BY created_at DESC, id DESC OFFSET $8 LIMIT $9) AS page ON true
   ${PAGE_ORDER}`,
);
