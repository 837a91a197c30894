import type { RequestHeaders } from '@fundrail/service-kit/http';
import { visitOf, type Visit } from './visit.ts';

describe('a visit to the page', () => {
  it.each<[string, string, RequestHeaders, Visit]>([
    ['a browser without such headers', 'GET', {}, 'opens'],
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
  ])('given %s, when it comes, then it is recognised (PAGE-3)', (_, method, headers, visit) => {
    expect(visitOf(method, headers)).toBe(visit);
  });
});
