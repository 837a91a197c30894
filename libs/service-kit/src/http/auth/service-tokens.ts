import { ApiError, type ServiceName } from '@fundrail/contracts';
import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';

const ISSUER = 'fundrail';
const AUDIENCE = 'fundrail:internal';
const LIFETIME_S = 300;
/** A token is renewed this long before it expires, so that none expires on its way. */
const RENEWED_BEFORE_MS = 60_000;

/**
 * Service tokens: short-lived HS256 JWTs under `SERVICE_TOKEN_SECRET`, the only thing that `/internal/*` accepts. They follow
 * the machine's clock, not a test's.
 */
export class ServiceTokens {
  private readonly key: Uint8Array;
  private readonly accepted = new LRUCache<string, number>({ max: 100 });
  private own: { readonly header: string; readonly until: number } | null = null;

  constructor(
    private readonly service: ServiceName,
    secret: string,
  ) {
    this.key = new TextEncoder().encode(secret);
  }

  /** The `Authorization` header of this service's calls. */
  async header(): Promise<string> {
    if (this.own && this.own.until > Date.now()) return this.own.header;
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(this.service)
      .setExpirationTime(`${LIFETIME_S} s`)
      .sign(this.key);
    this.own = { header: `Bearer ${token}`, until: Date.now() + LIFETIME_S * 1000 - RENEWED_BEFORE_MS };
    return this.own.header;
  }

  /** Whether the header was accepted before and has not expired. */
  isRemembered(authorization: string): boolean {
    return (this.accepted.get(authorization) ?? 0) > Date.now();
  }

  /** Rejects with 401 unless it is a neighbour's token. */
  async verify(authorization: string): Promise<void> {
    const options = {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['exp', 'sub'],
    };
    const result = await jwtVerify(authorization.replace(/^Bearer +/i, ''), this.key, options).catch(
      () => null,
    );
    if (!result) throw new ApiError('UNAUTHORIZED');
    this.accepted.set(authorization, (result.payload.exp ?? 0) * 1000);
  }
}
