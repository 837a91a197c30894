/**
 * What a page's headers fail to forbid. Each page loads only what it names, allows inline code only by its hash, forbids frames and
 * content sniffing, and sends no referrer.
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
