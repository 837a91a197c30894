import { browserOf } from './visitor.ts';

const PAGE = 'https://pay.example/api/pg/payments/netbanking/sdkvendor';
const agent = 'Mozilla/5.0 (Linux; Android 16) Chrome/140.0 Mobile';

describe('the browser data that is sent to a provider', () => {
  it.each([
    ['there is no proxy', {}, '192.0.2.1'],
    ['a proxy sends its address', { 'x-forwarded-for': '203.0.113.9' }, '203.0.113.9'],
    ['two proxies send it', { 'x-forwarded-for': '2001:db8::7, 10.0.0.4' }, '2001:db8::7'],
    ['the header contains something else', { 'x-forwarded-for': 'unknown, 10.0.0.4' }, '192.0.2.1'],
  ])('given that %s, when its address is read, then it is %s', (_, headers, ip) => {
    const arrival = { ip: '192.0.2.1', headers: { 'user-agent': agent, ...headers } };
    expect(browserOf(arrival, PAGE)).toEqual({ ip, referer: PAGE, user_agent: agent });
  });

  it('given a referer with the token, when it is read, then it is the page’s address without the token', () => {
    const headers = { referer: `${PAGE}?txnId=secret`, 'user-agent': agent };
    expect(browserOf({ ip: '192.0.2.1', headers }, PAGE).referer).toBe(PAGE);
  });

  it('given no user agent or a very long one, when it is read, then it is unknown or cut', () => {
    expect(browserOf({ ip: '192.0.2.1', headers: {} }, PAGE).user_agent).toBe('unknown');
    const headers = { 'user-agent': 'x'.repeat(2_000) };
    expect(browserOf({ ip: '192.0.2.1', headers }, PAGE).user_agent).toHaveLength(512);
  });
});
