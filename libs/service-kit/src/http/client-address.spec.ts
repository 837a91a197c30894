import { clientOf, networksOf } from './client-address.ts';

const EDGE = networksOf('10.0.0.0/8, fd00::/8');

describe('whom a request is from', () => {
  it.each<[string, string, string | string[] | undefined, string]>([
    ['nobody before us', '203.0.113.9', undefined, '203.0.113.9'],
    ['our edge, which names its client', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['our edge, whose client made something up', '10.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['two proxies of ours', '10.0.0.1', '203.0.113.9, 10.2.0.1', '203.0.113.9'],
    ['a stranger who names another', '203.0.113.9', '1.1.1.1', '203.0.113.9'],
    ['a header that came twice', '10.0.0.1', ['1.1.1.1', '203.0.113.9'], '203.0.113.9'],
    ['our own network alone', '10.0.0.1', '10.0.0.7', '10.0.0.7'],
    ['our edge without a header', '10.0.0.1', undefined, '10.0.0.1'],
    ['IPv4 in IPv6 clothes', '::ffff:10.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
    ['IPv6, of which everybody has a /64', 'fd00::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['our edge, which names nonsense', '10.0.0.1', 'nonsense', 'nonsense'],
  ])('given %s, when it is asked, then it is the right one', (_, remote, forwarded, client) => {
    expect(clientOf(remote, forwarded, EDGE)).toBe(client);
  });

  it('given no trusted network, when anything is forwarded, then it counts for nothing', () => {
    expect(clientOf('10.0.0.1', '203.0.113.9', networksOf(''))).toBe('10.0.0.1');
  });

  it('given what is no network, when it is read, then that is told', () => {
    expect(() => networksOf('10.0.0.1')).toThrow();
  });
});
