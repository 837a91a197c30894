import { z } from 'zod';
import { TOKEN_TYPES } from '../http/auth/token-claims.ts';
import { integerVariable, urlVariable } from './variables.ts';

/**
 * Which access tokens are accepted: without `ACCESS_TOKEN_JWKS_URL` those that identity issues, with it those of an OpenID provider
 * instead (AUTH-11).
 */
export const tokenVariables = {
  /** The provider's `jwks_uri`. */
  ACCESS_TOKEN_JWKS_URL: urlVariable.optional(),
  /** The required `iss` of access tokens. Unset: `PUBLIC_BASE_URL`, which identity writes; any `iss` when that is unset too. */
  ACCESS_TOKEN_ISSUER: urlVariable.optional(),
  /** The required value in `aud`: the provider's name for this API. */
  ACCESS_TOKEN_AUDIENCE: z.string().min(1, 'must name the API').optional(),
  /** Which tokens of the provider are accepted: only those marked as access tokens, or also those without a mark. */
  ACCESS_TOKEN_TYPE: z.enum(TOKEN_TYPES, `must be ${TOKEN_TYPES.join(' or ')}`).default('at+jwt'),
  /** The longest lifetime of a token, in seconds. */
  ACCESS_TOKEN_MAX_AGE_SECONDS: integerVariable(60, 86_400, 86_400),
  /** The claim that names the tenant. */
  ACCESS_TOKEN_TENANT_CLAIM: z.string().min(1, 'must be the name of a claim').default('tenant'),
};

/** A provider also signs tokens for other APIs: only issuer and audience together show which tokens are for us. */
export function checkTokenVariables(
  env: {
    readonly ACCESS_TOKEN_JWKS_URL?: string | undefined;
    readonly ACCESS_TOKEN_ISSUER?: string | undefined;
    readonly ACCESS_TOKEN_AUDIENCE?: string | undefined;
  },
  context: z.RefinementCtx,
): void {
  if (env.ACCESS_TOKEN_JWKS_URL === undefined) return;
  for (const name of ['ACCESS_TOKEN_ISSUER', 'ACCESS_TOKEN_AUDIENCE'] as const)
    if (env[name] === undefined)
      context.addIssue({ code: 'custom', path: [name], message: 'ACCESS_TOKEN_JWKS_URL needs it' });
}
