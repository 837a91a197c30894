import { isPublicAddress } from './public-address.ts';

describe('an address that webhooks are never sent to', () => {
  it.each([
    ['this network', '0.0.0.0'],
    ['loopback', '127.0.0.1'],
    ['all of loopback', '127.255.255.254'],
    ['private 10/8', '10.0.0.1'],
    ['private 172.16/12', '172.31.255.255'],
    ['private 192.168/16', '192.168.1.1'],
    ['link-local', '169.254.1.1'],
    ['cloud metadata', '169.254.169.254'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['carrier-grade NAT, its end', '100.127.255.255'],
    ['documentation 1', '192.0.2.1'],
    ['documentation 2', '198.51.100.1'],
    ['documentation 3', '203.0.113.1'],
    ['benchmarking', '198.19.0.1'],
    ['protocol assignments', '192.0.0.8'],
    ['6to4 relay', '192.88.99.1'],
    ['the host of Azure', '168.63.129.16'],
    ['multicast', '224.0.0.1'],
    ['multicast, its end', '239.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['IPv6 unspecified', '::'],
    ['IPv6 loopback', '::1'],
    ['unique local', 'fd12:3456:789a::1'],
    ['IPv6 link-local', 'fe80::1'],
    ['site-local', 'fec0::1'],
    ['IPv6 multicast', 'ff02::1'],
    ['IPv6 documentation', '2001:db8::1'],
    ['IPv6 documentation 2', '3fff::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['6to4', '2002:c0a8:101::1'],
    ['discard only', '100::1'],
    ['v4-mapped loopback', '::ffff:127.0.0.1'],
    ['v4-mapped private, in hex', '::ffff:a00:1'],
    ['v4-compatible private', '::10.0.0.1'],
    ['NAT64 of a private address', '64:ff9b::10.0.0.1'],
    ['NAT64 of cloud metadata', '64:ff9b::a9fe:a9fe'],
    ['local-use NAT64', '64:ff9b:1::1'],
    ['a host name', 'example.com'],
    ['nothing', ''],
  ])('%s: %s', (_what, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('an address that webhooks may be sent to', () => {
  it.each([
    ['8.8.8.8'],
    ['100.63.255.255'],
    ['100.128.0.1'],
    ['172.32.0.1'],
    ['2606:4700:4700::1111'],
    ['::ffff:8.8.8.8'],
    ['64:ff9b::808:808'],
  ])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});
