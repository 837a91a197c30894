import type { BrowserFacts } from '@fundrail/providers';
import { one, type RequestHeaders } from '@fundrail/service-kit/http';
import { isIP } from 'node:net';
import type { Language } from './texts.ts';

/** The investor who has the page open. */
export interface Visitor {
  readonly browser: BrowserFacts;
  readonly language: Language;
}

/** A connection and the headers of its request. */
interface Arrival {
  readonly ip: string;
  readonly headers: RequestHeaders;
}

const LONGEST_AGENT = 512;

/**
 * The browser data that is sent to a provider. The address is the first in `x-forwarded-for`, or the connection's own. A client
 * can forge it, but then it affects only the provider's risk check of the client's own payment; this service does not use it.
 * The page's address is sent without its query, which contains the token.
 */
export function browserOf({ ip, headers }: Arrival, page: string): BrowserFacts {
  const forwarded = one(headers['x-forwarded-for']).split(',')[0]?.trim() ?? '';
  const agent = one(headers['user-agent']).slice(0, LONGEST_AGENT).trim();
  return { ip: isIP(forwarded) === 0 ? ip : forwarded, referer: page, user_agent: agent || 'unknown' };
}
