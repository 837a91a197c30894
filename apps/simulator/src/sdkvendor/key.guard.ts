import { constantTimeEqual } from '@fundrail/service-kit/crypto';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SimulatorConfig } from '../config.ts';
import { RazorpayRefusal } from './razorpay-refusal.ts';

/** Razorpay's authentication: HTTP Basic with the key's id and secret. */
@Injectable()
export class RazorpayKeyGuard implements CanActivate {
  constructor(private readonly config: SimulatorConfig) {}

  canActivate(context: ExecutionContext): true {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const { keyId, keySecret } = this.config.sdkvendor;
    const expected = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;
    if (!constantTimeEqual(headers.authorization ?? '', expected))
      throw new RazorpayRefusal('authentication_failed', 'Authentication failed', 401);
    return true;
  }
}
