import { BUILT_IN_AUDIENCE, BUILT_IN_LIFETIME_S } from './token-claims.ts';
import type { TokenRules } from './access-tokens.ts';
import type { KitConfig } from '../../config/kit-config.ts';

type TokenConfig = Pick<
  KitConfig,
  | 'ACCESS_TOKEN_AUDIENCE'
  | 'ACCESS_TOKEN_ISSUER'
  | 'ACCESS_TOKEN_JWKS_URL'
  | 'ACCESS_TOKEN_MAX_AGE_SECONDS'
  | 'ACCESS_TOKEN_TENANT_CLAIM'
  | 'ACCESS_TOKEN_TYPE'
  | 'PUBLIC_BASE_URL'
>;

/** The rules for tokens of identity, or of the OpenID provider in the variables. */
export function tokenRulesOf(config: TokenConfig): TokenRules {
  const { ACCESS_TOKEN_ISSUER: issuer, ACCESS_TOKEN_AUDIENCE: audience } = config;
  const tenantClaim = config.ACCESS_TOKEN_TENANT_CLAIM;
  if (config.ACCESS_TOKEN_JWKS_URL === undefined)
    return {
      issuers: withAndWithoutSlash(issuer ?? config.PUBLIC_BASE_URL),
      audience: audience ?? BUILT_IN_AUDIENCE,
      tenantClaim,
      type: 'at+jwt',
      mostSeconds: BUILT_IN_LIFETIME_S,
    };
  return {
    issuers: issuer === undefined ? undefined : [issuer],
    audience: audience ?? BUILT_IN_AUDIENCE,
    tenantClaim,
    type: config.ACCESS_TOKEN_TYPE,
    mostSeconds: config.ACCESS_TOKEN_MAX_AGE_SECONDS,
  };
}

/** Services may have the same address with and without a slash at its end. */
function withAndWithoutSlash(url: string | undefined): string[] | undefined {
  const bare = url?.replace(/\/+$/, '');
  return bare === undefined ? undefined : [bare, `${bare}/`];
}
