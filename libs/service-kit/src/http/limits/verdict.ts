import type { LeasedBucket, Standing } from './leased-bucket.ts';

/** The bucket's standing, and for a refused request the seconds to wait. */
export interface Verdict extends Standing {
  /** Null: admitted. */
  readonly retry_after_s: number | null;
}

/** The verdict on a request at `now`. */
export function verdictOn(bucket: LeasedBucket, isAdmitted: boolean, now: number): Verdict {
  const standing = bucket.standing(now);
  if (isAdmitted) return { ...standing, retry_after_s: null };
  // A fraction may be left, but a refused request sees 0.
  return { ...standing, remaining: 0, retry_after_s: bucket.retryAfter(now) };
}
