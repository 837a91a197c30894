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
import { takeFromBuckets, type BucketTake } from './rate-bucket.repository.ts';

/**
 * Grants the processes of all services requests to admit, from one bucket for each tenant and kind (RATE-3, decision 0020). A
 * changed setting applies from the next lease on. The results are in the order of the requests.
 */
@Injectable()
export class LeaseRates {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute(asks: readonly RateAsk[]): Promise<RateLease[]> {
    const limits = await rateLimitsOf(this.database, [...new Set(asks.map(({ tenant }) => tenant))]);
    const takes = asks.map((ask) => takeFrom(ask, perSecond(ask, limits.get(ask.tenant))));
    const taken = await takeFromBuckets(this.database, takes, this.clock.now());
    const byBucket = new Map(taken.map((one) => [`${one.kind} ${one.key}`, one]));
    return asks.map(({ tenant, kind }, at) => {
      const { granted = 0, left = 0 } = byBucket.get(`${kind} ${tenant}`) ?? {};
      // The fraction of a request stays in the bucket: numbers between processes are integers.
      const whole = Math.floor(left);
      return { tenant, kind, per_second: takes[at]?.per_second ?? DEFAULT_PER_SECOND, granted, left: whole };
    });
  }
}

function perSecond({ kind }: RateAsk, limits: TenantSettings['rate_limits'] | undefined): number {
  if (!limits) return DEFAULT_PER_SECOND;
  return kind === 'read' ? limits.reads_per_second : limits.writes_per_second;
}

function takeFrom({ tenant, kind, spent, want }: RateAsk, per_second: number): BucketTake {
  return { kind, key: tenant, per_second, burst: per_second * BURST_SECONDS, spent, want };
}
