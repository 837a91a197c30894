import { lookup as systemLookup, promises, type LookupAddress } from 'node:dns';

/** Resolves all addresses of a host name. Rejects when it has none. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/**
 * Resolves by the name servers only, without the hosts file and search domains, because a client's host is a public name. The system's
 * lookup blocks one of four threads until it ends, so a few names with unresponsive servers would block all others.
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

/** Resolves like any program on this machine, for the sandbox's names of this machine and of containers. */
export const resolveBySystem: Resolve = (host) =>
  new Promise((resolve, reject) => {
    systemLookup(host, { all: true, order: 'verbatim' }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses);
    });
  });
