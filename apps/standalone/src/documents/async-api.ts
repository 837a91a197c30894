import { readFileSync } from 'node:fs';
import type { Handler } from '../edge/edge.ts';

/** The AsyncAPI document of all events, as `npm run docs` wrote it from the catalogue. */
export const ASYNC_API = readFileSync(new URL('../../../../docs/asyncapi.json', import.meta.url), 'utf8');

/** Answers with that JSON document, which is encoded only once. */
export function sendDocument(json: string): Handler {
  const body = Buffer.from(json);
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(body);
  };
}
