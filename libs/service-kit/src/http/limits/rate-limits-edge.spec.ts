import type { RateAsk, RateLease } from '@fundrail/contracts';
import { FakeClock } from '@fundrail/testing';
import { RateLimits } from './rate-limits.ts';

const PATIENT = { waitMs: 60_000 };

describe('edge cases of the limits of tenants', () => {
  let clock: FakeClock;
  let calls: (readonly RateAsk[])[];
  let left: number;
  beforeEach(() => {
    clock = new FakeClock();
    calls = [];
    left = 1_000;
  });
  /** Gives every tenant what is left. */
  const identity = (asks: readonly RateAsk[]): Promise<RateLease[]> => {
    calls.push(asks);
    return Promise.resolve(
      asks.map(({ tenant, kind, spent, want }) => {
        const granted = Math.max(0, Math.min(left - spent, want));
        left -= spent + granted;
        return { tenant, kind, per_second: 100, granted, left };
      }),
    );
  };
  /** Resolves when all calls under way are answered. */
  const answered = () => new Promise((resolve) => setImmediate(resolve));

  it('given an empty bucket, when the clock is set back, then identity is asked again', async () => {
    const limits = new RateLimits(identity, clock, PATIENT);
    left = 0;
    expect((await limits.take('demo', 'read')).retry_after_s).toBe(1);
    left = 1_000;
    clock.advance(-3_600_000);
    expect((await limits.take('demo', 'read')).retry_after_s).toBeNull();
  });

  it('given an identity that was down, when the clock is set back, then it is asked again', async () => {
    const down = () => Promise.reject(new Error('silence'));
    let ask: typeof identity = down;
    const limits = new RateLimits((asks) => ask(asks), clock, PATIENT);
    await limits.take('demo', 'read');
    ask = identity;
    clock.advance(-3_600_000);
    await limits.take('another', 'read');
    expect(calls).toHaveLength(1);
  });

  it('given a refusal, then nothing remains, even when part of a second has passed', async () => {
    const limits = new RateLimits(identity, clock, PATIENT);
    left = -1;
    await limits.take('demo', 'read');
    // The next call is made after 60 ms; 59 ms bring five.
    clock.advance(59);
    expect(await limits.take('demo', 'read')).toMatchObject({ remaining: 0, retry_after_s: 1 });
  });

  it('given an old lease, then it is not used in addition to the refilled bucket', async () => {
    const limits = new RateLimits(identity, clock, PATIENT);
    await limits.take('demo', 'read');
    await limits.take('demo', 'read');
    await answered();
    clock.advance(10_000);
    const before = calls.length;
    await limits.take('demo', 'read');
    await answered();
    // The old lease is dropped: the request was admitted without a lease, and a full lease is requested.
    expect(calls.slice(before).map(([ask]) => ask)).toMatchObject([{ spent: 1, want: 5 }]);
  });

  it('given a bucket that is evicted while it waits for a call, then it is asked for once', async () => {
    const limits = new RateLimits(identity, clock, { ...PATIENT, mostBuckets: 1 });
    const verdicts = ['demo', 'another', 'demo'].map(async (tenant) => limits.take(tenant, 'read'));
    for (const { retry_after_s } of await Promise.all(verdicts)) expect(retry_after_s).toBeNull();
    expect(calls.map((asks) => asks.map(({ tenant }) => tenant))).toEqual([['demo', 'another']]);
  });
});
