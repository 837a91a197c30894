/** Headers of a request, lower-case names. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * How somebody comes to the page. Only `opens` uses the token up: not a HEAD, a prefetch, or a request that a browser makes
 * for anything but a page of its own (contract §10 "Payments").
 */
export type Visit = 'opens' | 'head' | 'prefetch' | 'embedded';

const EARLY = /prefetch|prerender|preview/i;

export function visitOf(method: string, headers: Headers): Visit {
  if (method === 'HEAD') return 'head';
  if (
    [headers['sec-purpose'], headers['purpose'], headers['x-purpose']].some((value) => EARLY.test(one(value)))
  )
    return 'prefetch';
  const target = one(headers['sec-fetch-dest']);
  return target === '' || target === 'document' ? 'opens' : 'embedded';
}

/**
 * Whether a post comes from a page of ours: what the browser says of it (`Sec-Fetch-Site`), else its `Origin`. One that tells
 * neither is refused; every browser of today sends `Origin` with a post.
 */
export function isOwnPost(headers: Headers, publicBaseUrl: string): boolean {
  const site = one(headers['sec-fetch-site']);
  if (site !== '') return site === 'same-origin';
  return one(headers['origin']) === new URL(publicBaseUrl).origin;
}

/** The value of a cookie, or null. */
export function cookieOf(headers: Headers, name: string): string | null {
  for (const pair of one(headers['cookie']).split(';')) {
    const [key = '', ...value] = pair.trim().split('=');
    if (key === name) return value.join('=');
  }
  return null;
}

/** The header's one value, or its first; empty without it. */
export function one(value: Headers[string]): string {
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}
