import { ERRORS } from '@fundrail/contracts';
import { GENERATED, table } from './markdown.ts';

const EXAMPLE = {
  error: {
    status: 400,
    code: 'BAD_REQUEST_ERROR',
    message: 'Validation failed. 1 error(s)',
    errors: [{ field: 'upi.vpa', message: 'is required when upi.type is collect' }],
    request_id: '0f6c1e7a-5a0b-4b57-9a3b-0f5d3f6f2a11',
  },
};

/** `docs/errors.md`: every code on the wire. */
export function errorsPage(): string {
  return [
    '# Errors',
    GENERATED,
    'Every error response except those of the token endpoint (RFC 6749 §5.2) has this body; `errors` is `[]` when no field is invalid.',
    `\`\`\`json\n${JSON.stringify(EXAMPLE, null, 2)}\n\`\`\``,
    'Decide by `code`; `message` is for people. The codes are declared in `libs/contracts/src/errors.ts`.',
    table(
      ['Status', 'Code', 'Meaning'],
      Object.entries(ERRORS).map(([code, { status, meaning }]) => [String(status), `\`${code}\``, meaning]),
    ),
  ].join('\n\n');
}
