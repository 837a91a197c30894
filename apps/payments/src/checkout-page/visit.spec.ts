import { cookieOf, isOwnPost, visitOf, type Headers, type Visit } from './visit.ts';

describe('a visit to the page', () => {
  it.each<[string, string, Headers, Visit]>([
    ['a browser that says nothing', 'GET', {}, 'opens'],
    [
      'a browser that opens a page',
      'GET',
      { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' },
      'opens',
    ],
    ['HEAD', 'HEAD', { 'sec-fetch-dest': 'document' }, 'head'],
    ['a prefetch', 'GET', { 'sec-purpose': 'prefetch', 'sec-fetch-dest': 'document' }, 'prefetch'],
    ['a private prefetch', 'GET', { 'sec-purpose': 'prefetch;anonymous-client-ip' }, 'prefetch'],
    ['a prerendering', 'GET', { 'sec-purpose': 'prefetch;prerender' }, 'prefetch'],
    ['an older prefetch', 'GET', { purpose: 'prefetch' }, 'prefetch'],
    ['a preview', 'GET', { 'x-purpose': 'preview' }, 'prefetch'],
    ['a frame', 'GET', { 'sec-fetch-dest': 'iframe' }, 'embedded'],
    ['a picture', 'GET', { 'sec-fetch-dest': 'image' }, 'embedded'],
    ['a script', 'GET', { 'sec-fetch-dest': 'empty' }, 'embedded'],
  ])('given %s, when it comes, then it is known (contract §10)', (_, method, headers, visit) => {
    expect(visitOf(method, headers)).toBe(visit);
  });
});

describe('a post to the page', () => {
  const base = 'https://pay.example.com/under/a/path';
  it.each<[string, Headers, boolean]>([
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
