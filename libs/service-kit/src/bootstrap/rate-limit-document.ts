import type { OpenAPIObject } from '@nestjs/swagger';

const seconds = { type: 'integer', minimum: 0 } as const;

/** The refusal that all routes under a tenant's rate limit share (RATE-6). */
const RATE_LIMITED = {
  description: 'The tenant has exceeded its rate limit for reads or writes; nothing was done',
  headers: {
    'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
    'RateLimit-Limit': {
      description: 'The largest burst: the requests of two seconds at the rate',
      schema: seconds,
    },
    'RateLimit-Remaining': { description: 'How many requests of the burst are left', schema: seconds },
    'RateLimit-Reset': { description: 'Seconds until the full burst is available again', schema: seconds },
  },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
} as const;

/** The additional answer of an operation under a rate limit. */
export const RATE_LIMITED_ANSWER = { $ref: '#/components/responses/RateLimited' } as const;

/** Adds the component to which `RATE_LIMITED_ANSWER` refers. */
export function addRateLimitedAnswer(document: OpenAPIObject): void {
  const responses = structuredClone<NonNullable<NonNullable<OpenAPIObject['components']>['responses']>>({
    RateLimited: RATE_LIMITED,
  });
  document.components = {
    ...document.components,
    responses: { ...document.components?.responses, ...responses },
  };
}
