import { ApiError } from '@fundrail/contracts';
import { isOwnPost } from '@fundrail/service-kit/http';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { WebhooksConfig } from '../config.ts';
import { DashboardSessions } from './dashboard-session.ts';

/** Accepts forms only from our own pages, including the sign-in page. */
@Injectable()
export class OwnForms implements CanActivate {
  constructor(private readonly config: WebhooksConfig) {}

  canActivate(context: ExecutionContext): boolean {
    const { method, headers } = context.switchToHttp().getRequest<FastifyRequest>();
    if (method !== 'POST' || isOwnPost(headers, this.config.publicBaseUrl)) return true;
    throw new ApiError('FORBIDDEN', 'The form was not sent from this dashboard. Nothing was changed.');
  }
}

/** Requires a signed-in user, who becomes the caller. Others are redirected to the sign-in page. */
@Injectable()
export class SignedIn implements CanActivate {
  constructor(private readonly sessions: DashboardSessions) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (await this.sessions.enter(context.switchToHttp().getRequest<FastifyRequest>())) return true;
    throw new ApiError('UNAUTHORIZED');
  }
}
