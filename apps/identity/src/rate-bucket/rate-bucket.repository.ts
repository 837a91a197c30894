import { sql, type Queryable } from '@fundrail/service-kit/db';

/** A bucket that fills at `per_second` up to `burst`, and what is taken out of it: `spent` whatever is in it, `want` if it is. */
export interface BucketTake {
  readonly kind: string;
  readonly key: string;
  readonly per_second: number;
  readonly burst: number;
  readonly spent: number;
  readonly want: number;
}

/** `granted`: how much of `want` there was; `left`: the rest, below zero when more was spent than there was. */
export interface BucketTaken {
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

// A bucket that is ahead of its asker by more than clocks differ was taken from before the clock was set back: it goes on by the new time.
// Whoever takes of several buckets locks them in one order. A bucket that goes deep below zero is not asked for more than its burst.
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
    WHERE (kind, key) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
);
// A page by the primary key: whoever guesses from many addresses leaves a bucket for each. One that is taken from meanwhile stays.
const removeUnused = sql(
  'rate_buckets.remove_unused',
  `WITH looked AS MATERIALIZED (
     SELECT kind, key, at FROM rate_buckets WHERE (kind, key) > ($2, $3) ORDER BY kind, key LIMIT $4
   ), gone AS (
     DELETE FROM rate_buckets WHERE ctid = ANY (ARRAY(
       SELECT b.ctid FROM looked l JOIN rate_buckets b ON b.kind = l.kind AND b.key = l.key
        WHERE l.at < $1 AND b.at < $1 ORDER BY b.kind, b.key FOR UPDATE OF b SKIP LOCKED))
   )
   SELECT kind, key FROM looked ORDER BY kind DESC, key DESC LIMIT 1`,
);

/** Takes of all the buckets at once; none may be named twice. A bucket that is not there yet is full. Answers in any order. */
export async function takeOfBuckets(
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

/** Those of the buckets that were taken from, as they stood then. */
export async function bucketLevels(
  tx: Queryable,
  buckets: readonly { readonly kind: string; readonly key: string }[],
): Promise<BucketLevel[]> {
  return tx.query<BucketLevel>(levels, [buckets.map(({ kind }) => kind), buckets.map(({ key }) => key)]);
}

/** A place among the buckets: after all that are before it by kind and key. */
export type BucketPlace = Pick<BucketTake, 'kind' | 'key'>;

/**
 * Of the next `most` buckets after a place, removes those that nobody has taken from since then. They have to be full again by now.
 * Answers the last that was looked at, or null when there are no more.
 */
export async function removeBucketsUnusedSince(
  tx: Queryable,
  since: Date,
  { after, most }: { readonly after: BucketPlace; readonly most: number },
): Promise<BucketPlace | null> {
  const [last] = await tx.query<BucketPlace>(removeUnused, [since, after.kind, after.key, most]);
  return last ?? null;
}
