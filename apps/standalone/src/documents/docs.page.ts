import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { notFound, type Handler } from '../edge/edge.ts';
import { sendHtml } from '../pages/html.ts';
import { READER_ASSETS, READER_PAGE, READER_POLICY, READER_START } from './reader.ts';

// The reader comes from node_modules, so that it works without a network.
const ASSETS = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
/** In memory from the first request on: a client that leaves in the middle of a file leaves nothing open. */
let files: ReadonlyMap<string, Buffer> | null = null;
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
};

export const docsPage: Handler = (_request, response) => {
  sendHtml(response, READER_PAGE, READER_POLICY);
};

/** The files below `/docs/`, and the page for the folder itself. */
export const docsFile: Handler = (request: IncomingMessage, response: ServerResponse) => {
  const name = (request.url ?? '').split('?', 1)[0]?.slice('/docs/'.length) ?? '';
  if (name === '') return docsPage(request, response);
  if (name === 'start.js') return void sendFile(response, '.js').end(READER_START);
  files ??= new Map(READER_ASSETS.map((asset) => [asset, readFileSync(join(ASSETS, asset))]));
  const file = files.get(name);
  if (file) sendFile(response, extname(name)).end(file);
  else notFound(request, response);
};

/** Begins the answer with a file of that extension. */
export function sendFile(response: ServerResponse, extension: string): ServerResponse {
  return response.writeHead(200, {
    'content-type': TYPES[extension] ?? 'application/octet-stream',
    'cache-control': 'max-age=3600',
  });
}
