import { ApiError, type RateKind } from '@fundrail/contracts';
import type { FastifyReply } from 'fastify';
import type { Verdict } from './verdict.ts';

/** Requests that only look. */
export function rateKindOf(method: string): RateKind {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}

/**
 * Tells the caller where it stands: `RateLimit-Limit`, `-Remaining` and `-Reset` (contract §10; the fields of
 * draft-ietf-httpapi-ratelimit-headers up to -07). Answers the refusal, or undefined when the request was let in.
 */
export function tellVerdict(reply: FastifyReply, verdict: Verdict): ApiError | undefined {
  const { limit, remaining, reset_s, retry_after_s } = verdict;
  void reply
    .header('ratelimit-limit', String(limit))
    .header('ratelimit-remaining', String(remaining))
    .header('ratelimit-reset', String(reset_s));
  if (retry_after_s === null) return undefined;
  return new ApiError('RATE_LIMITED', undefined, [], retry_after_s);
}
