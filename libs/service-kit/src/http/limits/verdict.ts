import type { LeasedBucket, Standing } from './leased-bucket.ts';

/** The bucket's standing, and for a refused request the seconds to wait. */
export interface Verdict extends Standing {
  /** Null: let in. */
  readonly retry_after_s: number | null;
}

/** For a request that came now. */
export function verdictOn(bucket: LeasedBucket, isAdmitted: boolean, now: number): Verdict {
  const standing = bucket.standing(now);
  if (isAdmitted) return { ...standing, retry_after_s: null };
  // A fraction of a rate may be left, or what identity is still to be asked for: to whom is refused, it is nothing.
  return { ...standing, remaining: 0, retry_after_s: bucket.retryAfter(now) };
}
