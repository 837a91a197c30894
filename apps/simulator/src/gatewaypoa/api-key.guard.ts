import { constantTimeEqual } from '@fundrail/service-kit/crypto';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SimulatorConfig } from '../config.ts';
import { GatewayRefusal } from './gateway-refusal.ts';

/** The gateway's authentication: `Authorization: Bearer <api key>`, and an `idempotency-key` on every POST. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(private readonly config: SimulatorConfig) {}

  canActivate(context: ExecutionContext): true {
    const { method, headers } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!constantTimeEqual(headers.authorization ?? '', `Bearer ${this.config.apiKey}`))
      throw new GatewayRefusal(401, 'unauthorized', 'the API key is not valid');
    if (method === 'POST' && !headers['idempotency-key'])
      throw new GatewayRefusal(422, 'idempotency_key_missing', 'every POST needs an idempotency-key');
    return true;
  }
}
