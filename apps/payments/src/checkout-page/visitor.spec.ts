import { browserOf } from './visitor.ts';

const PAGE = 'https://pay.example/api/pg/payments/netbanking/sdkvendor';
const agent = 'Mozilla/5.0 (Linux; Android 16) Chrome/140.0 Mobile';

describe('the browser as a provider is told of it', () => {
  it.each([
    ['nobody stands between', {}, '192.0.2.1'],
    ['a proxy names it', { 'x-forwarded-for': '203.0.113.9' }, '203.0.113.9'],
    ['two proxies do', { 'x-forwarded-for': '2001:db8::7, 10.0.0.4' }, '2001:db8::7'],
    ['the header holds something else', { 'x-forwarded-for': 'unknown, 10.0.0.4' }, '192.0.2.1'],
  ])('given that %s, when its address is told, then it is %s', (_, headers, ip) => {
    const arrival = { ip: '192.0.2.1', headers: { 'user-agent': agent, ...headers } };
    expect(browserOf(arrival, PAGE)).toEqual({ ip, referer: PAGE, user_agent: agent });
  });

  it('given an address with its token, when a browser names that as its referer, then the page alone is told', () => {
    const headers = { referer: `${PAGE}?txnId=secret`, 'user-agent': agent };
    expect(browserOf({ ip: '192.0.2.1', headers }, PAGE).referer).toBe(PAGE);
  });

  it('given a browser that does not name itself, or at length, when it is told, then briefly', () => {
    expect(browserOf({ ip: '192.0.2.1', headers: {} }, PAGE).user_agent).toBe('unknown');
    const headers = { 'user-agent': 'x'.repeat(2_000) };
    expect(browserOf({ ip: '192.0.2.1', headers }, PAGE).user_agent).toHaveLength(512);
  });
});
