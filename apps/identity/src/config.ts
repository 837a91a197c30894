import { configProvider, isSandbox, networksVariable, urlVariable } from '@fundrail/service-kit';
import type { Network } from '@fundrail/service-kit/http';
import { z } from 'zod';

// RFC 6749 sets no length; 16 characters are what an operator can be asked to generate.
const SHORTEST_ADMIN_SECRET = 16;

const schema = z
  .object({
    SANDBOX: z.string().optional(),
    PUBLIC_BASE_URL: z.url('must be an absolute URL').default('http://127.0.0.1:3000'),
    ADMIN_CLIENT_ID: z
      .string()
      .regex(/^[\w.-]{1,100}$/, 'must be 1 to 100 letters, digits, _, . and -')
      .default('admin'),
    ADMIN_CLIENT_SECRET: z.string().optional(),
    /** Whose X-Forwarded-For counts: the networks of the edge, as CIDRs. */
    TRUSTED_PROXIES: networksVariable,
    ACCESS_TOKEN_JWKS_URL: urlVariable.optional(),
    ACCESS_TOKEN_ISSUER: urlVariable.optional(),
  })
  .superRefine((env, context) => {
    if (
      isSandbox({ SANDBOX: env.SANDBOX }) ||
      (env.ADMIN_CLIENT_SECRET?.length ?? 0) >= SHORTEST_ADMIN_SECRET
    )
      return;
    const message = `must be a secret of at least ${SHORTEST_ADMIN_SECRET} characters`;
    context.addIssue({ code: 'custom', path: ['ADMIN_CLIENT_SECRET'], message });
  });

/**
 * The variables of identity alone. `ADMIN_CLIENT_ID` and `ADMIN_CLIENT_SECRET` make the operator's first client outside the
 * sandbox (contract §0.3); in the sandbox it is the seeded one.
 */
export class IdentityConfig {
  readonly sandbox: boolean;
  /** `iss` of the tokens. */
  readonly issuer: string;
  /** `aud` of the tokens: every service of this product. */
  readonly audience = 'fundrail';
  /** Null in the sandbox. */
  readonly operator: { readonly client_id: string; readonly client_secret: string } | null;

  readonly trustedProxies: readonly Network[];
  /** Who issues tokens in place of this service; null: this service does. */
  readonly otherIssuer: string | null;

  constructor(env: z.output<typeof schema>) {
    this.trustedProxies = env.TRUSTED_PROXIES;
    this.otherIssuer = env.ACCESS_TOKEN_JWKS_URL === undefined ? null : (env.ACCESS_TOKEN_ISSUER ?? null);
    this.sandbox = isSandbox({ SANDBOX: env.SANDBOX });
    this.issuer = env.PUBLIC_BASE_URL;
    const secret = env.ADMIN_CLIENT_SECRET;
    this.operator =
      this.sandbox || !secret ? null : { client_id: env.ADMIN_CLIENT_ID, client_secret: secret };
  }
}

export const identityConfig = configProvider(
  IdentityConfig,
  schema.transform((env) => new IdentityConfig(env)),
);
