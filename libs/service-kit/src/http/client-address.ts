import ipaddr from 'ipaddr.js';

/** A network, as `ipaddr.parseCIDR` returns it. */
export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The networks of a comma-separated list of CIDRs. Throws when one is not a CIDR. */
export function networksOf(list: string): readonly Network[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((cidr) => ipaddr.parseCIDR(cidr));
}

/**
 * The client of a request, as a key. `X-Forwarded-For` is read from its end and only through our own proxies: everything before the
 * first untrusted address was written by that client. An IPv6 address counts as its /64, because a client usually has a whole one.
 */
export function clientOf(
  remote: string,
  forwarded: string | readonly string[] | undefined,
  trusted: readonly Network[],
): string {
  const listed = (Array.isArray(forwarded) ? forwarded.join(',') : String(forwarded ?? '')).split(',');
  const hops = [...listed.map((hop) => hop.trim()).filter((hop) => hop !== ''), remote];
  const client = hops.findLastIndex((hop) => !isTrusted(hop, trusted));
  return keyOf(hops[Math.max(client, 0)] ?? remote);
}

function isTrusted(text: string, trusted: readonly Network[]): boolean {
  const address = parsed(text);
  return address !== null && trusted.some((network) => isWithin(address, network));
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

function keyOf(text: string): string {
  const address = parsed(text);
  if (!(address instanceof ipaddr.IPv6)) return address?.toString() ?? text.slice(0, 64);
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/** An IPv4-mapped IPv6 address becomes the IPv4 address. */
function parsed(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}
