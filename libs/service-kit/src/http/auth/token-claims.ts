import type { JWTPayload } from 'jose';

/** How long access tokens of the built-in issuer are valid, in seconds (AUTH-2). */
export const BUILT_IN_LIFETIME_S = 1_800;
/** `aud` of these tokens: every service of this product. */
export const BUILT_IN_AUDIENCE = 'fundrail';
/** The largest difference between the clocks of two machines, in seconds. */
const CLOCK_SKEW_S = 60;

/** Which types of tokens are accepted: `at+jwt` requires a declared access token, `any` also accepts tokens without a declared type. */
export const TOKEN_TYPES = ['at+jwt', 'any'] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

/** Claims of ID tokens, logout tokens and tokens bound to a key, which an access token never has. */
const NOT_OF_ACCESS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events', 'cnf'] as const;

/**
 * Whether a token declares that it is an access token: by its header's `typ` (RFC 9068), by the claim `typ` (Keycloak), or by
 * `token_use` (Cognito). ID tokens, logout tokens and tokens bound to a key (`cnf`; its proof is not checked here) are not access
 * tokens. A token without a declared type is accepted only when `type` is `any`.
 */
export function isAccessToken(headerType: string | undefined, payload: JWTPayload, type: TokenType): boolean {
  if (NOT_OF_ACCESS.some((name) => Object.hasOwn(payload, name))) return false;
  const declared = headerType?.toLowerCase().replace(/^application\//, '');
  if (declared === 'at+jwt') return true;
  if (declared !== undefined && declared !== 'jwt') return false;
  if (payload['typ'] !== undefined) return payload['typ'] === 'Bearer';
  if (payload['token_use'] !== undefined) return payload['token_use'] === 'access';
  return type === 'any';
}

/**
 * Whether a token's lifetime is at most `mostSeconds`, and it was not issued in the future. Times are in epoch seconds. `iat` may be
 * missing in a token of a service of an older release: then the token must expire within that time.
 */
export function isShortLived(
  { iat, exp }: { readonly iat?: number | undefined; readonly exp: number },
  nowSeconds: number,
  mostSeconds: number,
): boolean {
  if (iat === undefined) return exp - nowSeconds <= mostSeconds + CLOCK_SKEW_S;
  return iat <= nowSeconds + CLOCK_SKEW_S && exp - iat <= mostSeconds;
}
