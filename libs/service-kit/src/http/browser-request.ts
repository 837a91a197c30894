/** Headers of a request, with lower-case names. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Whether a post comes from one of our pages, by `Sec-Fetch-Site`, else by `Origin`. A post with neither is refused; all current
 * browsers send `Origin` with a post.
 */
export function isOwnPost(headers: RequestHeaders, publicBaseUrl: string): boolean {
  const site = one(headers['sec-fetch-site']);
  if (site !== '') return site === 'same-origin';
  return one(headers['origin']) === new URL(publicBaseUrl).origin;
}

/** The value of a cookie, or null. */
export function cookieOf(headers: RequestHeaders, name: string): string | null {
  for (const pair of one(headers['cookie']).split(';')) {
    const [key = '', ...value] = pair.trim().split('=');
    if (key === name) return value.join('=');
  }
  return null;
}

/** The header's value, or its first value; empty without it. */
export function one(value: RequestHeaders[string]): string {
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}
