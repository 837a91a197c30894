import { sql } from '@fundrail/persistence';
import type { Database } from '@fundrail/service-kit/db';
import { FakeClock } from '@fundrail/testing';
import { IdentityStage } from '../testing/identity-stage.ts';
import {
  bucketLevels,
  removeBucketsUnusedSince,
  takeFromBuckets,
  type BucketTake,
} from './rate-bucket.repository.ts';
import { UNUSED_MS } from './unused-buckets.lane.ts';

const NOON = new Date('2026-11-21T12:00:00Z');

describe('a bucket', () => {
  let stage: IdentityStage;
  let database: Database;
  beforeAll(async () => {
    stage = await IdentityStage.start({ clock: new FakeClock(NOON) });
    database = stage.service.database;
  });
  afterAll(() => stage.end());

  /** How much of `want` is granted that many seconds after noon, at ten a second. */
  const granted = async (key: string, want: number, second: number) => {
    const take: BucketTake = { kind: 'read', key, per_second: 10, burst: 20, spent: 0, want };
    const [taken] = await takeFromBuckets(database, [take], new Date(NOON.getTime() + second * 1000));
    return taken?.granted;
  };

  it('given a clock that was set back, then it continues filling at its rate', async () => {
    expect(await granted('set-back', 20, 0)).toBe(20);
    expect(await granted('set-back', 20, -60)).toBe(0);
    expect(await granted('set-back', 20, -59)).toBe(10);
  });

  it('given clocks that differ by a little, then nothing is granted twice', async () => {
    expect(await granted('differs', 20, 0)).toBe(20);
    expect(await granted('differs', 20, -4)).toBe(0);
    expect(await granted('differs', 20, 0)).toBe(0);
  });

  it('given more unused buckets than one statement reads, then they are removed page by page, and used ones stay', async () => {
    const kind = 'unused';
    // Unused for less than UNUSED_MS, so that the lane of the running service leaves them to this test.
    await database.query(
      sql(
        'test.unused',
        `INSERT INTO rate_buckets (kind, key, per_second, burst, spent, want, granted, tokens, at)
         SELECT $1, to_char(n, 'FM00000'), 1, 1, 1, 0, 0, 0,
                CASE WHEN n % 10 = 0 THEN $2::timestamptz ELSE $2::timestamptz - interval '1 minute' END FROM generate_series(1, 25) AS n`,
      ),
      [kind, NOON],
    );
    const left = async () =>
      (await database.query(sql('test.left', 'SELECT FROM rate_buckets WHERE kind = $1'), [kind])).length;
    const next = (key: string) =>
      removeBucketsUnusedSince(database, NOON, { after: { kind, key }, most: 10 });
    expect([await next(''), await left()]).toEqual([{ kind, key: '00010' }, 16]);
    expect([await next('00010'), await left()]).toEqual([{ kind, key: '00020' }, 7]);
    expect([await next('00020'), await left()]).toEqual([{ kind, key: '00025' }, 2]);
    expect(await next('00025')).toBeNull();
  });

  it('given the maximum number of guesses, when it is removed, then it would be full again', async () => {
    const per_second = 1 / 10;
    const key = { kind: 'guess of a client', key: 'guessed' };
    const take: BucketTake = { ...key, per_second, burst: 100, spent: 1_000, want: 0 };
    await takeFromBuckets(database, [take], NOON);
    const [level] = await bucketLevels(database, [key]);
    expect((level?.tokens ?? -Infinity) + (UNUSED_MS / 1000) * per_second).toBeGreaterThanOrEqual(100);
  });
});
