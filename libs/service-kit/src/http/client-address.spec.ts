import { clientOf, networksOf } from './client-address.ts';

const EDGE = networksOf('10.0.0.0/8, fd00::/8');

describe('the client of a request', () => {
  it.each<[string, string, string | string[] | undefined, string]>([
    ['no proxy before us', '203.0.113.9', undefined, '203.0.113.9'],
    ['our edge, which names its client', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['our edge, and a client that invented an address', '10.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['two proxies of ours', '10.0.0.1', '203.0.113.9, 10.2.0.1', '203.0.113.9'],
    ['a client that names another address', '203.0.113.9', '1.1.1.1', '203.0.113.9'],
    ['a header that was sent twice', '10.0.0.1', ['1.1.1.1', '203.0.113.9'], '203.0.113.9'],
    ['only our own network', '10.0.0.1', '10.0.0.7', '10.0.0.7'],
    ['our edge without a header', '10.0.0.1', undefined, '10.0.0.1'],
    ['IPv4 mapped to IPv6', '::ffff:10.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
    ['IPv6, which counts as its /64', 'fd00::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['our edge, which names nonsense', '10.0.0.1', 'nonsense', 'nonsense'],
  ])('given %s, then it is the right one', (_, remote, forwarded, client) => {
    expect(clientOf(remote, forwarded, EDGE)).toBe(client);
  });

  it('given no trusted network, then X-Forwarded-For is ignored', () => {
    expect(clientOf('10.0.0.1', '203.0.113.9', networksOf(''))).toBe('10.0.0.1');
  });

  it('given a text that is not a network, then it throws', () => {
    expect(() => networksOf('10.0.0.1')).toThrow();
  });
});
