import { ApiError, ERRORS, errorBody, ValidationFailed, type ErrorCode } from './errors.ts';

/**
 * ERR-1 to ERR-10, written out independently. Two codes are our own: `INTERNAL_ERROR`, because a 500 needs a code, and
 * `ENDPOINT_LIMIT_EXCEEDED`, because endpoints have a limit.
 */
const CONTRACT: Readonly<Record<number, readonly string[]>> = {
  400: ['BAD_REQUEST_ERROR'],
  401: ['UNAUTHORIZED'],
  403: ['FORBIDDEN'],
  404: ['NOT_FOUND'],
  405: ['METHOD_NOT_ALLOWED'],
  409: [
    'ORDER_NOT_PENDING',
    'CONSENT_MISSING',
    'PAYMENT_ALREADY_EXISTS',
    'PAYMENT_MISSING',
    'AUTH_IN_PROGRESS',
    'MANDATE_NOT_APPROVED',
    'CONSENT_ALREADY_SET',
    'ILLEGAL_TRANSITION',
    'IDEMPOTENCY_KEY_IN_USE',
  ],
  413: ['PAYLOAD_TOO_LARGE'],
  415: ['UNSUPPORTED_MEDIA_TYPE'],
  422: [
    'MANDATE_LIMIT_EXCEEDED',
    'MANDATE_FOR_SUBSCRIPTIONS_ONLY',
    'TWO_FACTOR_MISSING',
    'UPI_LIMIT_EXCEEDED',
    'UPI_DAILY_LIMIT_EXCEEDED',
    'PROVIDER_REFUSED',
    'SDK_OPTIONS_DISABLED',
    'ENDPOINT_LIMIT_EXCEEDED',
    'IDEMPOTENCY_KEY_REUSED',
    'UPI_COLLECT_DISABLED',
  ],
  429: ['RATE_LIMITED'],
  500: ['INTERNAL_ERROR'],
  503: ['SERVICE_UNAVAILABLE'],
};

describe('the error table', () => {
  it.each(Object.entries(CONTRACT))('has the codes of ERR-2 to ERR-10 for %s', (status, codes) => {
    const ours = Object.entries(ERRORS).filter(([, error]) => error.status === Number(status));

    expect(ours.map(([code]) => code).sort()).toEqual([...codes].sort());
  });

  it('has no other codes', () => {
    expect(Object.keys(ERRORS).sort()).toEqual(Object.values(CONTRACT).flat().sort());
  });

  it.each(Object.entries(ERRORS))('describes %s in a sentence', (_code, { meaning }) => {
    expect(meaning).toMatch(/^[A-Z].{15,}\.$/s);
  });
});

describe('ApiError', () => {
  it.each(Object.keys(ERRORS) as ErrorCode[])('%s brings its status and a message', (code) => {
    expect(new ApiError(code)).toMatchObject({
      code,
      status: ERRORS[code].status,
      message: ERRORS[code].meaning,
      errors: [],
    });
  });

  it('keeps the message and the fields that it was given', () => {
    const errors = [{ field: 'upi.vpa', message: 'is required when upi.type is collect' }];

    expect(new ApiError('RATE_LIMITED', 'slow down', errors, 2)).toMatchObject({
      message: 'slow down',
      errors,
      retryAfter: 2,
    });
  });
});

describe('ValidationFailed', () => {
  it('counts its fields (ERR-2)', () => {
    const refusal = new ValidationFailed([
      { field: 'amount', message: 'is required' },
      { field: 'scheme', message: 'is required' },
    ]);

    expect(refusal).toMatchObject({
      code: 'BAD_REQUEST_ERROR',
      status: 400,
      message: 'Validation failed. 2 error(s)',
    });
  });

  it('lists twenty of many fields, cuts long names, and counts all', () => {
    const fields = Array.from({ length: 90_000 }, (_, at) => ({
      field: `${at}${'x'.repeat(1_000)}`,
      message: 'is unknown',
    }));
    const { message, errors } = new ValidationFailed(fields);

    expect(message).toBe('Validation failed. 90000 error(s)');
    expect(errors.map(({ field }) => field)).toEqual(
      fields.slice(0, 20).map(({ field }) => `${field.slice(0, 200)}…`),
    );
  });
});

describe('the body of an error', () => {
  it('is the body of ERR-1', () => {
    const body = {
      error: {
        status: 400,
        code: 'BAD_REQUEST_ERROR',
        message: 'Validation failed. 1 error(s)',
        errors: [{ field: 'upi.vpa', message: 'is required when upi.type is collect' }],
        request_id: 'req-1',
      },
    };

    expect(errorBody.parse(body)).toEqual(body);
  });
});
