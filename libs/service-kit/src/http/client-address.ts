import ipaddr from 'ipaddr.js';

/** A network, as `ipaddr.parseCIDR` answers it. */
export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Networks of a comma-separated list of CIDRs. Throws when one is none. */
export function networksOf(list: string): readonly Network[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((cidr) => ipaddr.parseCIDR(cidr));
}

/**
 * Whom a request is from, as a key. `X-Forwarded-For` counts only as far as the proxies before us are ours, read from its end:
 * what stands left of the first stranger was written by that stranger. An IPv6 address counts as its /64, of which everybody
 * has a whole one.
 */
export function clientOf(
  remote: string,
  forwarded: string | readonly string[] | undefined,
  trusted: readonly Network[],
): string {
  const said = (Array.isArray(forwarded) ? forwarded.join(',') : String(forwarded ?? '')).split(',');
  const hops = [...said.map((hop) => hop.trim()).filter((hop) => hop !== ''), remote];
  const stranger = hops.findLastIndex((hop) => !isTrusted(hop, trusted));
  return keyOf(hops[Math.max(stranger, 0)] ?? remote);
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

/** An IPv4 address in IPv6 clothes is the IPv4 address. */
function parsed(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}
