import { Clock, Database } from '@fundrail/service-kit/db';
import { DueLane } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { removeBucketsUnusedSince, type BucketPlace } from './rate-bucket.repository.ts';

const LOOK_EVERY_MS = 60_000;
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
export class UnusedBucketsLane extends DueLane {
  readonly name = 'rate-buckets';
  override readonly isStep = false;
  private nextLook = 0;
  private after = BEFORE_ALL;

  constructor(
    private readonly clock: Clock,
    private readonly database: Database,
  ) {
    super();
  }

  earliestDue(): Promise<null> {
    return Promise.resolve(null);
  }

  async run(): Promise<number> {
    const now = this.clock.now().getTime();
    if (now < this.nextLook) return 0;
    const { after } = this;
    const last = await removeBucketsUnusedSince(this.database, new Date(now - UNUSED_MS), {
      after,
      most: PAGE,
    });
    this.after = last ?? BEFORE_ALL;
    if (last) return 1;
    this.nextLook = now + LOOK_EVERY_MS;
    return 0;
  }
}
