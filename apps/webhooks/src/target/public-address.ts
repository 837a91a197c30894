import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Networks that are not the public internet although `ipaddr.js` calls them unicast, by the IANA special-purpose registries
 * (https://www.iana.org/assignments/iana-ipv4-special-registry, …ipv6…).
 */
const FURTHER_REFUSED = [
  '192.0.0.0/24', // IETF protocol assignments
  '192.88.99.0/24', // 6to4 relay anycast
  '198.18.0.0/15', // benchmarking
  '168.63.129.16/32', // the host of Azure's virtual machines
  '64:ff9b:1::/48', // local-use NAT64
  '100:0:0:1::/64', // dummy prefix
  '2001::/23', // IETF protocol assignments, Teredo among them
  '2002::/16', // 6to4: carries an IPv4 address of any kind
  '2001:db8::/32', // documentation
  '3fff::/20', // documentation
  '5f00::/16', // segment routing
  'fec0::/10', // site-local, deprecated
].map((cidr) => ipaddr.parseCIDR(cidr));

const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

/**
 * Whether an address may be sent to: a public unicast one (contract §6 "URLs"). Private, loopback, link-local, CGNAT,
 * multicast, documentation and reserved addresses may not, nor what carries one inside (v4-mapped, v4-compatible, NAT64).
 * Anything that is not an address may not.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = embeddedV4(ipaddr.parse(text));
  if (address.range() !== 'unicast') return false;
  return !FURTHER_REFUSED.some(
    ([network, bits]) => address.kind() === network.kind() && address.match(network, bits),
  );
}

/** The IPv4 address that an IPv6 address stands for, if it does. */
function embeddedV4(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  const bytes = address.toByteArray();
  const isNat64 = address.match(NAT64);
  const isCompatible =
    bytes.slice(0, 12).every((byte) => byte === 0) && bytes.slice(12).some((byte) => byte > 1);
  return isNat64 || isCompatible ? new ipaddr.IPv4(bytes.slice(12)) : address;
}
