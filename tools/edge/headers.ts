import { SAFE_HEADERS } from '../../libs/service-kit/src/http/bounds/safe-headers.ts';
import { GENERATED } from '../topology/blocks.ts';

/**
 * The headers that disable scripts and other content of a response in a browser, in the form of nginx, with a page's policy if
 * there is one. The entry point sets the one for https; nginx omits an empty header.
 */
export function safeHeaderLines(policy?: string): string[] {
  const headers = { ...SAFE_HEADERS, ...(policy !== undefined && { 'content-security-policy': policy }) };
  const all = { ...headers, 'strict-transport-security': '$strict_transport_security' };
  return Object.entries(all).map(([name, value]) => `add_header ${name} "${value}" always;`);
}

/** `docker/edge/headers.conf`: the headers of every response of the edge itself. nginx inherits none in a location that adds its own. */
export function headersConf(): string {
  return [GENERATED, ...safeHeaderLines(), ''].join('\n');
}
