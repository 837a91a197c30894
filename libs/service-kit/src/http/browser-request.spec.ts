import { cookieOf, isOwnPost, type RequestHeaders } from './browser-request.ts';

describe('a post to a page', () => {
  const base = 'https://pay.example.com/under/a/path';
  it.each<[string, RequestHeaders, boolean]>([
    ['the browser’s word that it is ours', { 'sec-fetch-site': 'same-origin' }, true],
    [
      'the word that it is another’s',
      { 'sec-fetch-site': 'cross-site', origin: 'https://pay.example.com' },
      false,
    ],
    ['a neighbouring host', { 'sec-fetch-site': 'same-site' }, false],
    ['our origin', { origin: 'https://pay.example.com' }, true],
    ['another origin', { origin: 'https://evil.example' }, false],
    ['no origin to tell', { origin: 'null' }, false],
    ['nothing at all', {}, false],
  ])('given %s, when it is judged, then that decides', (_, headers, own) => {
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
  ])('given %s, when one is looked for, then it is %s', (cookie, value) => {
    expect(cookieOf({ cookie }, 'fundrail')).toBe(value);
  });
});
