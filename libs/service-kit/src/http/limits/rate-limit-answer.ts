import { ApiError, type RateKind } from '@fundrail/contracts';
import type { FastifyReply } from 'fastify';
import type { Verdict } from './verdict.ts';

/** Requests that only read count as `read`. */
export function rateKindOf(method: string): RateKind {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}

/**
 * Sets the headers `RateLimit-Limit`, `-Remaining` and `-Reset` (RATE-5; the fields of draft-ietf-httpapi-ratelimit-headers up
 * to -07). Returns the refusal, or undefined when the request is admitted.
 */
export function applyVerdict(reply: FastifyReply, verdict: Verdict): ApiError | undefined {
  const { limit, remaining, reset_s, retry_after_s } = verdict;
  void reply
    .header('ratelimit-limit', String(limit))
    .header('ratelimit-remaining', String(remaining))
    .header('ratelimit-reset', String(reset_s));
  if (retry_after_s === null) return undefined;
  return new ApiError('RATE_LIMITED', undefined, [], retry_after_s);
}
