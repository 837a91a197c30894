import { one, type RequestHeaders } from '@fundrail/service-kit/http';

/**
 * The kind of a request for the page. Only `opens` uses up the token: a HEAD, a prefetch and a request for a frame, picture or
 * script do not (PAGE-3).
 */
export type Visit = 'opens' | 'head' | 'prefetch' | 'embedded';

const EARLY = /prefetch|prerender|preview/i;

export function visitOf(method: string, headers: RequestHeaders): Visit {
  if (method === 'HEAD') return 'head';
  if (
    [headers['sec-purpose'], headers['purpose'], headers['x-purpose']].some((value) => EARLY.test(one(value)))
  )
    return 'prefetch';
  const target = one(headers['sec-fetch-dest']);
  return target === '' || target === 'document' ? 'opens' : 'embedded';
}
