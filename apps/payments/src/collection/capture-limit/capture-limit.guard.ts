import { ApiError } from '@fundrail/contracts';
import { clientOf } from '@fundrail/service-kit/http';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PaymentsConfig } from '../../config.ts';
import { TokenBuckets } from './token-buckets.ts';

// Each entry is a key and two numbers: a few megabytes at most.
const MAX_ADDRESSES = 20_000;

/** Limits requests per address (429) on a route that needs no token and calls identity and the provider. */
@Injectable()
export class CaptureLimit implements CanActivate {
  private readonly buckets: TokenBuckets;

  constructor(private readonly config: PaymentsConfig) {
    this.buckets = new TokenBuckets(config.captureRate, MAX_ADDRESSES);
  }

  /** Throws 429 with the seconds to wait. Uses wall time, because a flood does not follow business time (CAP-12). */
  canActivate(context: ExecutionContext): boolean {
    const { ip, headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const client = clientOf(ip, headers['x-forwarded-for'], this.config.trustedProxies);
    const wait = this.buckets.take(client, performance.now());
    if (wait > 0) throw new ApiError('RATE_LIMITED', undefined, [], wait);
    return true;
  }
}
