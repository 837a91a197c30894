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
const removeUnused = sql('rate_buckets.remove_unused', 'DELETE FROM rate_buckets WHERE at < $1');

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

/** Removes the buckets that nobody has taken from since then. They have to be full again by now. */
export async function removeBucketsUnusedSince(tx: Queryable, since: Date): Promise<void> {
  await tx.query(removeUnused, [since]);
}
