import { Injectable } from '@nestjs/common';
import { WebhooksConfig } from '../config.ts';
import { PublicLookup, RefusedAddress } from './public-lookup.ts';
import { literalAddress, refusedUrl, urlFault } from './webhook-url.ts';

/** Checks whether webhooks may be sent to a URL: at an endpoint's creation and again at every attempt. */
@Injectable()
export class WebhookTarget {
  readonly lookup: PublicLookup;

  constructor(private readonly config: WebhooksConfig) {
    this.lookup = new PublicLookup(config.localHosts);
  }

  /** Why the URL itself is refused, or null. The socket checks the addresses of its host. */
  fault(url: string): string | null {
    return urlFault(url, this.config.localHosts);
  }

  /** Throws `ValidationFailed` unless the URL is allowed and its host resolves to allowed addresses. Queries the DNS. */
  async check(url: string): Promise<void> {
    const fault = this.fault(url);
    if (fault !== null) throw refusedUrl(fault);
    const { hostname } = new URL(url);
    if (literalAddress(hostname) !== null) return;
    try {
      await this.lookup.addressesOf(hostname);
    } catch (error) {
      const refused = error instanceof RefusedAddress;
      throw refusedUrl(refused ? 'must not be a private or reserved address' : 'its host does not resolve');
    }
  }
}
