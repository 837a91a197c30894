import { PAYMENT_STATUSES, PAYMENT_TYPES, type PaymentFilters } from '@fundrail/contracts';
import { sql, type Queryable, type Statement } from '@fundrail/persistence';
import type { PaymentRow } from './payment.tables.ts';

/** A page of a list: of the payments that match the filters, newest first or by `direction`, at most `size` rows from `page * size` on. */
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
  const statements = query.direction === 'asc' ? OLDEST_FIRST : NEWEST_FIRST;
  const [statement, values] = isNamed ? named(query, statements) : counted(query, statements);
  const selected = await db.query<Selected>(statement, [tenant, ...values]);
  return { total: selected[0]?.total ?? 0, rows: selected.filter((row) => row.id !== null) };
}

type Asked = readonly [Statement, readonly unknown[]];

type Order = 'ASC' | 'DESC';
type Statements = ReturnType<typeof statementsIn>;

/** The open ends of a date range, as PostgreSQL writes them. */
const [FIRST_DAY, LAST_DAY] = ['-infinity', 'infinity'];

function counted(query: PaymentQuery, { all, ofType, ofStatus, ofBoth }: Statements): Asked {
  const { from, to, payment_type, payment_status, page, size } = query;
  const values = [from ?? FIRST_DAY, to ?? LAST_DAY, page * size, size];
  if (payment_type && payment_status) return [ofBoth, [...values, payment_type, payment_status]];
  if (payment_type) return [ofType, [...values, payment_type]];
  if (payment_status) return [ofStatus, [...values, payment_status]];
  return [all, values];
}

// Reads a row by its id only: OFFSET keeps the planner from scanning all rows of the tenant (decision 0010).
const ROW = '(SELECT * FROM payments WHERE id = found.id OFFSET 0)';
const OF_TYPE = ' AND payment_type = $6';
const OF_STATUS = ' AND status = $6';
const OF_BOTH = `${OF_TYPE} AND status = $7`;

/** The statements of a list in that order, which read its indexes forwards (DESC) or backwards. */
function statementsIn(order: Order) {
  const oneIndex = (condition: string) => `${keysOfDay(condition, order)} OFFSET skip LIMIT take`;
  const ofEachStatus = PAYMENT_STATUSES.map((status) => `${OF_TYPE} AND status = '${status}'`);
  const ofEachType = PAYMENT_TYPES.map((type) => `${OF_STATUS} AND payment_type = '${type}'`);
  return {
    all: pageByCounters('all', '', order, oneIndex('')),
    ofType: pageByCounters('type', OF_TYPE, order, merged(ofEachStatus, order)),
    ofStatus: pageByCounters('status', OF_STATUS, order, merged(ofEachType, order)),
    ofBoth: pageByCounters('type_and_status', OF_BOTH, order, oneIndex(OF_BOTH)),
    named: pageOfNamed(order),
  };
}

const nameIn = (order: Order, name: string) => `payments.${order === 'DESC' ? 'page' : 'oldest'}_of_${name}`;
const by = (order: Order, alias = '') => `ORDER BY ${alias}created_at ${order}, ${alias}id ${order}`;

/**
 * A page by the counters: $2 to $3 are the days, $4 is the offset, $5 the size. For each day of the page it computes how many of
 * its rows to skip and to take; rows are skipped only on the first day of the page.
 */
function pageByCounters(name: string, condition: string, order: Order, keys: string): Statement {
  const counters = (table: string) =>
    `SELECT day, n FROM ${table} WHERE tenant = $1 AND day BETWEEN $2::date AND $3::date${condition}`;
  return sql(
    nameIn(order, name),
    `WITH days AS MATERIALIZED (
       SELECT day, sum(n)::int AS n
       FROM (${counters('payment_counts')} UNION ALL ${counters('payment_count_deltas')}) AS counters GROUP BY day
     ), placed AS (
       SELECT day, n, sum(n) OVER (ORDER BY day ${order}) - n AS before FROM days
     ), wanted AS (
       SELECT day, greatest($4 - before, 0) AS skip, least($4 + $5 - before, n) - greatest($4 - before, 0) AS take
       FROM placed WHERE before < $4::bigint + $5::bigint AND before + n > $4
     ), found AS (
       SELECT newest.id FROM wanted CROSS JOIN LATERAL (${keys}) AS newest
     )
     SELECT total.total, page.* FROM (SELECT coalesce(sum(n), 0) AS total FROM days) AS total
       LEFT JOIN (SELECT p.* FROM found CROSS JOIN LATERAL ${ROW} AS p WHERE p.tenant = $1) AS page ON true
     ${by(order, 'page.')}`,
  );
}

// With this collation only the list's statements use the list's indexes.
const OF_DAY = `tenant COLLATE "C" = $1 AND created_at >= day::timestamp AT TIME ZONE INTERVAL '05:30'
  AND created_at < (day + 1)::timestamp AT TIME ZONE INTERVAL '05:30'`;

/** The keys of the payments of a day, all of them or by type and status, in the order of a matching index. */
const keysOfDay = (condition: string, order: Order) =>
  `SELECT created_at, id FROM payments WHERE ${OF_DAY}${condition} ${by(order)}`;

/** Merges the keys of several conditions; each is read no further than the page needs. */
function merged(conditions: readonly string[], order: Order): string {
  const parts = conditions.map((condition) => `(${keysOfDay(condition, order)} LIMIT skip + take)`);
  return `SELECT id FROM (${parts.join(' UNION ALL ')}) AS parts ${by(order)} OFFSET skip LIMIT take`;
}

function named(query: PaymentQuery, statements: Statements): Asked {
  const { from, to, payment_type, payment_status, amc_order_ids, source_ref_id, page, size } = query;
  const filters = [
    amc_order_ids ?? null,
    source_ref_id ?? null,
    payment_type ?? null,
    payment_status ?? null,
  ];
  return [statements.named, [...filters, from ?? FIRST_DAY, to ?? LAST_DAY, page * size, size]];
}

/** An order has a few payments and a reference has one: they are found first, then the other filters apply. */
function pageOfNamed(order: Order): Statement {
  return sql(
    nameIn(order, 'named'),
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
       LEFT JOIN (SELECT * FROM matching ${by(order)} OFFSET $8 LIMIT $9) AS page ON true
     ${by(order, 'page.')}`,
  );
}

const NEWEST_FIRST = statementsIn('DESC');
const OLDEST_FIRST = statementsIn('ASC');
