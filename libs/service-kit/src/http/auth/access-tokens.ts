import { ApiError, tenantName } from '@fundrail/contracts';
import { jwtVerify, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Clock } from '../../db/clock.ts';
import type { JwksSource } from './jwks-source.ts';

/** What an access token says, once its signature was checked. `expires_at` is wall time in epoch milliseconds. */
export interface VerifiedToken {
  readonly tenant: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
  readonly expires_at: number;
}

// A token has about 600 characters, so this is some 10 MB at most.
const REMEMBERED_TOKENS = 10_000;
const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]{1,8192})$/i;
/** Asymmetric only: a service token's HS256 can never pass here. */
const ALGORITHMS = ['ES256', 'RS256', 'PS256', 'EdDSA'];

/** RFC 9068: `client_id` is who was given the token; a provider that leaves it out says so in `sub`. */
const claims = z.looseObject({
  sub: z.string().min(1),
  client_id: z.string().min(1).optional(),
  scope: z.string().default(''),
  exp: z.number(),
});

/** Whose tokens are accepted. What is left out is not looked at. */
export interface TokenRules {
  /** The only `iss`; without it whatever the keys have signed. */
  readonly issuer?: string | undefined;
  /** What has to be in `aud`. */
  readonly audience?: string | undefined;
  /** The claim that names the tenant; `tenant` when left out. */
  readonly tenantClaim?: string | undefined;
}

/** Verifies access tokens here, by the issuer's public keys, each only once (contract §0.3). */
export class AccessTokens {
  private readonly verified = new LRUCache<string, VerifiedToken>({ max: REMEMBERED_TOKENS });

  constructor(
    private readonly keys: JwksSource,
    private readonly clock: Clock,
    private readonly rules: TokenRules = {},
  ) {}

  /** The token of an `Authorization` header that was verified before and has not expired: a look-up in a map. */
  remembered(authorization: string): VerifiedToken | undefined {
    const token = this.verified.get(authorization);
    if (!token || token.expires_at > this.clock.now().getTime()) return token;
    this.verified.delete(authorization);
    return undefined;
  }

  /** Checks signature, expiry and the rules. Rejects with 401, or 503 when the keys cannot be read. */
  async verify(authorization: string): Promise<VerifiedToken> {
    const text = BEARER.exec(authorization)?.[1];
    if (!text) throw new ApiError('UNAUTHORIZED');
    const token = await this.check(text);
    this.verified.set(authorization, token);
    return token;
  }

  private async check(text: string): Promise<VerifiedToken> {
    try {
      const { issuer, audience } = this.rules;
      const { payload } = await jwtVerify(text, this.keys.keyOf, {
        algorithms: ALGORITHMS,
        ...(issuer === undefined ? {} : { issuer }),
        ...(audience === undefined ? {} : { audience }),
        currentDate: this.clock.now(),
      });
      return this.read(payload);
    } catch (error) {
      throw error instanceof ApiError ? error : new ApiError('UNAUTHORIZED');
    }
  }
  /** Throws when a claim is missing, or when what should name a tenant is no tenant's name at all. */
  private read(payload: JWTPayload): VerifiedToken {
    const { sub, client_id = sub, scope, exp } = claims.parse(payload);
    const tenant = tenantName.parse(payload[this.rules.tenantClaim ?? 'tenant']);
    return { tenant, client_id, scopes: scope.split(' ').filter(Boolean), expires_at: exp * 1000 };
  }
}
