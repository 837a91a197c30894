import { ValidationFailed } from '@fundrail/contracts';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** Host names, as in a URL, that may resolve to this machine or a private address. Only in the sandbox. */
export type LocalHosts = ReadonlySet<string>;

/**
 * Why a URL is refused as an endpoint, or null (HOOK-7). Checks what needs no DNS query: scheme, credentials, and the address if the host
 * is one. The URL parser has already normalised `0x7f.1` and `2130706433`.
 */
export function urlFault(text: string, localHosts: LocalHosts): string | null {
  if (!URL.canParse(text)) return 'must be an absolute URL';
  const url = new URL(text);
  const local = localHosts.has(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local)) return schemeFault(localHosts);
  if (url.username !== '' || url.password !== '') return 'must not carry credentials';
  const literal = literalAddress(url.hostname);
  if (literal !== null && !local && !isPublicAddress(literal))
    return 'must not be a private or reserved address';
  return null;
}

/** The IP address in a URL's host, without IPv6 brackets; null when the host is a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}

/** A 400 that names the field `url`. */
export function refusedUrl(message: string): ValidationFailed {
  return new ValidationFailed([{ field: 'url', message }]);
}

/** Names the hosts for which http is allowed, so that a sandbox user on another machine or in a container sees the reason. */
function schemeFault(localHosts: LocalHosts): string {
  const local = localHosts.size > 0 ? `, or with http:// to ${[...localHosts].join(', ')}` : '';
  return `must begin with https://${local}`;
}
