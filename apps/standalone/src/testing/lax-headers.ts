/**
 * What a page's headers leave open to a browser that should be shut: each page loads what it names and nothing inline but by its
 * hash, stands in no frame, is taken for nothing else, and tells nobody its address.
 */
export function laxHeadersOf(headers: Readonly<Record<string, string>>): string[] {
  const policy = (headers['content-security-policy'] ?? '').split(';').map((part) => part.trim());
  return [
    ...["default-src 'none'", "frame-ancestors 'none'"].filter((part) => !policy.includes(part)),
    ...policy.filter((part) => /'unsafe-|\*|https?:(\s|$)/.test(part)),
    ...(headers['x-content-type-options'] === 'nosniff' ? [] : ['x-content-type-options']),
    ...(/^(no-referrer|same-origin)$/.test(headers['referrer-policy'] ?? '') ? [] : ['referrer-policy']),
  ];
}
