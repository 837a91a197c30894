import { sql, type Queryable } from '@fundrail/persistence';
import type { AttemptDay, AttemptPartition } from './attempt-days.ts';

const onlyOne = sql(
  'delivery_attempts.only_one',
  "SELECT pg_try_advisory_xact_lock(hashtext('webhooks.retention')) AS is_only_one",
);
// A waiting lock request blocks all later ones, including the inserts of attempts. So it gives up soon and is retried later.
const beBrief = sql('delivery_attempts.be_brief', "SET LOCAL lock_timeout = '100ms'");
const list = sql(
  'delivery_attempts.days',
  `SELECT c.relname::text AS name,
          substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \\(''([^'']+)''\\)')::timestamptz AS starts,
          substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''([^'']+)''\\)')::timestamptz AS ends
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'delivery_attempts'::regclass`,
);
const lockRest = sql(
  'delivery_attempts.lock_rest',
  'LOCK TABLE delivery_attempts_other IN ACCESS EXCLUSIVE MODE',
);
/** Without the body of the answer. */
const FACTS = 'id, tenant, delivery, at, status, duration_ms, error, url, webhook_timestamp, stored_at';
/** Of the URL scheme and host stay: a tenant may name a person, or have a secret, in the rest. It has no user info (HOOK-7). */
const PAST_FACTS = FACTS.replace('url', "substring(url FROM '^[^/]*//[^/?#]*') AS url");
const removeOfRest = sql(
  'delivery_attempts.remove_of_rest',
  `WITH gone AS (
     DELETE FROM delivery_attempts_other WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM delivery_attempts_other WHERE stored_at < $1 ORDER BY stored_at LIMIT $2))
     RETURNING ${PAST_FACTS}
   ), past AS (
     INSERT INTO past_attempts (${FACTS}) TABLE gone
     ON CONFLICT DO NOTHING
   )
   SELECT count(*)::int AS removed FROM gone`,
);

/** Whether this transaction is the only one that changes the partitions. */
export async function isOnlyOne(tx: Queryable): Promise<boolean> {
  await tx.query(beBrief);
  const [row] = await tx.query<{ is_only_one: boolean }>(onlyOne);
  return row?.is_only_one ?? false;
}

export async function listAttemptPartitions(tx: Queryable): Promise<AttemptPartition[]> {
  return tx.query<AttemptPartition>(list);
}

/**
 * The maximum number of attempts without a day for which days are created. Each new day reads them all, and moves its own under a table
 * lock.
 */
export const MOST_WITHOUT_DAY = 10_000;
const restIsFull = sql(
  'delivery_attempts.rest_is_full',
  'SELECT count(*) > $1 AS is_full FROM (SELECT FROM delivery_attempts_other ORDER BY stored_at LIMIT $1 + 1) rest',
);

/**
 * Whether too many attempts have no day to create one quickly, because no days were created for a week. Then attempts stay without a day,
 * and are deleted piece by piece when they are old (`removeOldAttemptsWithoutDay`), until few are left.
 */
export async function hasTooManyWithoutDay(tx: Queryable): Promise<boolean> {
  const [row] = await tx.query<{ is_full: boolean }>(restIsFull, [MOST_WITHOUT_DAY]);
  return row?.is_full ?? false;
}

/**
 * Creates a day's partition and moves its stored attempts into it. New attempts go to the default partition until the end. Do not call it
 * while `hasTooManyWithoutDay`.
 */
export async function makeAttemptDay(tx: Queryable, { name, starts, ends }: AttemptDay): Promise<void> {
  const [from, to] = [`'${starts.toISOString()}'`, `'${ends.toISOString()}'`];
  await tx.query(lockRest);
  await tx.query(
    sql(
      `${name}.create`,
      `CREATE TABLE ${name} (LIKE delivery_attempts INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)`,
    ),
  );
  await tx.query(
    sql(
      `${name}.fill`,
      `WITH moved AS (DELETE FROM delivery_attempts_other WHERE stored_at >= ${from} AND stored_at < ${to} RETURNING *)
       INSERT INTO ${name} SELECT * FROM moved`,
    ),
  );
  await tx.query(
    sql(
      `${name}.attach`,
      `ALTER TABLE delivery_attempts ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${to})`,
    ),
  );
}

/** Pages of 8 KiB that are copied at once: at most a few thousand attempts. */
const PAGES = 100;

/**
 * Copies the facts of one part of a day to the past ones, in the order of its pages; a repeat changes nothing. Returns the page of the next
 * part, or null at the end. No attempt may be added to the day any more.
 */
export async function copyFactsOfDay(
  tx: Queryable,
  { name }: AttemptPartition,
  page: number,
): Promise<number | null> {
  const next = page + PAGES;
  const copy = sql(
    `${name}.copy_facts`,
    `WITH past AS (
       INSERT INTO past_attempts (${FACTS})
       SELECT ${PAST_FACTS} FROM ${name} WHERE ctid >= format('(%s,0)', $1::bigint)::tid AND ctid < format('(%s,0)', $2::bigint)::tid
       ON CONFLICT DO NOTHING
     )
     SELECT (pg_relation_size('${name}'::regclass) / current_setting('block_size')::int)::int AS pages`,
  );
  const [row] = await tx.query<{ pages: number }>(copy, [page, next]);
  return row && row.pages > next ? next : null;
}

export async function dropAttemptPartition(tx: Queryable, { name }: AttemptPartition): Promise<void> {
  await tx.query(sql(`${name}.drop`, `DROP TABLE ${name}`));
}

/** Moves the facts of old attempts without a day to the past ones, at most `most`. Returns how many. */
export async function removeOldAttemptsWithoutDay(
  tx: Queryable,
  before: Date,
  most: number,
): Promise<number> {
  const [row] = await tx.query<{ removed: number }>(removeOfRest, [before, most]);
  return row?.removed ?? 0;
}
