import type { OpenAPIObject } from '@nestjs/swagger';

const seconds = { type: 'integer', minimum: 0 } as const;

/** The refusal of every route that counts against a tenant's limit (contract §0.3), once for all of them. */
const RATE_LIMITED = {
  description: 'The tenant has used up its rate limit of reads or writes; nothing was done',
  headers: {
    'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
    'RateLimit-Limit': {
      description: 'Requests that may be sent at once: two seconds of the rate',
      schema: seconds,
    },
    'RateLimit-Remaining': { description: 'How many of them are left', schema: seconds },
    'RateLimit-Reset': { description: 'Seconds until all of them are there again', schema: seconds },
  },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
} as const;

/** What an operation under the limit may answer besides its own answers. */
export const RATE_LIMITED_ANSWER = { $ref: '#/components/responses/RateLimited' } as const;

/** Adds what `RATE_LIMITED_ANSWER` refers to. */
export function addRateLimitedAnswer(document: OpenAPIObject): void {
  const responses = structuredClone<NonNullable<NonNullable<OpenAPIObject['components']>['responses']>>({
    RateLimited: RATE_LIMITED,
  });
  document.components = {
    ...document.components,
    responses: { ...document.components?.responses, ...responses },
  };
}
