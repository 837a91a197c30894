import { ApiError } from '@fundrail/contracts';
import { jwtVerify } from 'jose';
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

const claims = z.looseObject({
  sub: z.string().min(1),
  tenant: z.string().min(1),
  scope: z.string().default(''),
  exp: z.number(),
});

/** Verifies access tokens here, by identity's public keys, each only once (contract §0.3). */
export class AccessTokens {
  private readonly verified = new LRUCache<string, VerifiedToken>({ max: REMEMBERED_TOKENS });

  constructor(
    private readonly keys: JwksSource,
    private readonly clock: Clock,
    /** The only `iss` that is accepted; undefined: whatever the keys have signed. */
    private readonly issuer?: string,
  ) {}

  /** The token of an `Authorization` header that was verified before and has not expired: a look-up in a map. */
  remembered(authorization: string): VerifiedToken | undefined {
    const token = this.verified.get(authorization);
    if (!token || token.expires_at > this.clock.now().getTime()) return token;
    this.verified.delete(authorization);
    return undefined;
  }

  /** Checks signature, expiry and issuer. Rejects with 401, or 503 when the keys cannot be read. */
  async verify(authorization: string): Promise<VerifiedToken> {
    const text = BEARER.exec(authorization)?.[1];
    if (!text) throw new ApiError('UNAUTHORIZED');
    const token = await this.check(text);
    this.verified.set(authorization, token);
    return token;
  }

  private async check(text: string): Promise<VerifiedToken> {
    try {
      const { payload } = await jwtVerify(text, this.keys.keyOf, {
        algorithms: ALGORITHMS,
        ...(this.issuer === undefined ? {} : { issuer: this.issuer }),
        currentDate: this.clock.now(),
      });
      const { sub, tenant, scope, exp } = claims.parse(payload);
      return { tenant, client_id: sub, scopes: scope.split(' ').filter(Boolean), expires_at: exp * 1000 };
    } catch (error) {
      throw error instanceof ApiError ? error : new ApiError('UNAUTHORIZED');
    }
  }
}
