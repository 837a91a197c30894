import { BURST_SECONDS, type RateAsk, type RateLease } from '@fundrail/contracts';
import { FakeClock } from '@fundrail/testing';
import { RateLimits } from './rate-limits.ts';
import type { Verdict } from './verdict.ts';

/** Nobody is judged before the answer. */
const PATIENT = { waitMs: 60_000 };

/** Keeps one bucket as identity does, and can be silent. */
class PlayedIdentity {
  readonly calls: (readonly RateAsk[])[] = [];
  isAway = false;
  private level: number;
  private at: number;

  constructor(
    private readonly clock: FakeClock,
    readonly perSecond: number,
  ) {
    this.level = perSecond * BURST_SECONDS;
    this.at = clock.now().getTime();
  }

  readonly answer = (asks: readonly RateAsk[]): Promise<RateLease[]> => {
    this.calls.push(asks);
    if (this.isAway) return Promise.reject(new Error('silence'));
    return Promise.resolve(asks.map((ask) => this.lease(ask)));
  };

  private lease({ tenant, kind, spent, want }: RateAsk): RateLease {
    const now = this.clock.now().getTime();
    const refilled = this.level + ((now - this.at) / 1000) * this.perSecond;
    const level = Math.min(this.perSecond * BURST_SECONDS, refilled) - spent;
    const granted = Math.max(0, Math.min(want, Math.floor(level)));
    [this.level, this.at] = [level - granted, now];
    return { tenant, kind, per_second: this.perSecond, granted, left: this.level };
  }
}

describe('the limits of tenants in one process', () => {
  let clock: FakeClock;
  beforeEach(() => {
    clock = new FakeClock();
  });

  const limited = (perSecond: number) => {
    const identity = new PlayedIdentity(clock, perSecond);
    return { identity, limits: new RateLimits(identity.answer, clock, PATIENT) };
  };
  const isAdmitted = ({ retry_after_s }: Verdict) => retry_after_s === null;
  const admitted = async (limits: RateLimits, count: number) =>
    (await Promise.all(Array.from({ length: count }, async () => limits.take('demo', 'read')))).filter(
      isAdmitted,
    ).length;

  it('given a tenant that nobody knows yet, when it asks, then identity is asked once for all that came together', async () => {
    const { identity, limits } = limited(100);
    expect(await admitted(limits, 30)).toBe(30);
    expect(identity.calls.map((asks) => asks.map(({ want }) => want))).toEqual([[30]]);
  });

  it('given a tenant below its rate, when it goes on, then no request waits and few calls are made', async () => {
    const { identity, limits } = limited(100);
    await admitted(limits, 1);
    const before = identity.calls.length;
    for (let at = 0; at < 100; at += 1) {
      clock.advance(10);
      const verdict = limits.take('demo', 'read');
      expect(verdict).not.toBeInstanceOf(Promise);
      expect(isAdmitted(await verdict)).toBe(true);
      await limits.take('other', 'write');
    }
    // Of the 100 requests of each tenant only every few brought a call, and those of both are one.
    expect(identity.calls.length - before).toBeLessThanOrEqual(70);
  });

  it('given a flood, when nothing is left, then identity is not asked for each refusal', async () => {
    const { identity, limits } = limited(100);
    expect(await admitted(limits, 500)).toBe(200);
    const before = identity.calls.length;
    expect(await admitted(limits, 1_000)).toBe(0);
    expect(identity.calls.length).toBe(before);
    clock.advance(1_000);
    expect(await admitted(limits, 1_000)).toBeGreaterThanOrEqual(90);
  });

  it('given an identity that is away, when a tenant asks, then the limit that was heard last is kept here alone', async () => {
    const { identity, limits } = limited(10);
    expect(await admitted(limits, 5)).toBe(5);
    identity.isAway = true;
    clock.advance(10_000);
    expect(await admitted(limits, 50)).toBe(20);
    const asked = identity.calls.length;
    clock.advance(500);
    expect(await admitted(limits, 50)).toBe(5);
    expect(identity.calls.length).toBe(asked);
    identity.isAway = false;
    clock.advance(600);
    await admitted(limits, 5);
    expect(identity.calls.length).toBeGreaterThan(asked);
  });

  it('given an identity that comes and goes, when a tenant floods, then it gets its rate, and not once from each', async () => {
    const { identity, limits } = limited(100);
    let sum = 0;
    for (let at = 0; at < 200; at += 1) {
      identity.isAway = at % 40 < 20;
      sum += await admitted(limits, 20);
      clock.advance(100);
    }
    expect(sum).toBeGreaterThanOrEqual(100 * 20 * 0.9);
    expect(sum).toBeLessThanOrEqual(100 * (2 + 20) * 1.1);
  });

  it('given an identity that was never there, when a tenant asks, then the usual limit holds', async () => {
    const { identity, limits } = limited(100);
    identity.isAway = true;
    expect(await admitted(limits, 500)).toBe(200);
  });

  it('given a slow tenant on two processes, when both are asked, then together they give no more than its rate', async () => {
    const { identity, limits } = limited(4);
    const other = new RateLimits(identity.answer, clock, PATIENT);
    let sum = 0;
    for (let at = 0; at < 100; at += 1) {
      clock.advance(100);
      sum += (await admitted(limits, 1)) + (await admitted(other, 1));
    }
    expect(sum).toBeGreaterThanOrEqual(4 * 10 * 0.9);
    expect(sum).toBeLessThanOrEqual(4 * (2 + 10));
  });
});
