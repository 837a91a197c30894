import { readFileSync } from 'node:fs';
import type { Handler } from '../edge/edge.ts';

/** The AsyncAPI document of all events, as `npm run docs` wrote it from the catalogue. */
const DOCUMENT = readFileSync(new URL('../../../../docs/asyncapi.json', import.meta.url), 'utf8');

export const sendAsyncApi: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
  response.end(DOCUMENT);
};
