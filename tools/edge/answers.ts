import { ApiError, type ErrorBody, type ErrorCode } from '@fundrail/contracts';
import { GENERATED } from '../topology/blocks.ts';
import { safeHeaderLines } from './headers.ts';

/** The errors that nginx itself returns: its own status codes, our error code, and further headers. */
const ANSWERS: readonly {
  readonly of: readonly number[];
  readonly code: ErrorCode;
  readonly headers?: Readonly<Record<string, string>>;
}[] = [
  // 494 is nginx' own, for headers that are too large.
  { of: [400, 494], code: 'BAD_REQUEST_ERROR' },
  // 414: a path longer than any of ours. 403: a folder.
  { of: [403, 404, 414], code: 'NOT_FOUND' },
  // Only for the edge's own pages; each service checks the methods of its own paths.
  { of: [405], code: 'METHOD_NOT_ALLOWED', headers: { Allow: '"GET, HEAD"' } },
  { of: [413], code: 'PAYLOAD_TOO_LARGE' },
  // Too many unfinished requests from one address.
  { of: [429], code: 'RATE_LIMITED', headers: { 'Retry-After': '1' } },
  { of: [500], code: 'INTERNAL_ERROR' },
  // The service is unavailable, closed the connection, or did not answer in time.
  { of: [502, 503, 504], code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '1' } },
];

/** `docker/edge/answers.conf`: an error page for each status that nginx gives itself, in the shape of ERR-1. */
export function answersConf(): string {
  return [GENERATED, ...ANSWERS.map(answer), ''].join('\n');
}

function answer({ of, code, headers = {} }: (typeof ANSWERS)[number]): string {
  const { status, message } = new ApiError(code);
  // The request id is a variable of nginx.conf without characters that are special in JSON or nginx.
  const body: ErrorBody = { error: { status, code, message, errors: [], request_id: '$edge_request_id' } };
  const own = { 'X-Request-Id': '$edge_request_id', ...headers };
  const lines = Object.entries(own).map(([name, value]) => `add_header ${name} ${value} always;`);
  const location = `/edge/answers/${code.toLowerCase()}`;
  return `error_page ${of.join(' ')} =${status} ${location};
location = ${location} {
  internal;
  default_type application/json;
${[...lines, ...safeHeaderLines()].map((line) => `  ${line}`).join('\n')}
  return ${status} '${quoted(JSON.stringify(body))}';
}`;
}

function quoted(text: string): string {
  if (text.replace('$edge_request_id', '').includes('$'))
    throw new Error(`nginx would read a variable: ${text}`);
  return text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
}
