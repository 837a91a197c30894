import type { BrowserFacts } from '@fundrail/providers';
import { one, type RequestHeaders } from '@fundrail/service-kit/http';
import { isIP } from 'node:net';
import type { Language } from './texts.ts';

/** Who has the page open. */
export interface Visitor {
  readonly browser: BrowserFacts;
  readonly language: Language;
}

/** A connection and what came with it. */
export interface Arrival {
  readonly ip: string;
  readonly headers: RequestHeaders;
}

const LONGEST_AGENT = 512;

/**
 * The browser as a provider is told of it. Its address is the first that the proxies in front of us name, or the
 * connection's own; whoever makes one up misleads the provider's judgement of his own payment, and nothing of ours goes by
 * it. The page is told without its query, which holds the token.
 */
export function browserOf({ ip, headers }: Arrival, page: string): BrowserFacts {
  const named = one(headers['x-forwarded-for']).split(',')[0]?.trim() ?? '';
  const agent = one(headers['user-agent']).slice(0, LONGEST_AGENT).trim();
  return { ip: isIP(named) === 0 ? ip : named, referer: page, user_agent: agent || 'unknown' };
}
