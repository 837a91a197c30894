import { TokenBuckets } from './token-buckets.ts';

const RATE = { perSecond: 2, burst: 3 };

describe('token buckets', () => {
  it('given a burst, when it is used up, then it returns the seconds until the next token', () => {
    const buckets = new TokenBuckets(RATE, 10);
    expect([1, 2, 3, 4].map(() => buckets.take('a', 0))).toEqual([0, 0, 0, 1]);
    expect(buckets.take('a', 499)).toBe(1);
    expect(buckets.take('a', 500)).toBe(0);
    expect(buckets.take('a', 500)).toBe(1);
  });

  it('given a slow rate, when the bucket is empty, then the wait is long', () => {
    const buckets = new TokenBuckets({ perSecond: 0.1, burst: 1 }, 10);
    expect([buckets.take('a', 0), buckets.take('a', 0)]).toEqual([0, 10]);
  });

  it('given two keys, when one bucket is empty, then the other still has tokens', () => {
    const buckets = new TokenBuckets({ perSecond: 1, burst: 1 }, 10);
    expect([buckets.take('a', 0), buckets.take('a', 0), buckets.take('b', 0)]).toEqual([0, 1, 0]);
  });

  it('given a long pause, when the key is used again, then it has no more than the burst', () => {
    const buckets = new TokenBuckets(RATE, 10);
    buckets.take('a', 0);
    expect([1, 2, 3, 4].map(() => buckets.take('a', 1e9))).toEqual([0, 0, 0, 1]);
  });

  it('given more keys than the maximum, then the least recently used one is deleted', () => {
    const buckets = new TokenBuckets({ perSecond: 1, burst: 1 }, 2);
    buckets.take('a', 0);
    buckets.take('b', 0);
    buckets.take('a', 0);
    buckets.take('c', 0);
    expect(buckets.size).toBe(2);
    expect([buckets.take('a', 0), buckets.take('b', 0)]).toEqual([1, 0]);
  });
});
