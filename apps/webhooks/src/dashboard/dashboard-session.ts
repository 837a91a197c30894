import { ApiError, signedIn, type SignIn } from '@fundrail/contracts';
import { Clock } from '@fundrail/service-kit/db';
import { cookieOf, Doorkeeper, one, ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { WebhooksConfig } from '../config.ts';
import { DASHBOARD } from './addresses.ts';

const COOKIE = 'fundrail_webhooks';
// Browsers drop a cookie that is longer than 4096 with its name; identity's tokens have about 600 characters.
const LONGEST_TOKEN = 4000;

/** Why nobody was signed in. */
export type Refused = 'unknown_client' | 'bad_token' | 'token_too_long';

/**
 * Who uses the dashboard: whoever has the tenant's access token in the cookie. Nothing of it is kept here, so it ends with the
 * token, and the token counts as the API's does.
 */
@Injectable()
export class DashboardSessions {
  constructor(
    private readonly doorkeeper: Doorkeeper,
    private readonly services: ServiceClient,
    private readonly clock: Clock,
    private readonly config: WebhooksConfig,
  ) {}

  /** Sets `request.caller` by the cookie. False without one, or when its token is not valid any more. */
  async enter(request: FastifyRequest): Promise<boolean> {
    const token = cookieOf(request.headers, COOKIE);
    return token !== null && (await this.admit(request, token)) !== null;
  }

  /** Exchanges the credentials of a client for a token at identity. Rejects with 503 when that does not answer, 429 when it is flooded. */
  async withCredentials(request: FastifyRequest, body: SignIn): Promise<Refused | { cookie: string }> {
    const call = { method: 'POST', path: '/internal/tokens', body, answer: signedIn } as const;
    const { access_token: token } = await this.services.call('identity', call);
    return token === null ? 'unknown_client' : this.withToken(request, token);
  }

  /** Answers the value of Set-Cookie. */
  async withToken(request: FastifyRequest, text: string): Promise<Refused | { cookie: string }> {
    const token = text.trim().replace(/^Bearer +/i, '');
    if (token.length > LONGEST_TOKEN) return 'token_too_long';
    const admitted = await this.admit(request, token);
    if (!admitted) return 'bad_token';
    const seconds = Math.floor((admitted.expires_at - this.clock.now().getTime()) / 1000);
    return { cookie: this.cookie(request, token, seconds) };
  }

  /** The Set-Cookie that takes it away. */
  end(request: FastifyRequest): string {
    return this.cookie(request, '', 0);
  }

  private async admit(request: FastifyRequest, token: string): Promise<{ expires_at: number } | null> {
    try {
      return await this.doorkeeper.admit(request, token);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'UNAUTHORIZED') return null;
      throw error;
    }
  }

  private cookie(request: FastifyRequest, value: string, seconds: number): string {
    const secure = isSecure(request, this.config) ? '; Secure' : '';
    return `${COOKIE}=${value}; Path=${DASHBOARD}; Max-Age=${seconds}; HttpOnly${secure}; SameSite=Strict`;
  }
}

/** Without Secure only where a sandbox is used over http: browsers would not send the cookie back there. */
function isSecure({ headers }: FastifyRequest, { sandbox, publicBaseUrl }: WebhooksConfig): boolean {
  return !sandbox || publicBaseUrl.startsWith('https:') || one(headers['x-forwarded-proto']) === 'https';
}
