import { ApiError } from '@fundrail/contracts';
import { isOwnPost } from '@fundrail/service-kit/http';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { WebhooksConfig } from '../config.ts';
import { DashboardSessions } from './dashboard-session.ts';

/** Takes forms from pages of ours alone, that of signing in as well. */
@Injectable()
export class OwnForms implements CanActivate {
  constructor(private readonly config: WebhooksConfig) {}

  canActivate(context: ExecutionContext): boolean {
    const { method, headers } = context.switchToHttp().getRequest<FastifyRequest>();
    if (method !== 'POST' || isOwnPost(headers, this.config.publicBaseUrl)) return true;
    throw new ApiError(
      'FORBIDDEN',
      'That form was not sent by a page of this dashboard. Nothing was changed.',
    );
  }
}

/** Whoever is signed in becomes the caller; everybody else is sent to sign in. */
@Injectable()
export class SignedIn implements CanActivate {
  constructor(private readonly sessions: DashboardSessions) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (await this.sessions.enter(context.switchToHttp().getRequest<FastifyRequest>())) return true;
    throw new ApiError('UNAUTHORIZED');
  }
}
