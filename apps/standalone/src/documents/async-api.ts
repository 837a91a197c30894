import { readFileSync } from 'node:fs';
import type { Handler } from '../edge/edge.ts';

/** The AsyncAPI document of all events, as `npm run docs` wrote it from the catalogue. */
export const asyncApi = (): string =>
  readFileSync(new URL('../../../../docs/asyncapi.json', import.meta.url), 'utf8');

/** Answers with that JSON document. It is made once, at the first request: a start would wait for it, and few ask for it. */
export function sendDocument(make: () => string): Handler {
  let body: Buffer | null = null;
  return (_request, response) => {
    body ??= Buffer.from(make());
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(body);
  };
}
