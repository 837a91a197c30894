import { Clock, Database } from '@fundrail/service-kit/db';
import { HousekeepingLane, type Look } from '@fundrail/service-kit/housekeeping';
import { Injectable } from '@nestjs/common';
import { removeBucketsUnusedSince, type BucketPlace } from './rate-bucket.repository.ts';

/** Buckets that one statement reads. */
const PAGE = 1_000;
const BEFORE_ALL: BucketPlace = { kind: '', key: '' };
/**
 * Buckets can fall to minus their burst. The slowest is the one for guesses at one client from all addresses: from -100 to 100 at
 * one in 10 s takes 33 min 20 s.
 */
export const UNUSED_MS = 35 * 60_000;

/**
 * Removes buckets that are full again, so that the table contains only the recently used ones: page by page, each in a separate
 * statement. By the wall clock.
 */
@Injectable()
export class UnusedBucketsLane extends HousekeepingLane {
  readonly name = 'rate-buckets';
  protected readonly pace = { everyMs: 60_000 };
  private after = BEFORE_ALL;

  constructor(
    clock: Clock,
    private readonly database: Database,
  ) {
    super(clock);
  }

  protected async look(): Promise<Look> {
    const since = new Date(this.clock.now().getTime() - UNUSED_MS);
    const last = await removeBucketsUnusedSince(this.database, since, { after: this.after, most: PAGE });
    this.after = last ?? BEFORE_ALL;
    return last ? 'more' : 'done';
  }
}
