import { SERVICES, storedNameOf, type ServiceName } from '@fundrail/contracts';
import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { isShortLived } from './token-claims.ts';
import { TokenRefusal } from './token-refusal.ts';

const ISSUER = 'fundrail';
const AUDIENCE = 'fundrail:internal';
const TYPE = 'fundrail-service+jwt';
const LIFETIME_S = 300;
/** A token is renewed this long before it expires, so that it does not expire during a call. */
const RENEWED_BEFORE_MS = 60_000;

const NAMES = [...SERVICES, ...SERVICES.map(storedNameOf)];
/** `iat` and the header's type are missing in tokens of the previous release; these tokens expire within five minutes too. */
const claims = z.looseObject({ sub: z.enum(NAMES), exp: z.number(), iat: z.number().optional() });
const TYPES: readonly (string | undefined)[] = [TYPE, undefined];

/**
 * Service tokens: short-lived HS256 JWTs under `SERVICE_TOKEN_SECRET`, the only tokens that `/internal/*` accepts. They follow
 * the machine's clock, not a test's.
 */
export class ServiceTokens {
  private readonly key: Uint8Array;
  private readonly accepted = new LRUCache<string, number>({ max: 100 });
  private own: { readonly header: string; readonly until: number } | null = null;

  constructor(
    readonly service: ServiceName,
    secret: string,
  ) {
    this.key = new TextEncoder().encode(secret);
  }

  /** The `Authorization` header of this service's calls. */
  async header(): Promise<string> {
    if (this.own && this.own.until > Date.now()) return this.own.header;
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256', typ: TYPE })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(storedNameOf(this.service))
      .setIssuedAt()
      .setExpirationTime(`${LIFETIME_S} s`)
      .sign(this.key);
    this.own = { header: `Bearer ${token}`, until: Date.now() + LIFETIME_S * 1000 - RENEWED_BEFORE_MS };
    return this.own.header;
  }

  /** Whether the header was verified before and has not expired. */
  isVerified(authorization: string): boolean {
    return (this.accepted.get(authorization) ?? 0) > Date.now();
  }

  /** Rejects with 401 unless it is a token of our services with a lifetime of at most five minutes. */
  async verify(authorization: string): Promise<void> {
    const exp = await this.endOf(authorization.replace(/^Bearer +/i, ''));
    if (exp === null) throw TokenRefusal.foreign();
    this.accepted.set(authorization, exp * 1000);
  }

  /** The expiry in epoch seconds; null when it is not a valid service token. */
  private async endOf(token: string): Promise<number | null> {
    const options = { algorithms: ['HS256'], issuer: ISSUER, audience: AUDIENCE };
    const result = await jwtVerify(token, this.key, options).catch(() => null);
    const read = claims.safeParse(result?.payload);
    if (!read.success || !TYPES.includes(result?.protectedHeader.typ)) return null;
    return isShortLived(read.data, Date.now() / 1000, LIFETIME_S) ? read.data.exp : null;
  }
}
