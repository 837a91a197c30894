import { ApiError, compatibilityOf, tenantName, type Compatibility } from '@fundrail/contracts';
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Clock } from '../../db/clock.ts';
import type { JwksSource } from './jwks-source.ts';
import { isAccessToken, isShortLived, type TokenType } from './token-claims.ts';
import { TokenRefusal } from './token-refusal.ts';

/** The claims of an access token with a verified signature. `expires_at` is wall time in epoch milliseconds. */
export interface VerifiedToken {
  readonly tenant: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
  /** In whose names its client is answered (COMP-1); null: in ours. */
  readonly compatibility: Compatibility | null;
  readonly expires_at: number;
}

// By the token alone: the spaces before it are the client's. A token has about 600 characters, so this is some 10 MB at most.
const CACHED_TOKENS = 10_000;
const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]{1,8192})$/i;
/** Asymmetric only: a service token with HS256 is never accepted here. */
const ALGORITHMS = ['ES256', 'RS256', 'PS256', 'EdDSA'];

/** RFC 9068: `client_id` names the client; a provider that leaves it out puts the client in `sub`. */
const claims = z.looseObject({
  sub: z.string().min(1),
  client_id: z.string().min(1).optional(),
  scope: z.string().default(''),
  exp: z.number(),
  iat: z.number(),
});

/** Which tokens are accepted. */
export interface TokenRules {
  /** Each accepted `iss`; undefined: every token that the keys have signed. */
  readonly issuers: readonly string[] | undefined;
  /** The required value in `aud`. */
  readonly audience: string;
  /** The claim that names the tenant. */
  readonly tenantClaim: string;
  readonly type: TokenType;
  /** The longest lifetime of a token, from `iat` to `exp`, in seconds. */
  readonly mostSeconds: number;
}

/** Verifies access tokens locally with the issuer's public keys, each token only once (AUTH-8). */
export class AccessTokens {
  private readonly verified = new LRUCache<string, VerifiedToken>({ max: CACHED_TOKENS });

  constructor(
    private readonly keys: JwksSource,
    private readonly clock: Clock,
    private readonly rules: TokenRules,
  ) {}

  /** The token of an `Authorization` header that was verified before and has not expired, from a map. */
  cached(authorization: string): VerifiedToken | undefined {
    const text = BEARER.exec(authorization)?.[1] ?? '';
    const token = this.verified.get(text);
    if (!token || token.expires_at > this.clock.now().getTime()) return token;
    this.verified.delete(text);
    return undefined;
  }

  /** Checks signature, expiry and the rules. Rejects with `TokenRefusal` (401), or 503 when the keys cannot be read. */
  async verify(authorization: string): Promise<VerifiedToken> {
    const text = BEARER.exec(authorization)?.[1];
    if (!text) throw TokenRefusal.malformed();
    const token = await this.check(text);
    this.verified.set(text, token);
    return token;
  }

  private async check(text: string): Promise<VerifiedToken> {
    try {
      const { issuers, audience } = this.rules;
      const { payload, protectedHeader } = await jwtVerify(text, this.keys.keyOf, {
        algorithms: ALGORITHMS,
        audience,
        ...(issuers === undefined ? {} : { issuer: [...issuers] }),
        currentDate: this.clock.now(),
      });
      return this.read(payload, protectedHeader.typ);
    } catch (error) {
      throw error instanceof ApiError ? error : refusalFor(error);
    }
  }

  /** Throws when it is not an access token, a claim is missing, or the tenant claim is not a valid tenant name. */
  private read(payload: JWTPayload, headerType: string | undefined): VerifiedToken {
    const { type, mostSeconds, tenantClaim } = this.rules;
    const { sub, client_id = sub, scope, exp, iat } = claims.parse(payload);
    const now = this.clock.now().getTime() / 1000;
    if (!isAccessToken(headerType, payload, type) || !isShortLived({ iat, exp }, now, mostSeconds))
      throw TokenRefusal.foreign();
    const tenant = tenantName.parse(payload[tenantClaim]);
    return {
      tenant,
      client_id,
      scopes: scope.split(' ').filter(Boolean),
      compatibility: compatibilityOf(payload['compatibility']),
      expires_at: exp * 1000,
    };
  }
}

/** The expiry is checked after the signature, so only our own tokens are reported as expired. */
function refusalFor(error: unknown): TokenRefusal {
  if (error instanceof errors.JWTExpired) return TokenRefusal.expired();
  const isMalformed = error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid;
  return isMalformed ? TokenRefusal.malformed() : TokenRefusal.foreign();
}
