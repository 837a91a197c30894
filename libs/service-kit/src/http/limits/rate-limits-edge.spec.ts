import type { RateAsk, RateLease } from '@fundrail/contracts';
import { FakeClock } from '@fundrail/testing';
import { RateLimits } from './rate-limits.ts';

const PATIENT = { waitMs: 60_000 };

describe('the limits of tenants at their edges', () => {
  let clock: FakeClock;
  let calls: (readonly RateAsk[])[];
  let left: number;
  beforeEach(() => {
    clock = new FakeClock();
    calls = [];
    left = 1_000;
  });
  /** Gives what there is, to anybody. */
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
  /** All asks that are under way are answered before the next turn of the event loop. */
  const answered = () => new Promise((resolve) => setImmediate(resolve));

  it('given an empty bucket, when the clock is set back, then identity is asked again', async () => {
    const limits = new RateLimits(identity, clock, PATIENT);
    left = 0;
    expect((await limits.take('demo', 'read')).retry_after_s).toBe(1);
    left = 1_000;
    clock.advance(-3_600_000);
    expect((await limits.take('demo', 'read')).retry_after_s).toBeNull();
  });

  it('given an identity that was away, when the clock is set back, then it is asked again', async () => {
    const away = () => Promise.reject(new Error('silence'));
    let ask: typeof identity = away;
    const limits = new RateLimits((asks) => ask(asks), clock, PATIENT);
    await limits.take('demo', 'read');
    ask = identity;
    clock.advance(-3_600_000);
    await limits.take('another', 'read');
    expect(calls).toHaveLength(1);
  });

  it('given a refusal, then nothing remains, whatever a part of a second has brought', async () => {
    const limits = new RateLimits(identity, clock, PATIENT);
    left = -1;
    await limits.take('demo', 'read');
    // Asked for again after 60 ms; 59 bring five.
    clock.advance(59);
    expect(await limits.take('demo', 'read')).toMatchObject({ remaining: 0, retry_after_s: 1 });
  });

  it('given what was leased long ago, then it is not used beside what has come into the bucket since', async () => {
    const limits = new RateLimits(identity, clock, PATIENT);
    await limits.take('demo', 'read');
    await limits.take('demo', 'read');
    await answered();
    clock.advance(10_000);
    const before = calls.length;
    await limits.take('demo', 'read');
    await answered();
    // What was held has gone: the request was let in on credit, and all that may be held is asked for.
    expect(calls.slice(before).map(([ask]) => ask)).toMatchObject([{ spent: 1, want: 5 }]);
  });

  it('given a bucket that is forgotten while it is to be asked for, then it is asked for once', async () => {
    const limits = new RateLimits(identity, clock, { ...PATIENT, mostBuckets: 1 });
    const verdicts = ['demo', 'another', 'demo'].map(async (tenant) => limits.take(tenant, 'read'));
    for (const { retry_after_s } of await Promise.all(verdicts)) expect(retry_after_s).toBeNull();
    expect(calls.map((asks) => asks.map(({ tenant }) => tenant))).toEqual([['demo', 'another']]);
  });
});
