import { ApiError, signedIn, type ClientCredentials, type SignIn } from '@fundrail/contracts';
import { Clock } from '@fundrail/service-kit/db';
import { ADMIN_SCOPE, clientOf, cookieOf, Doorkeeper, one, ServiceClient } from '@fundrail/service-kit/http';
import type { VerifiedToken } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { WebhooksConfig } from '../config.ts';
import { DASHBOARD } from './addresses.ts';

const COOKIE = 'fundrail_webhooks';
/**
 * The cookie's name over https. A browser accepts the prefix only from this host, over https and for every path, so a neighbouring host
 * cannot set one (RFC 6265bis §4.1.3.2). Only the dashboard reads the cookie.
 */
const SECURE_COOKIE = `__Host-${COOKIE}`;
// Browsers drop a cookie longer than 4096 characters, name included; identity's tokens have about 600.
const LONGEST_TOKEN = 4000;

/** Why a sign-in was refused. */
export type Refused = 'unknown_client' | 'bad_token' | 'token_too_long' | 'other_issuer' | 'operator';

/**
 * Sessions of the dashboard. The cookie holds the tenant's access token, which is checked like the API's. Nothing is stored on the
 * server, so the session ends with the token.
 */
@Injectable()
export class DashboardSessions {
  constructor(
    private readonly doorkeeper: Doorkeeper,
    private readonly services: ServiceClient,
    private readonly clock: Clock,
    private readonly config: WebhooksConfig,
  ) {}

  /** Sets `request.caller` from the cookie. Returns false without a cookie, or when its token is no longer valid. */
  async enter(request: FastifyRequest): Promise<boolean> {
    const name = isSecure(request, this.config) ? SECURE_COOKIE : COOKIE;
    const token = cookieOf(request.headers, name);
    return token !== null && (await this.admit(request, token)) !== null;
  }

  /**
   * Exchanges a client's credentials for a token at identity. Rejects with 503 when identity does not respond, and with 429 and the
   * seconds to wait after too many wrong attempts.
   */
  async withCredentials(
    request: FastifyRequest,
    credentials: ClientCredentials,
  ): Promise<Refused | { cookie: string }> {
    if (this.config.otherIssuer !== null) return 'other_issuer';
    const { ip, headers } = request;
    const address = clientOf(ip, headers['x-forwarded-for'], this.config.trustedProxies);
    const body: SignIn = { ...credentials, address };
    const call = { method: 'POST', path: '/internal/tokens', body, answer: signedIn } as const;
    const { access_token: token, retry_after_s } = await this.services.call('identity', call);
    if (retry_after_s !== undefined) throw new ApiError('RATE_LIMITED', undefined, [], retry_after_s);
    return token === null ? 'unknown_client' : this.withToken(request, token);
  }

  /** Returns the value of Set-Cookie. */
  async withToken(request: FastifyRequest, text: string): Promise<Refused | { cookie: string }> {
    const token = text.trim().replace(/^Bearer +/i, '');
    if (token.length > LONGEST_TOKEN) return 'token_too_long';
    const admitted = await this.admit(request, token);
    if (!admitted) return 'bad_token';
    if (admitted.scopes.includes(ADMIN_SCOPE)) return 'operator';
    const seconds = Math.floor((admitted.expires_at - this.clock.now().getTime()) / 1000);
    return { cookie: this.cookie(request, token, seconds) };
  }

  /** The Set-Cookie that deletes the cookie. */
  end(request: FastifyRequest): string {
    return this.cookie(request, '', 0);
  }

  private async admit(request: FastifyRequest, token: string): Promise<VerifiedToken | null> {
    try {
      return await this.doorkeeper.admit(request, token);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'UNAUTHORIZED') return null;
      throw error;
    }
  }

  private cookie(request: FastifyRequest, value: string, seconds: number): string {
    const rights = `Max-Age=${seconds}; HttpOnly`;
    if (isSecure(request, this.config))
      return `${SECURE_COOKIE}=${value}; Path=/; ${rights}; Secure; SameSite=Strict`;
    return `${COOKIE}=${value}; Path=${DASHBOARD}; ${rights}; SameSite=Strict`;
  }
}

/** Secure is left out only in a sandbox over http: browsers would not send the cookie back there. */
function isSecure({ headers }: FastifyRequest, { sandbox, publicBaseUrl }: WebhooksConfig): boolean {
  return !sandbox || publicBaseUrl.startsWith('https:') || one(headers['x-forwarded-proto']) === 'https';
}
