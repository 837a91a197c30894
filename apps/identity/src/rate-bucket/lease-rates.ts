import {
  BURST_SECONDS,
  DEFAULT_PER_SECOND,
  type RateAsk,
  type RateLease,
  type TenantSettings,
} from '@fundrail/contracts';
import { Clock, Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { rateLimitsOf } from '../tenant/tenant.repository.ts';
import { takeOfBuckets, type BucketTake } from './rate-bucket.repository.ts';

/**
 * Gives the processes of all services leave to let requests in, out of one bucket for each tenant and kind (contract §0.3,
 * decision 0020). A changed setting holds from the next lease on. Answers in the order of the asks.
 */
@Injectable()
export class LeaseRates {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute(asks: readonly RateAsk[]): Promise<RateLease[]> {
    const limits = await rateLimitsOf(this.database, [...new Set(asks.map(({ tenant }) => tenant))]);
    const takes = asks.map((ask) => takeOf(ask, perSecond(ask, limits.get(ask.tenant))));
    const taken = await takeOfBuckets(this.database, takes, this.clock.now());
    const byBucket = new Map(taken.map((one) => [`${one.kind} ${one.key}`, one]));
    return asks.map(({ tenant, kind }, at) => {
      const { granted = 0, left = 0 } = byBucket.get(`${kind} ${tenant}`) ?? {};
      // The part of a request that the bucket holds too stays its own: no number of ours is a fraction when it crosses a process.
      const whole = Math.floor(left);
      return { tenant, kind, per_second: takes[at]?.per_second ?? DEFAULT_PER_SECOND, granted, left: whole };
    });
  }
}

function perSecond({ kind }: RateAsk, limits: TenantSettings['rate_limits'] | undefined): number {
  if (!limits) return DEFAULT_PER_SECOND;
  return kind === 'read' ? limits.reads_per_second : limits.writes_per_second;
}

function takeOf({ tenant, kind, spent, want }: RateAsk, per_second: number): BucketTake {
  return { kind, key: tenant, per_second, burst: per_second * BURST_SECONDS, spent, want };
}
