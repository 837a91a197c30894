import { z } from 'zod';

/** Every error code on the wire, with its HTTP status and the rule it tells (contract §0.1, §10). `docs/errors.md` is generated from this table. */
export const ERRORS = {
  BAD_REQUEST_ERROR: {
    status: 400,
    meaning:
      'The request is malformed, or a field is missing, unknown or invalid; `errors` names each field.',
  },
  UNAUTHORIZED: { status: 401, meaning: 'No access token, or one that is expired, foreign or badly signed.' },
  FORBIDDEN: {
    status: 403,
    meaning: 'The token may not do this: another tenant in `x-tenant-id`, or a missing scope.',
  },
  NOT_FOUND: { status: 404, meaning: 'No such route, or no such object of this tenant.' },
  METHOD_NOT_ALLOWED: { status: 405, meaning: 'The path exists, but not with this method.' },
  ORDER_NOT_PENDING: { status: 409, meaning: 'The order is not in a state that this step needs.' },
  CONSENT_MISSING: { status: 409, meaning: "The investor's consent has not been recorded on the order." },
  CONSENT_ALREADY_SET: { status: 409, meaning: 'Consent is write-once and has been recorded before.' },
  PAYMENT_ALREADY_EXISTS: { status: 409, meaning: 'The order has a live or successful payment.' },
  PAYMENT_MISSING: { status: 409, meaning: 'The order can be confirmed only with a live payment.' },
  AUTH_IN_PROGRESS: { status: 409, meaning: 'Another authorisation of this mandate is running.' },
  MANDATE_NOT_APPROVED: { status: 409, meaning: 'The mandate is not approved, or not valid on that day.' },
  ILLEGAL_TRANSITION: {
    status: 409,
    meaning: "The object's state forbids the step; the message names both states.",
  },
  IDEMPOTENCY_KEY_IN_USE: { status: 409, meaning: 'A request with this Idempotency-Key is still running.' },
  PAYLOAD_TOO_LARGE: { status: 413, meaning: 'The body is larger than 1 MiB.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, meaning: 'The body must be application/json.' },
  MANDATE_LIMIT_EXCEEDED: { status: 422, meaning: "The amount is above the mandate's limit." },
  SDK_OPTIONS_DISABLED: { status: 422, meaning: 'Payment-SDK options are not enabled for this tenant.' },
  UPI_COLLECT_DISABLED: { status: 422, meaning: 'UPI collect requests are not enabled for this tenant.' },
  ENDPOINT_LIMIT_EXCEEDED: {
    status: 422,
    meaning: 'The tenant has as many webhook endpoints as it may have; remove one that is not used.',
  },
  IDEMPOTENCY_KEY_REUSED: { status: 422, meaning: 'This Idempotency-Key was used with another request.' },
  RATE_LIMITED: { status: 429, meaning: 'Too many requests; `Retry-After` says when to come back.' },
  INTERNAL_ERROR: {
    status: 500,
    meaning: 'A defect of ours; nothing is known to have been done. Ask again with the same Idempotency-Key.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    meaning: 'A part that this step needs does not answer; `Retry-After` says when to come back.',
  },
} as const satisfies Record<string, { status: number; meaning: string }>;
export type ErrorCode = keyof typeof ERRORS;

/** One field that is to blame. `field` is a path such as `upi.vpa` or `mf_purchases.0.amount`. */
export const fieldError = z
  .strictObject({ field: z.string(), message: z.string() })
  .meta({ id: 'FieldError' });
export type FieldError = z.infer<typeof fieldError>;

/** The body of every error answer (contract §0.1). */
export const errorBody = z
  .strictObject({
    error: z.strictObject({
      status: z.int(),
      code: z.string(),
      message: z.string(),
      errors: z.array(fieldError),
      request_id: z.string(),
    }),
  })
  .meta({ id: 'Error' });
export type ErrorBody = z.infer<typeof errorBody>;

/** A refusal that the caller is told: thrown by use cases, written by the one error filter. `retryAfter` is in seconds. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors: readonly FieldError[];
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    message: string = ERRORS[code].meaning,
    errors: readonly FieldError[] = [],
    retryAfter?: number,
  ) {
    super(message);
    this.code = code;
    this.status = ERRORS[code].status;
    this.errors = errors;
    this.retryAfter = retryAfter;
  }
}

/** 400 with the fields to blame, in the words of contract §0.1. */
export class ValidationFailed extends ApiError {
  constructor(errors: readonly FieldError[]) {
    super('BAD_REQUEST_ERROR', `Validation failed. ${errors.length} error(s)`, errors);
  }
}
