import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { resolveByNameServers, resolveBySystem, type Resolve } from './dns-resolver.ts';
import { isPublicAddress } from './public-address.ts';
import type { LocalHosts } from './webhook-url.ts';

/** The error for a host that is, or resolves to, an address that webhooks may not be sent to. */
export class RefusedAddress extends Error {}

// An unresponsive name server is queried twice. Both queries fit well within the time-out of an attempt.
const DNS_LIMITS = { timeout: 2_000, tries: 2 };

/** The resolver of the sandbox's own names, and the resolver of all others. */
interface Resolvers {
  readonly local: Resolve;
  readonly others: Resolve;
}

/** Resolves hosts and refuses those with a private or reserved address. */
export class PublicLookup {
  constructor(
    private readonly localHosts: LocalHosts,
    private readonly resolvers: Resolvers = {
      local: resolveBySystem,
      others: resolveByNameServers(DNS_LIMITS),
    },
  ) {}

  /** All addresses of a host. Throws `RefusedAddress` when one of them is refused, or the resolver's error when there is none. */
  async addressesOf(host: string): Promise<readonly LookupAddress[]> {
    const isLocal = this.localHosts.has(host);
    const addresses = await (isLocal ? this.resolvers.local(host) : this.resolvers.others(host));
    if (addresses.length === 0) throw new Error(`${host} has no address`);
    const refused = addresses.map(({ address }) => this.refusal(host, address)).find((one) => one !== null);
    if (refused) throw refused;
    return addresses;
  }

  /** Why an address of a host is refused, or null. `host` has no IPv6 brackets. */
  refusal(host: string, address: string): RefusedAddress | null {
    const isLocal = this.localHosts.has(host) || this.localHosts.has(`[${host}]`);
    if (isLocal || isPublicAddress(address)) return null;
    return new RefusedAddress(`${host} has a private or reserved address`);
  }

  /** For a socket's `lookup`: the checked address is the one that is connected to, so DNS rebinding is not possible. */
  readonly forSocket: LookupFunction = (host, options, callback) => {
    this.addressesOf(host).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) callback(null, [...addresses]);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), ''),
    );
  };
}
