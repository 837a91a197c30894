import { sql, type Queryable } from '@fundrail/persistence';

/** A bucket that fills at `per_second` up to `burst`. `spent` is taken from it in any case, and `want` only if the bucket holds it. */
export interface BucketTake {
  readonly kind: string;
  readonly key: string;
  readonly per_second: number;
  readonly burst: number;
  readonly spent: number;
  readonly want: number;
}

/** `granted`: the part of `want` that was there. `left`: the rest, below zero when more was spent than there was. */
interface BucketTaken {
  readonly kind: string;
  readonly key: string;
  readonly granted: number;
  readonly left: number;
}

export interface BucketLevel {
  readonly kind: string;
  readonly key: string;
  readonly tokens: number;
  readonly at: Date;
}

// If a bucket's time is later than the caller's by more than clocks differ, the clock was set back, and the bucket continues with
// the new time. Several buckets are always locked in one order. A bucket never falls below minus its burst.
const take = sql(
  'rate_buckets.take',
  `INSERT INTO rate_buckets AS b (kind, key, per_second, burst, spent, want, granted, tokens, at)
   SELECT kind, key, per_second, burst, spent, want, rate_bucket_grant(burst - spent, want),
          greatest(-burst, burst - spent - rate_bucket_grant(burst - spent, want)), $7
     FROM unnest($1::text[], $2::text[], $3::float8[], $4::float8[], $5::int[], $6::int[])
          AS a (kind, key, per_second, burst, spent, want)
    ORDER BY kind, key
   ON CONFLICT (kind, key) DO UPDATE SET
     per_second = excluded.per_second, burst = excluded.burst, spent = excluded.spent, want = excluded.want,
     at = CASE WHEN b.at > excluded.at + interval '5 seconds' THEN excluded.at ELSE greatest(b.at, excluded.at) END,
     granted = rate_bucket_grant(rate_bucket_level(b, excluded) - excluded.spent, excluded.want),
     tokens = greatest(-excluded.burst, rate_bucket_level(b, excluded) - excluded.spent
              - rate_bucket_grant(rate_bucket_level(b, excluded) - excluded.spent, excluded.want))
   RETURNING kind, key, granted, tokens AS left`,
);
const levels = sql(
  'rate_buckets.levels',
  `SELECT kind, key, tokens, at FROM rate_buckets
    WHERE (kind, key) IN (SELECT * FROM unnest($1::text[], $2::text[])) AND kind = ANY ($1) AND key = ANY ($2)`,
);
// Removes one page by the primary key, because a caller that guesses from many addresses leaves a bucket for each. A bucket that is
// used meanwhile stays.
const removeUnused = sql(
  'rate_buckets.remove_unused',
  `WITH looked AS MATERIALIZED (
     SELECT kind, key, at FROM rate_buckets WHERE (kind, key) > ($2, $3) ORDER BY kind, key LIMIT $4
   ), gone AS (
     DELETE FROM rate_buckets WHERE ctid = ANY (ARRAY(
       SELECT b.ctid FROM looked l JOIN rate_buckets b ON b.kind = l.kind AND b.key = l.key
        WHERE l.at < $1 AND b.at < $1 AND b.kind = ANY (ARRAY(SELECT kind FROM looked)) AND b.key = ANY (ARRAY(SELECT key FROM looked))
        ORDER BY b.kind, b.key FOR UPDATE OF b SKIP LOCKED))
   )
   SELECT kind, key FROM looked ORDER BY kind DESC, key DESC LIMIT 1`,
);

/**
 * Takes from all the buckets in one statement; each may occur only once. A bucket that does not exist yet is full. Returns them in
 * any order.
 */
export async function takeFromBuckets(
  tx: Queryable,
  takes: readonly BucketTake[],
  now: Date,
): Promise<BucketTaken[]> {
  const column = <K extends keyof BucketTake>(name: K) => takes.map((one) => one[name]);
  return tx.query<BucketTaken>(take, [
    column('kind'),
    column('key'),
    column('per_second'),
    column('burst'),
    column('spent'),
    column('want'),
    now,
  ]);
}

/** The levels that are stored for these buckets. Buckets that were never used are missing. */
export async function bucketLevels(
  tx: Queryable,
  buckets: readonly { readonly kind: string; readonly key: string }[],
): Promise<BucketLevel[]> {
  return tx.query<BucketLevel>(levels, [buckets.map(({ kind }) => kind), buckets.map(({ key }) => key)]);
}

/** A position among the buckets, in the order of kind and key. */
export type BucketPlace = Pick<BucketTake, 'kind' | 'key'>;

/**
 * Checks the next `most` buckets after a position, and removes those that have not been used since the given time. By now they must
 * be full again. Returns the last checked bucket, or null when there are no more.
 */
export async function removeBucketsUnusedSince(
  tx: Queryable,
  since: Date,
  { after, most }: { readonly after: BucketPlace; readonly most: number },
): Promise<BucketPlace | null> {
  const [last] = await tx.query<BucketPlace>(removeUnused, [since, after.kind, after.key, most]);
  return last ?? null;
}
