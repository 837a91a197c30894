import { urlFault } from './webhook-url.ts';

const sandbox = new Set(['localhost', '127.0.0.1', '[::1]', 'receiver']);
const outside = new Set<string>();

describe('the URL of an endpoint (HOOK-7)', () => {
  it.each([
    ['https://shop.example/hooks', outside],
    ['https://shop.example:8443/hooks?x=1', outside],
    ['https://8.8.8.8/hooks', outside],
    ['http://localhost:4000/hooks', sandbox],
    ['http://127.0.0.1:4000/hooks', sandbox],
    ['http://[::1]:4000/hooks', sandbox],
    ['https://localhost/hooks', sandbox],
    ['http://receiver:8080/', sandbox],
  ])('may be %s', (url, localHosts) => {
    expect(urlFault(url, localHosts)).toBeNull();
  });

  it.each([
    ['not a URL', 'shop.example/hooks', sandbox],
    ['http to elsewhere', 'http://shop.example/hooks', sandbox],
    ['http to localhost outside the sandbox', 'http://localhost/hooks', outside],
    ['another scheme', 'ftp://localhost/hooks', sandbox],
    ['credentials', 'https://user:secret@shop.example/', outside],
    ['a user name alone', 'https://user@shop.example/', outside],
    ['this machine outside the sandbox', 'https://127.0.0.1/', outside],
    ['this machine in decimal', 'https://2130706433/', outside],
    ['this machine in hex and short', 'https://0x7f.1/', outside],
    ['this machine in hex', 'https://0x7f000001/', outside],
    ['this machine in octal', 'https://0177.0.0.1/', outside],
    ['this machine in octal, one number', 'https://017700000001/', outside],
    ['this machine with a dot behind', 'https://127.0.0.1./', outside],
    ['this machine in full-width digits', 'https://１２７.０.０.１/', outside],
    ['this machine with encoded digits', 'https://%31%32%37.0.0.1/', outside],
    ['nothing of this network', 'https://0/', outside],
    ['this machine by IPv6', 'https://[::1]/', outside],
    ['this machine by IPv6, written out', 'https://[0:0:0:0:0:0:0:1]/', outside],
    ['an IPv6 zone', 'https://[fe80::1%25eth0]/', outside],
    ['http to localhost with a dot behind', 'http://localhost./', sandbox],
    ['6to4', 'https://[2002:7f00:1::]/', outside],
    ['Teredo', 'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/', outside],
    ['a script', 'javascript:alert(1)', sandbox],
    ['a file', 'file:///etc/passwd', sandbox],
    ['another address of this machine', 'https://127.0.0.2/', sandbox],
    ['a private address', 'https://10.0.0.7/hooks', sandbox],
    ['cloud metadata', 'https://169.254.169.254/latest/meta-data', outside],
    ['a private address inside IPv6', 'https://[::ffff:10.0.0.7]/', sandbox],
    ['a private address behind NAT64', 'https://[64:ff9b::10.0.0.7]/', outside],
  ])('may not be %s: %s', (_what, url, localHosts) => {
    expect(urlFault(url, localHosts)).not.toBeNull();
  });

  it('has an error that names the hosts for which http is allowed', () => {
    expect(urlFault('http://shop.example/', outside)).toBe('must begin with https://');
    expect(urlFault('http://shop.example/', sandbox)).toBe(
      'must begin with https://, or with http:// to localhost, 127.0.0.1, [::1], receiver',
    );
  });
});
