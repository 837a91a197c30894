import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

/**
 * Networks that are not public although `ipaddr.js` classifies them as unicast, by the IANA special-purpose registries
 * (https://www.iana.org/assignments/iana-ipv4-special-registry, …ipv6…).
 */
const FURTHER_REFUSED = [
  '168.63.129.16/32', // the host of Azure's virtual machines
  '2001::/23', // IETF protocol assignments: Teredo, benchmarking, ORCHID among them
  '2002::/16', // 6to4: carries an IPv4 address of any kind
  '2001:db8::/32', // documentation
  '3fff::/20', // documentation
].map((cidr) => ipaddr.parseCIDR(cidr));

/** The range that IANA has allocated for the public internet; all other IPv6 addresses are reserved or local. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');
/** The third quarter of an ISATAP address (RFC 5214 §6.1), before the IPv4 address that it tunnels to. */
const ISATAP = new Set(['00005efe', '02005efe']);

/**
 * Whether webhooks may be sent to an address: only to public unicast ones (HOOK-8). Not allowed are private, loopback, link-local, CGNAT,
 * multicast, documentation and reserved addresses, addresses that embed one (v4-mapped, NAT64), and tunnels (6to4, Teredo, ISATAP).
 * Neither are other notations: `0177.0.0.1`, `2130706433`, a zone id.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false;
  if (isIP(text) === 4) return isPublic(ipaddr.IPv4.parse(text));
  // In hex groups only: `ipaddr.js` treats the deprecated `::8.8.8.8` as a v4-mapped address, the kernel does not.
  const address = ipaddr.IPv6.parse(new URL(`http://[${text}]/`).hostname.slice(1, -1));
  const inside = embeddedV4(address);
  return inside ? isPublic(inside) : isPublic(address) && address.match(GLOBAL_UNICAST) && !isIsatap(address);
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return !FURTHER_REFUSED.some(
    ([network, bits]) => address.kind() === network.kind() && address.match(network, bits),
  );
}

/** The IPv4 address that a connection to this address reaches. */
function embeddedV4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return address.match(NAT64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : null;
}

function isIsatap(address: ipaddr.IPv6): boolean {
  return ISATAP.has(Buffer.from(address.toByteArray().slice(8, 12)).toString('hex'));
}
