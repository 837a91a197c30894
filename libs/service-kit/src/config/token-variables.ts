import { z } from 'zod';
import { urlVariable } from './variables.ts';

/**
 * Whose access tokens count. Without `ACCESS_TOKEN_JWKS_URL` those that identity issues; with it those of an OpenID provider,
 * in place of identity's (contract §0.3).
 */
export const tokenVariables = {
  /** The provider's `jwks_uri`. */
  ACCESS_TOKEN_JWKS_URL: urlVariable.optional(),
  /** `iss` that access tokens must have. Unset: any, for the keys are identity's own. */
  ACCESS_TOKEN_ISSUER: urlVariable.optional(),
  /** What must be in `aud`: the name under which the provider knows this API. */
  ACCESS_TOKEN_AUDIENCE: z.string().min(1, 'must name the API').optional(),
  /** The claim that names the tenant. */
  ACCESS_TOKEN_TENANT_CLAIM: z.string().min(1, 'must be the name of a claim').default('tenant'),
};

/** A provider signs tokens for others as well: only issuer and audience together say which ones are meant for us. */
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
