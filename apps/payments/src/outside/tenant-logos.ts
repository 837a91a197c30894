import { tenantLogoContent, type TenantLogo } from '@fundrail/contracts';
import { AnswerCache, ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { InvestorFacts } from './investor-facts.ts';

/** The content of a hash never changes; the time only removes logos that are no longer requested. */
const LOGO_MS = 600_000;
/** At most 64 KiB each. */
const MAX_CACHED = 100;

/** A logo as it is served to browsers. */
interface ServedLogo {
  readonly media_type: TenantLogo['media_type'];
  readonly content: Buffer;
}

/** The logos of tenants, from identity. */
@Injectable()
export class TenantLogos {
  private readonly logos = new AnswerCache<ServedLogo>(LOGO_MS, MAX_CACHED);

  constructor(
    private readonly facts: InvestorFacts,
    private readonly services: ServiceClient,
  ) {}

  /**
   * The tenant's logo with this hash; null when the tenant has another logo, so that a wrong hash never takes a place in the cache.
   * Throws `ApiError`: NOT_FOUND when the logo has just been replaced, SERVICE_UNAVAILABLE when identity does not answer.
   */
  async logo(tenant: string, sha256: string): Promise<ServedLogo | null> {
    const { settings } = await this.facts.tenant(tenant);
    if (settings.logo?.sha256 !== sha256) return null;
    return this.logos.get(`${sha256} ${tenant}`, () => this.ask(tenant, sha256));
  }

  private async ask(tenant: string, sha256: string): Promise<ServedLogo> {
    const path = `/internal/tenants/${encodeURIComponent(tenant)}/logo?sha256=${sha256}`;
    const asked = { method: 'GET', path, answer: tenantLogoContent } as const;
    const { media_type, content } = await this.services.call('identity', asked);
    return { media_type, content: Buffer.from(content, 'base64') };
  }
}
