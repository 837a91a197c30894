import { ApiError } from '@fundrail/contracts';
import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PaymentsConfig } from '../config.ts';
import { clientOf } from '@fundrail/service-kit/http';
import { TokenBuckets } from './token-buckets.ts';

// A key and two numbers each: a few megabytes at most.
const MOST_ADDRESSES = 20_000;

/** A route without a token, which asks identity and the provider: so much by one address, and no more (429). */
@Injectable()
export class CaptureLimit implements CanActivate {
  private readonly buckets: TokenBuckets;

  constructor(private readonly config: PaymentsConfig) {
    this.buckets = new TokenBuckets(config.captureRate, MOST_ADDRESSES);
  }

  /** Throws 429 with the seconds to wait. Wall time: a flood knows no business time (contract §10 "Which clock"). */
  canActivate(context: ExecutionContext): boolean {
    const { ip, headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const client = clientOf(ip, headers['x-forwarded-for'], this.config.trustedProxies);
    const wait = this.buckets.take(client, performance.now());
    if (wait > 0) throw new ApiError('RATE_LIMITED', undefined, [], wait);
    return true;
  }
}
