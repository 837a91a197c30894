import type { RateAsk, RateLease } from '@fundrail/contracts';
import { FakeClock, waitFor } from '@fundrail/testing';
import { RateLimits, type AskOutcome } from './rate-limits.ts';

interface Held {
  readonly asks: readonly RateAsk[];
  readonly answer: () => void;
  readonly fail: () => void;
}

describe('the limits of tenants while the answer of identity is late', () => {
  let clock: FakeClock;
  let held: Held[];
  let outcomes: AskOutcome[];
  let limits: RateLimits;
  beforeEach(() => {
    clock = new FakeClock();
    held = [];
    outcomes = [];
    const ask = (asks: readonly RateAsk[]) => {
      const { promise, resolve, reject } = Promise.withResolvers<RateLease[]>();
      const answer = () => resolve(asks.map((one) => grantAll(one)));
      held.push({ asks, answer, fail: () => reject(new Error('silence')) });
      return promise;
    };
    limits = new RateLimits(ask, clock, { waitMs: 1 });
    limits.onAsked((outcome) => outcomes.push(outcome));
  });
  const grantAll = ({ tenant, kind, want }: RateAsk): RateLease => ({
    ...{ tenant, kind, per_second: 10, granted: want, left: 10 },
  });
  const isAdmitted = async (tenant = 'demo') => (await limits.take(tenant, 'read')).retry_after_s === null;
  const hasEnded = (count: number) => waitFor(() => outcomes.length === count);

  it('given no answer yet, when a request has waited, then it is decided here, and no other waits', async () => {
    expect(await isAdmitted()).toBe(true);
    expect(limits.take('demo', 'read')).not.toBeInstanceOf(Promise);
    expect(limits.take('another', 'read')).not.toBeInstanceOf(Promise);
    expect(held).toHaveLength(1);
  });

  it('given a late answer, then the process asks again, and reports what it admitted meanwhile', async () => {
    for (let at = 0; at < 4; at += 1) expect(await isAdmitted()).toBe(true);
    held[0]?.answer();
    await hasEnded(1);
    expect(outcomes).toEqual(['late']);
    expect(await isAdmitted()).toBe(true);
    // One of the four was granted by the first answer.
    expect(held[1]?.asks).toEqual([{ tenant: 'demo', kind: 'read', spent: 3, want: 1 }]);
  });

  it('given no answer for long, then no more is admitted than the limit allows one process', async () => {
    const admitted = await Promise.all(Array.from({ length: 500 }, () => isAdmitted()));
    expect(admitted.filter(Boolean)).toHaveLength(200);
    expect(await isAdmitted()).toBe(false);
  });

  it('given a failure, then the process decides alone for a second, and reports the failure', async () => {
    await isAdmitted();
    held[0]?.fail();
    await hasEnded(1);
    expect(outcomes).toEqual(['failed']);
    expect(await isAdmitted('another')).toBe(true);
    expect(held).toHaveLength(1);
    clock.advance(1_000);
    await isAdmitted('a third');
    expect(held).toHaveLength(2);
  });
});
