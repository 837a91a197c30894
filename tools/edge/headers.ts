import { SAFE_HEADERS } from '../../libs/service-kit/src/http/bounds/safe-headers.ts';
import { GENERATED_CONF } from './generated.ts';

/**
 * The headers that let an answer do nothing in a browser, as nginx adds them, with a page's policy where there is one.
 * Of https the entry point knows; nginx adds no header that is empty.
 */
export function safeHeaderLines(policy?: string): string[] {
  const headers = { ...SAFE_HEADERS, ...(policy !== undefined && { 'content-security-policy': policy }) };
  const all = { ...headers, 'strict-transport-security': '$strict_transport_security' };
  return Object.entries(all).map(([name, value]) => `add_header ${name} "${value}" always;`);
}

/** `docker/edge/headers.conf`: what every answer of the edge itself has. nginx inherits none where a location adds one of its own. */
export function headersConf(): string {
  return [GENERATED_CONF, ...safeHeaderLines(), ''].join('\n');
}
