import { ApiError, tenantName } from '@fundrail/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestContext } from '../request-context.ts';
import { RequestCaller } from '../request-caller.ts';
import { rateKindOf, applyVerdict } from '../limits/rate-limit-answer.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { Verdict } from '../limits/verdict.ts';
import type { AccessTokens, VerifiedToken } from './access-tokens.ts';
import type { OperatorAudit } from './operator-audit.ts';
import type { RoutePolicy } from './route-policy.ts';
import type { ServiceTokens } from './service-tokens.ts';
import { TokenRefusal } from './token-refusal.ts';

/** The scope of an operator. */
export const ADMIN_SCOPE = 'admin';
const TENANT_TOKEN: RoutePolicy = { access: 'tenant' };

type Done = (error?: Error) => void;

/**
 * Admits or refuses a request before its body is read. The default is a tenant's token; `/internal/*` always requires a service
 * token. A token that was verified before costs a look-up and no promise. Each request with a token, also a refused one, counts
 * against the rate limit of the token's own tenant, even when an admin acts in another tenant. Calls of operators are recorded
 * before they run (`OperatorAudit`).
 */
export class Doorkeeper {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly serviceTokens: ServiceTokens,
    /** Null: tenants have no rate limits. */
    private readonly limits: RateLimits | null,
    private readonly audit: OperatorAudit,
  ) {}

  guard(fastify: FastifyInstance): void {
    fastify.decorateRequest('caller', null);
    this.audit.watch(fastify);
    fastify.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done: Done) => {
      // Refused before its body is read, because no token was checked.
      if (request.is404) return done(new ApiError('NOT_FOUND'));
      const policy = request.routeOptions.config.fundrail ?? TENANT_TOKEN;
      const internal =
        request.routeOptions.url?.startsWith('/internal/') === true || policy.access === 'internal';
      if (internal) this.admitService(request, done);
      else if (policy.access === 'public') done();
      else this.admitTenant(request, reply, policy, done);
    });
  }

  /**
   * Admits a request by a token from another place than `Authorization`: a page's cookie, on a route that is public for the hook.
   * Sets `request.caller`. A page always shows the token's own tenant, also to an operator. Rejects like the API: 401, 403, 429 with
   * the seconds to wait, or 503 when no key is known.
   */
  async admit(request: FastifyRequest, token: string): Promise<VerifiedToken> {
    const header = `Bearer ${token}`;
    const verified = this.accessTokens.cached(header) ?? (await this.accessTokens.verify(header));
    if (namedBy(request, verified) !== verified.tenant) throw wrongTenant(verified);
    letIn(request, verified, verified.tenant);
    const verdict = await this.limits?.take(verified.tenant, rateKindOf(request.method));
    if (verdict && verdict.retry_after_s !== null)
      throw new ApiError('RATE_LIMITED', undefined, [], verdict.retry_after_s);
    return verified;
  }

  /** Writes the rest of the operators' record, before a stop. */
  end(): Promise<void> {
    return this.audit.end();
  }

  private admitService(request: FastifyRequest, done: Done): void {
    const header = request.headers.authorization;
    if (header === undefined) return done(TokenRefusal.missing());
    if (this.serviceTokens.isVerified(header)) return done();
    this.serviceTokens.verify(header).then(() => done(), done);
  }

  private admitTenant(request: FastifyRequest, reply: FastifyReply, policy: RoutePolicy, done: Done): void {
    const refuse = (error: Error): void => {
      const isRefusal = error instanceof ApiError && error.status === 401;
      if (isRefusal && policy.scope === ADMIN_SCOPE) this.audit.refused(request, null, null, error.status);
      done(error);
    };
    const header = request.headers.authorization;
    if (header === undefined) return refuse(TokenRefusal.missing());
    const admit = (token: VerifiedToken): void => {
      this.count(request, reply, token, (error) =>
        error ? done(error) : this.enter(request, policy, token, done),
      );
    };
    const token = this.accessTokens.cached(header);
    if (token) return admit(token);
    this.accessTokens.verify(header).then(admit, refuse);
  }

  /** Sets the caller once an operator's call is recorded, or refuses a token that is not sufficient for this route (403). */
  private enter(request: FastifyRequest, policy: RoutePolicy, token: VerifiedToken, done: Done): void {
    const named = namedBy(request, token);
    const refusal = refusalOf(policy, token, named);
    if (refusal) {
      this.audit.refused(request, token, named, refusal.status);
      return done(refusal);
    }
    const tenant = named ?? token.tenant;
    letIn(request, token, tenant);
    if (policy.scope !== ADMIN_SCOPE && tenant === token.tenant) return done();
    this.audit.admitted(request, token, tenant).then(() => done(), done);
  }

  private count(
    { method }: FastifyRequest,
    reply: FastifyReply,
    { tenant }: VerifiedToken,
    done: Done,
  ): void {
    const verdict = this.limits?.take(tenant, rateKindOf(method));
    if (!verdict) return done();
    if (!(verdict instanceof Promise)) return done(applyVerdict(reply, verdict));
    void verdict.then((later: Verdict) => done(applyVerdict(reply, later)));
  }
}

/** The tenant of `x-tenant-id`, or the token's own without the header; null when the header is not a valid tenant name, which must not reach a row. */
function namedBy(request: FastifyRequest, token: VerifiedToken): string | null {
  const named = request.headers['x-tenant-id'] ?? token.tenant;
  return tenantName.safeParse(named).success ? String(named) : null;
}

/** An admin may act in any tenant, any other token only in its own. */
function refusalOf(policy: RoutePolicy, token: VerifiedToken, named: string | null): ApiError | null {
  if (policy.scope !== undefined && !token.scopes.includes(policy.scope))
    return TokenRefusal.scope(policy.scope);
  if (named === token.tenant || (named !== null && token.scopes.includes(ADMIN_SCOPE))) return null;
  return wrongTenant(token);
}

function wrongTenant({ tenant }: VerifiedToken): ApiError {
  return new ApiError('FORBIDDEN', `x-tenant-id is not the tenant of the token, which is ${tenant}.`);
}

function letIn(request: FastifyRequest, token: VerifiedToken, tenant: string): void {
  request.caller = new RequestCaller(tenant, token, request.id);
  const context = requestContext.getStore();
  if (context) context.tenant = tenant;
}
