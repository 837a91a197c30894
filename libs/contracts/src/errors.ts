import { z } from 'zod';
import { refusingPolicy, type RefusingPolicy } from './policy.dto.ts';

/** Every error code on the wire, with its HTTP status and meaning (ERR-11). `docs/errors.md` is generated from this table. */
export const ERRORS = {
  BAD_REQUEST_ERROR: {
    status: 400,
    meaning:
      'The request is malformed, or a field is missing, unknown or invalid; `errors` lists up to 20 such fields.',
  },
  UNAUTHORIZED: {
    status: 401,
    meaning: 'The access token is missing, expired, invalid or from another issuer.',
  },
  FORBIDDEN: {
    status: 403,
    meaning: 'The token does not allow this: `x-tenant-id` is another tenant, or a scope is missing.',
  },
  NOT_FOUND: { status: 404, meaning: 'The route does not exist, or this tenant has no such object.' },
  METHOD_NOT_ALLOWED: { status: 405, meaning: 'The path exists, but not with this method.' },
  ORDER_NOT_PENDING: { status: 409, meaning: 'The order is not in a state that allows this step.' },
  CONSENT_MISSING: { status: 409, meaning: "The investor's consent has not been recorded on the order." },
  CONSENT_ALREADY_SET: { status: 409, meaning: 'The consent was recorded before and cannot be changed.' },
  PAYMENT_ALREADY_EXISTS: { status: 409, meaning: 'The order has a live or successful payment.' },
  PAYMENT_MISSING: { status: 409, meaning: 'The order can be confirmed only with a live payment.' },
  AUTH_IN_PROGRESS: { status: 409, meaning: 'Another authorisation of this mandate is in progress.' },
  MANDATE_NOT_APPROVED: { status: 409, meaning: 'The mandate is not approved, or not valid on that day.' },
  ILLEGAL_TRANSITION: {
    status: 409,
    meaning: "The object's current state does not allow this step; the message names both states.",
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    meaning: 'A request with this Idempotency-Key is still in progress.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    meaning: 'The body is too large. The limit is 1 MiB, 64 KiB without a token, and 16 KiB for a form.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The body must be application/json, or a form where the route accepts one.',
  },
  MANDATE_LIMIT_EXCEEDED: {
    status: 422,
    meaning:
      "The amount is above the mandate's limit, or the limit above what a mandate of its type may have.",
  },
  MANDATE_FOR_SUBSCRIPTIONS_ONLY: {
    status: 422,
    meaning:
      'A mandate of this tenant serves subscriptions only. Leave out `payment_method`: a withdrawal needs no debit.',
  },
  TWO_FACTOR_MISSING: {
    status: 422,
    meaning: 'This tenant needs `consent.evidence`: the proof of the OTP that the investor has entered.',
  },
  SDK_OPTIONS_DISABLED: {
    status: 422,
    meaning: 'No longer returned: without SDK options the hosted page is offered (MAN-14).',
  },
  PROVIDER_REFUSED: {
    status: 422,
    meaning:
      'The payment provider refused this request, and a retry will not succeed; the message states its reason.',
  },
  UPI_LIMIT_EXCEEDED: {
    status: 422,
    meaning:
      'The amount is above the limit of one UPI payment. Leave out `method` and `upi`, or pay fewer orders at once.',
  },
  UPI_DAILY_LIMIT_EXCEEDED: {
    status: 422,
    meaning:
      'The account would be above the limit of its UPI payments in 24 hours. Leave out `method` and `upi`, or pay later.',
  },
  UPI_COLLECT_DISABLED: {
    status: 422,
    meaning: 'UPI collect requests are not enabled for this tenant, or it has no exemption that allows them.',
  },
  ENDPOINT_LIMIT_EXCEEDED: {
    status: 422,
    meaning: 'The tenant has reached its limit of webhook endpoints. Delete one that is not used.',
  },
  IDEMPOTENCY_KEY_REUSED: { status: 422, meaning: 'This Idempotency-Key was used with another request.' },
  RATE_LIMITED: { status: 429, meaning: 'Too many requests. Retry after the seconds in `Retry-After`.' },
  INTERNAL_ERROR: {
    status: 500,
    meaning:
      'An error on our side; the request may or may not have taken effect. Retry with the same Idempotency-Key.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    meaning: 'A service that this request needs is unavailable. Retry after the seconds in `Retry-After`.',
  },
} as const satisfies Record<string, { status: number; meaning: string }>;
export type ErrorCode = keyof typeof ERRORS;

/** One invalid field. `field` is a path such as `upi.vpa` or `mf_purchases.0.amount`. */
export const fieldError = z
  .strictObject({ field: z.string(), message: z.string() })
  .meta({ id: 'FieldError' });
export type FieldError = z.infer<typeof fieldError>;

/** The body of every error answer (ERR-1). */
export const errorBody = z
  .strictObject({
    error: z.strictObject({
      status: z.int(),
      // Any text when it is read: a service of the next release may send a new code.
      code: z.string().meta({ enum: Object.keys(ERRORS) }),
      message: z.string(),
      errors: z.array(fieldError).meta({ description: 'at most 20 fields; the message has the total count' }),
      request_id: z.string(),
      policy: refusingPolicy.optional(),
    }),
  })
  .meta({ id: 'Error' });
export type ErrorBody = z.infer<typeof errorBody>;

/** An error response: use cases throw it, the error filter writes it. `retryAfter` is in seconds; `policy` is the one that refused. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors: readonly FieldError[];
  readonly retryAfter: number | undefined;
  readonly policy: RefusingPolicy | undefined;

  constructor(
    code: ErrorCode,
    message: string = ERRORS[code].meaning,
    errors: readonly FieldError[] = [],
    retryAfter?: number,
    policy?: RefusingPolicy,
  ) {
    super(message);
    this.code = code;
    this.status = ERRORS[code].status;
    this.errors = errors;
    this.retryAfter = retryAfter;
    this.policy = policy;
  }
}

/** The object that was looked up. Throws `ApiError` NOT_FOUND when there is none. */
export function found<T>(object: T | null | undefined): T {
  if (object === null || object === undefined) throw new ApiError('NOT_FOUND');
  return object;
}

/** An error response lists at most this many fields; its message counts all. */
const MOST_FIELD_ERRORS = 20;
/** No field of ours has a longer path; a longer name came from the sender and is cut. */
const LONGEST_FIELD = 200;

/** 400 with the first 20 invalid fields and the count of all (ERR-2). */
export class ValidationFailed extends ApiError {
  constructor(errors: readonly FieldError[]) {
    const listed = errors.slice(0, MOST_FIELD_ERRORS).map(({ field, message }) => ({
      field: field.length > LONGEST_FIELD ? `${field.slice(0, LONGEST_FIELD)}…` : field,
      message,
    }));
    super('BAD_REQUEST_ERROR', `Validation failed. ${errors.length} error(s)`, listed);
  }
}
