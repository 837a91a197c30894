import { lookup as systemLookup, promises, type LookupAddress } from 'node:dns';

/** Every address of a host name. Rejects when it has none. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/**
 * By the name servers alone, without the file of hosts and the search domains: a client's host is a public name. The system's
 * own look-up holds one of four threads until it ends, so a few names whose servers are silent would hold up every other.
 */
export function resolveByNameServers(limits: { readonly timeout: number; readonly tries: number }): Resolve {
  const resolver = new promises.Resolver(limits);
  return async (host) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason;
    return addresses;
  };
}

/** As every other program of this machine: for the sandbox's names of this machine and of containers. */
export const resolveBySystem: Resolve = (host) =>
  new Promise((resolve, reject) => {
    systemLookup(host, { all: true, order: 'verbatim' }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses);
    });
  });
