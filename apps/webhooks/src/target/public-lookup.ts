import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import type { LocalHosts } from './webhook-url.ts';

/** A host that resolves to an address that webhooks may not be sent to. */
export class RefusedAddress extends Error {}

type Resolve = (host: string) => Promise<LookupAddress[]>;

const resolveBySystem: Resolve = (host) =>
  new Promise((resolve, reject) => {
    systemLookup(host, { all: true, order: 'verbatim' }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses);
    });
  });

/** Looks hosts up and refuses those with a private or reserved address among theirs. */
export class PublicLookup {
  constructor(
    private readonly localHosts: LocalHosts,
    private readonly resolve: Resolve = resolveBySystem,
  ) {}

  /** Every address of a host. Throws `RefusedAddress`, or the system's error when it does not resolve. */
  async addressesOf(host: string): Promise<LookupAddress[]> {
    const addresses = await this.resolve(host);
    if (addresses.length === 0) throw new Error(`${host} has no address`);
    if (this.localHosts.has(host) || addresses.every(({ address }) => isPublicAddress(address)))
      return addresses;
    throw new RefusedAddress(`${host} has a private or reserved address`);
  }

  /** For a socket's `lookup`: the address that is checked is the one that is connected to, so no rebinding slips between. */
  readonly forSocket: LookupFunction = (host, options, callback) => {
    this.addressesOf(host).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) callback(null, addresses);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), ''),
    );
  };
}
