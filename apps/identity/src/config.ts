import {
  baseUrlVariable,
  configProvider,
  isSandbox,
  isVaried,
  networksVariable,
  urlVariable,
} from '@fundrail/service-kit';
import type { Network } from '@fundrail/service-kit/http';
import { z } from 'zod';

// RFC 6749 sets no minimum length. Operators can be expected to generate 16 characters.
const SHORTEST_ADMIN_SECRET = 16;

const schema = z
  .object({
    SANDBOX: z.string().optional(),
    PUBLIC_BASE_URL: baseUrlVariable.default('http://127.0.0.1:3000'),
    ADMIN_CLIENT_ID: z
      .string()
      .regex(/^[\w.-]{1,100}$/, 'must be 1 to 100 letters, digits, _, . and -')
      .default('admin'),
    ADMIN_CLIENT_SECRET: z.string().optional(),
    /** The networks of the edge, as CIDRs, whose X-Forwarded-For is trusted. */
    TRUSTED_PROXIES: networksVariable,
    ACCESS_TOKEN_JWKS_URL: urlVariable.optional(),
    ACCESS_TOKEN_ISSUER: urlVariable.optional(),
  })
  .superRefine((env, context) => {
    if (
      isSandbox({ SANDBOX: env.SANDBOX }) ||
      ((env.ADMIN_CLIENT_SECRET?.length ?? 0) >= SHORTEST_ADMIN_SECRET &&
        isVaried(env.ADMIN_CLIENT_SECRET ?? ''))
    )
      return;
    const message = `must be a secret of at least ${SHORTEST_ADMIN_SECRET} characters, 8 of them different`;
    context.addIssue({ code: 'custom', path: ['ADMIN_CLIENT_SECRET'], message });
  });

/**
 * The variables of identity alone. Outside the sandbox, `ADMIN_CLIENT_ID` and `ADMIN_CLIENT_SECRET` define the operator's first
 * client (AUTH-14); in the sandbox that client is seeded.
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
  /** The issuer of tokens in place of this service; null when this service issues them. */
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
