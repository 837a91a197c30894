import type { ServiceName, TenantFacts } from '@fundrail/contracts';
import type { TransportAnswer, TransportRequest } from '@fundrail/service-kit/http';
import { answered, FakeServices, noSuchObject, tenantOf, tenantToken } from '@fundrail/testing';

/** Tokens are valid for thirty minutes, and those of this issuer were issued twenty minutes ago. */
const AGE_MS = 20 * 60_000;

/** Simulates identity: signs access tokens and serves its key set. */
export class TestIssuer extends FakeServices {
  /** Tenants whose setting `verify_endpoints` is on. */
  readonly verifying = new Set<string>();

  /** An access token that is valid for ten minutes from `now`. */
  token(tenant: string, now = new Date(), scope = ''): string {
    return tenantToken(tenant, scope, new Date(now.getTime() - AGE_MS)).replace('Bearer ', '');
  }

  /** Serves a token for the client secret `right`. The secret `flooded` gets a 429. */
  protected answer({ body = '' }: TransportRequest, service: ServiceName): TransportAnswer {
    if (service !== 'identity') return noSuchObject();
    const { tenant, client_secret } = JSON.parse(body) as Record<string, string>;
    if (client_secret === 'flooded') return { status: 200, body: '{"access_token":null,"retry_after_s":37}' };
    const isRight = tenant !== undefined && client_secret === 'right';
    return answered({ access_token: isRight ? this.token(tenant) : null });
  }

  protected override tenant(name: string): TenantFacts {
    return tenantOf(name, { verify_endpoints: this.verifying.has(name) });
  }
}
