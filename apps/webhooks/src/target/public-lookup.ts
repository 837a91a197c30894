import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { resolveByNameServers, resolveBySystem, type Resolve } from './dns-resolver.ts';
import { isPublicAddress } from './public-address.ts';
import type { LocalHosts } from './webhook-url.ts';

/** A host that is, or has, an address that webhooks may not be sent to. */
export class RefusedAddress extends Error {}

// A name server that is silent is asked twice; both fit into the time-out of a send with room to spare.
const DNS_LIMITS = { timeout: 2_000, tries: 2 };

/** Who answers for the sandbox's own names, and for all others. */
export interface Resolvers {
  readonly local: Resolve;
  readonly others: Resolve;
}

/** Looks hosts up and refuses those with a private or reserved address among theirs. */
export class PublicLookup {
  constructor(
    private readonly localHosts: LocalHosts,
    private readonly resolvers: Resolvers = {
      local: resolveBySystem,
      others: resolveByNameServers(DNS_LIMITS),
    },
  ) {}

  /** Every address of a host. Throws `RefusedAddress` when one of them is, or the resolver's error when there is none. */
  async addressesOf(host: string): Promise<readonly LookupAddress[]> {
    const isLocal = this.localHosts.has(host);
    const addresses = await (isLocal ? this.resolvers.local(host) : this.resolvers.others(host));
    if (addresses.length === 0) throw new Error(`${host} has no address`);
    const refused = addresses.map(({ address }) => this.refusal(host, address)).find((one) => one !== null);
    if (refused) throw refused;
    return addresses;
  }

  /** Why a host may not be reached at an address, or null. `host` comes without the brackets of IPv6. */
  refusal(host: string, address: string): RefusedAddress | null {
    const isLocal = this.localHosts.has(host) || this.localHosts.has(`[${host}]`);
    if (isLocal || isPublicAddress(address)) return null;
    return new RefusedAddress(`${host} has a private or reserved address`);
  }

  /** For a socket's `lookup`: the address that is checked is the one that is connected to, so no rebinding slips between. */
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
