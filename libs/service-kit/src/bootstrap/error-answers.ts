import type { OpenAPIObject } from '@nestjs/swagger';

type Responses = NonNullable<NonNullable<OpenAPIObject['paths'][string]['get']>['responses']>;

/** The parts of an operation that decide its refusals. */
interface Refusing {
  readonly path: string;
  readonly method: string;
  readonly isPublic: boolean;
  readonly responses: Responses;
}

/** What each status means, for readers of the document (ERR-2 to ERR-10); docs/errors.md has the codes. */
const MEANINGS = {
  400: 'Malformed or invalid; `errors` names each field, also one with the id of an object that this tenant does not have',
  401: 'No access token, or a bad one',
  403: 'The token may not do this',
  404: 'This tenant does not have the object that the path names',
  409: "The object's state forbids it, or the Idempotency-Key is in use",
  413: 'The body is larger than 1 MiB (64 KiB without a token, 16 KiB for a form)',
  415: 'The request body has an unsupported media type',
  422: 'The request is well-formed but impossible, or the Idempotency-Key was used with another request',
  500: 'An error on our side',
  503: 'A part that this request needs does not answer, or there are too many requests',
} as const;

const seconds = { type: 'integer', minimum: 0 } as const;

/** Headers of answers, as components (ERR-9, IDEM-3, RATE-5). */
export const HEADERS = {
  'Retry-After': { description: 'Seconds to wait before a retry', schema: { type: 'integer', minimum: 1 } },
  'Idempotent-Replayed': {
    description: '`true` when this is the stored answer to an earlier request with the same Idempotency-Key',
    schema: { type: 'string' },
  },
  'RateLimit-Limit': {
    description: 'The largest burst: the requests of two seconds at the rate',
    schema: seconds,
  },
  'RateLimit-Remaining': { description: 'How many requests of the burst are left', schema: seconds },
  'RateLimit-Reset': { description: 'Seconds until the full burst is available again', schema: seconds },
  'WWW-Authenticate': {
    description: 'The credentials that are required (RFC 6750)',
    schema: { type: 'string' },
  },
} as const;
type HeaderName = keyof typeof HEADERS;

const headers = (...names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const RATE_LIMIT = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;
const RETRY_AFTER = headers('Retry-After');
const CONTENT = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } as const;

/** The headers of refusals; a 409 has Retry-After when the Idempotency-Key is in use. */
const OF_REFUSALS: Readonly<Record<string, ReturnType<typeof headers>>> = {
  401: headers('WWW-Authenticate'),
  409: RETRY_AFTER,
  503: RETRY_AFTER,
};
const WITH_BODY = new Set(['post', 'put', 'patch']);

/** The refusal that all routes under a tenant's rate limit share (RATE-6). */
const RATE_LIMITED = {
  description: 'The tenant has exceeded its rate limit for reads or writes; nothing was done',
  headers: headers('Retry-After', ...RATE_LIMIT),
  content: CONTENT,
} as const;

/** The additional answer of an operation under a rate limit. */
export const RATE_LIMITED_ANSWER = { $ref: '#/components/responses/RateLimited' } as const;

/** The statuses with which an operation may refuse, besides those that it documents itself. */
function statusesOf({ path, method, isPublic }: Refusing): (keyof typeof MEANINGS)[] {
  const token = isPublic ? [] : ([401, 403] as const);
  const object = path.includes('{') ? ([404] as const) : [];
  const body = WITH_BODY.has(method) ? ([409, 413, 415, 422] as const) : [];
  return [400, ...token, ...object, ...body, 500, 503];
}

/** Documents each refusal of an operation, all in the one shape of errors. Answers that the operation documents itself stay. */
export function addRefusals(operation: Refusing): void {
  const { responses } = operation;
  for (const status of statusesOf(operation))
    responses[status] ??= { $ref: `#/components/responses/Refused${status}` };
  for (const own of [responses['429'], responses['503']])
    if (own && !('$ref' in own)) own.headers = { ...own.headers, ...RETRY_AFTER };
}

/** Documents the headers of an operation's success: those of the rate limit, and that of an answer that was stored before. */
export function addSuccessHeaders(responses: Responses, isLimited: boolean, hasKey: boolean): void {
  for (const [status, answer] of Object.entries(responses)) {
    if (!status.startsWith('2') || !answer || '$ref' in answer) continue;
    const names = [...(isLimited ? RATE_LIMIT : []), ...(hasKey ? (['Idempotent-Replayed'] as const) : [])];
    answer.headers = { ...answer.headers, ...headers(...names) };
  }
}

/** The components to which `addRefusals` and `RATE_LIMITED_ANSWER` refer. */
export function refusals(): Record<string, NonNullable<Responses[string]>> {
  const answers = Object.entries(MEANINGS).map(([status, description]) => {
    const own = OF_REFUSALS[status];
    return [`Refused${status}`, { description, content: CONTENT, ...(own && { headers: own }) }] as const;
  });
  return structuredClone<ReturnType<typeof refusals>>({
    ...Object.fromEntries(answers),
    RateLimited: RATE_LIMITED,
  });
}
