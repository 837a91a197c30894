import { ValidationFailed } from '@fundrail/contracts';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** Host names, as a URL has them, that may be this machine or a private address: only in the sandbox. */
export type LocalHosts = ReadonlySet<string>;

/**
 * Why a URL may not be an endpoint, or null (contract §6 "URLs"). What can be told without asking the DNS: scheme, credentials,
 * and the address where the host is one. The URL parser has made `0x7f.1` and `2130706433` dotted before.
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

/** The address that a URL's host is, without the brackets of IPv6; null when it is a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}

/** 400 that names the URL. */
export function refusedUrl(message: string): ValidationFailed {
  return new ValidationFailed([{ field: 'url', message }]);
}

/** Names the hosts that may have http, so that whoever tries the sandbox from another machine or container sees why. */
function schemeFault(localHosts: LocalHosts): string {
  const local = localHosts.size > 0 ? `, or with http:// to ${[...localHosts].join(', ')}` : '';
  return `must begin with https://${local}`;
}
