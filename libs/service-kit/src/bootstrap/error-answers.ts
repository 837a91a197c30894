import type { OpenAPIObject } from '@nestjs/swagger';

type Responses = NonNullable<NonNullable<OpenAPIObject['paths'][string]['get']>['responses']>;

/** What an operation is, as far as its refusals go. */
export interface Refusing {
  readonly path: string;
  readonly method: string;
  readonly isPublic: boolean;
  readonly responses: Responses;
}

/** What each status means for whoever reads the document (contract §0.1); docs/errors.md has the codes. */
const MEANINGS = {
  400: 'Malformed or invalid; `errors` names each field',
  401: 'No access token, or a bad one',
  403: 'The token may not do this',
  404: 'No such object of this tenant',
  409: "The object's state forbids it, or the Idempotency-Key is in use",
  413: 'The body is larger than 1 MiB',
  415: 'Another media type than those of the request body',
  422: 'Well-formed and impossible, or the Idempotency-Key was used with another request',
  500: 'A defect of ours',
  503: 'A part that this needs does not answer, or too much is asked at once',
} as const;

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds after which to come again', schema: { type: 'integer' as const } },
};
const CHALLENGE = {
  'WWW-Authenticate': { description: 'What is asked for (RFC 6750)', schema: { type: 'string' as const } },
};
const HEADERS: Readonly<Record<string, Record<string, object>>> = { 401: CHALLENGE, 503: RETRY_AFTER };
const WITH_BODY = new Set(['post', 'put', 'patch']);

/** The statuses that an operation may refuse with, besides those that it tells itself. */
function statusesOf({ path, method, isPublic }: Refusing): (keyof typeof MEANINGS)[] {
  const token = isPublic ? [] : ([401, 403] as const);
  const object = path.includes('{') ? ([404] as const) : [];
  const body = WITH_BODY.has(method) ? ([409, 413, 415, 422] as const) : [];
  return [400, ...token, ...object, ...body, 500, 503];
}

/** Tells each refusal of an operation, all in the one shape of errors. What it tells itself stays. */
export function addRefusals(operation: Refusing): void {
  for (const status of statusesOf(operation))
    operation.responses[status] ??= { $ref: `#/components/responses/Refused${status}` };
}

/** What `addRefusals` refers to. */
export function refusals(): Record<string, NonNullable<Responses[string]>> {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  const answers = Object.entries(MEANINGS).map(([status, description]) => {
    const headers = HEADERS[status];
    return [`Refused${status}`, { description, content, ...(headers && { headers }) }] as const;
  });
  return structuredClone(Object.fromEntries(answers));
}
