import { BURST_SECONDS, type RateAsk, type RateLease } from '@fundrail/contracts';
import { FakeClock } from '@fundrail/testing';
import { RateLimits } from './rate-limits.ts';
import type { Verdict } from './verdict.ts';

/** No request is decided before the answer. */
const PATIENT = { waitMs: 60_000 };

/** Keeps one bucket like identity, and can be down. */
class PlayedIdentity {
  readonly calls: (readonly RateAsk[])[] = [];
  isDown = false;
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
    if (this.isDown) return Promise.reject(new Error('silence'));
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

  it('given an unknown tenant, then identity is asked once for all requests that came together', async () => {
    const { identity, limits } = limited(100);
    expect(await admitted(limits, 30)).toBe(30);
    expect(identity.calls.map((asks) => asks.map(({ want }) => want))).toEqual([[30]]);
  });

  it('given a tenant below its rate, then no request waits and few calls are made', async () => {
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
    // Only some of the 100 requests of each tenant caused a call, and both tenants share the calls.
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

  it('given an identity that is down, then this process enforces the last known limit alone (RATE-8)', async () => {
    const { identity, limits } = limited(10);
    expect(await admitted(limits, 5)).toBe(5);
    identity.isDown = true;
    clock.advance(10_000);
    expect(await admitted(limits, 50)).toBe(20);
    const asked = identity.calls.length;
    clock.advance(500);
    expect(await admitted(limits, 50)).toBe(5);
    expect(identity.calls.length).toBe(asked);
    identity.isDown = false;
    clock.advance(600);
    await admitted(limits, 5);
    expect(identity.calls.length).toBeGreaterThan(asked);
  });

  it('given an identity that goes up and down, when a tenant floods, then it gets its rate only once', async () => {
    const { identity, limits } = limited(100);
    let sum = 0;
    for (let at = 0; at < 200; at += 1) {
      identity.isDown = at % 40 < 20;
      sum += await admitted(limits, 20);
      clock.advance(100);
    }
    expect(sum).toBeGreaterThanOrEqual(100 * 20 * 0.9);
    expect(sum).toBeLessThanOrEqual(100 * (2 + 20) * 1.1);
  });

  it('given an identity that never answered, then the default limit applies', async () => {
    const { identity, limits } = limited(100);
    identity.isDown = true;
    expect(await admitted(limits, 500)).toBe(200);
  });

  it('given a tenant with a low rate on two processes, then together they admit no more than its rate', async () => {
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
