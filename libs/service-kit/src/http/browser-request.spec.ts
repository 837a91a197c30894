import { cookieOf, isOwnPost, type RequestHeaders } from './browser-request.ts';

describe('a post to a page', () => {
  const base = 'https://pay.example.com/under/a/path';
  it.each<[string, RequestHeaders, boolean]>([
    ['Sec-Fetch-Site of our own page', { 'sec-fetch-site': 'same-origin' }, true],
    [
      'Sec-Fetch-Site of a foreign page',
      { 'sec-fetch-site': 'cross-site', origin: 'https://pay.example.com' },
      false,
    ],
    ['Sec-Fetch-Site of a host of the same site', { 'sec-fetch-site': 'same-site' }, false],
    ['our origin', { origin: 'https://pay.example.com' }, true],
    ['another origin', { origin: 'https://evil.example' }, false],
    ['a null origin', { origin: 'null' }, false],
    ['no header', {}, false],
  ])('given %s, then it decides', (_, headers, own) => {
    expect(isOwnPost(headers, base)).toBe(own);
  });
});

describe('cookies', () => {
  it.each<[string | undefined, string | null]>([
    [undefined, null],
    ['a=1', null],
    ['a=1; fundrail=x=y; b=2', 'x=y'],
    ['fundrail_other=1', null],
    ['fundrail=', ''],
  ])('given %s, then the value is %s', (cookie, value) => {
    expect(cookieOf({ cookie }, 'fundrail')).toBe(value);
  });
});
