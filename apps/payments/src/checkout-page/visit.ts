import { one, type RequestHeaders } from '@fundrail/service-kit/http';

/**
 * How somebody comes to the page. Only `opens` uses the token up: not a HEAD, a prefetch, or a request that a browser makes
 * for anything but a page of its own (contract §10 "Payments").
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
