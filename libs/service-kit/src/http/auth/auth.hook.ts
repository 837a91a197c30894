import { ApiError, tenantName } from '@fundrail/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestContext } from '../request-context.ts';
import { RequestCaller } from '../request-caller.ts';
import { rateKindOf, tellVerdict } from '../limits/rate-limit-answer.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { Verdict } from '../limits/verdict.ts';
import type { AccessTokens, VerifiedToken } from './access-tokens.ts';
import type { RoutePolicy } from './route-policy.ts';
import type { ServiceTokens } from './service-tokens.ts';

const ADMIN_SCOPE = 'admin';
const TENANT_TOKEN: RoutePolicy = { access: 'tenant' };

type Done = (error?: Error) => void;

/**
 * Lets a request in or not, before its body is read. The default is a tenant's token; `/internal/*` takes a service token and
 * nothing else, whatever the route says. A token seen before costs a look-up and no promise. What comes with a token counts
 * against the limit of the token's own tenant, whichever tenant an admin acts in.
 */
export class Doorkeeper {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly serviceTokens: ServiceTokens,
    /** Null: no tenant has a limit. */
    private readonly limits: RateLimits | null,
  ) {}

  guard(fastify: FastifyInstance): void {
    fastify.decorateRequest('caller', null);
    fastify.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done: Done) => {
      if (request.is404) return done();
      const policy = request.routeOptions.config.fundrail ?? TENANT_TOKEN;
      const internal =
        request.routeOptions.url?.startsWith('/internal/') === true || policy.access === 'internal';
      if (internal) this.admitService(request, done);
      else if (policy.access === 'public') done();
      else this.admitTenant(request, reply, policy, done);
    });
  }

  /**
   * Lets a request in by a token that came otherwise than in its `Authorization`: a page's cookie, on a route that is public as
   * far as the hook goes. Sets `request.caller`. Rejects as the API refuses: 401, 403, 429 with the seconds to wait, or 503 when
   * no key is known.
   */
  async admit(request: FastifyRequest, token: string): Promise<VerifiedToken> {
    const header = `Bearer ${token}`;
    const verified = this.accessTokens.remembered(header) ?? (await this.accessTokens.verify(header));
    const refusal = enter(request, TENANT_TOKEN, verified);
    if (refusal) throw refusal;
    const verdict = await this.limits?.take(verified.tenant, rateKindOf(request.method));
    if (verdict && verdict.retry_after_s !== null)
      throw new ApiError('RATE_LIMITED', undefined, [], verdict.retry_after_s);
    return verified;
  }

  private admitService(request: FastifyRequest, done: Done): void {
    const header = request.headers.authorization;
    if (header === undefined) return done(new ApiError('UNAUTHORIZED'));
    if (this.serviceTokens.isRemembered(header)) return done();
    this.serviceTokens.verify(header).then(() => done(), done);
  }

  private admitTenant(request: FastifyRequest, reply: FastifyReply, policy: RoutePolicy, done: Done): void {
    const header = request.headers.authorization;
    if (header === undefined) return done(new ApiError('UNAUTHORIZED'));
    const admit = (token: VerifiedToken): void => {
      const refusal = enter(request, policy, token);
      if (refusal) return done(refusal);
      this.count(request, reply, token, done);
    };
    const token = this.accessTokens.remembered(header);
    if (token) return admit(token);
    this.accessTokens.verify(header).then(admit, done);
  }

  private count(
    { method }: FastifyRequest,
    reply: FastifyReply,
    { tenant }: VerifiedToken,
    done: Done,
  ): void {
    const verdict = this.limits?.take(tenant, rateKindOf(method));
    if (!verdict) return done();
    if (!(verdict instanceof Promise)) return done(tellVerdict(reply, verdict));
    void verdict.then((later: Verdict) => done(tellVerdict(reply, later)));
  }
}

/** Sets the caller, or answers why the token does not do for this route (403). */
function enter(request: FastifyRequest, policy: RoutePolicy, token: VerifiedToken): ApiError | undefined {
  if (policy.scope !== undefined && !token.scopes.includes(policy.scope)) {
    return new ApiError('FORBIDDEN', `The scope "${policy.scope}" is needed.`);
  }
  const named = request.headers['x-tenant-id'] ?? token.tenant;
  if (typeof named !== 'string' || (named !== token.tenant && !mayActIn(named, token))) {
    return new ApiError('FORBIDDEN', 'x-tenant-id is not the tenant of the token.');
  }
  request.caller = new RequestCaller(named, token, request.id);
  const context = requestContext.getStore();
  if (context) context.tenant = named;
  return undefined;
}

/** An admin acts in any tenant; what is no tenant's name at all must not get as far as a row. */
function mayActIn(tenant: string, { scopes }: VerifiedToken): boolean {
  return scopes.includes(ADMIN_SCOPE) && tenantName.safeParse(tenant).success;
}
