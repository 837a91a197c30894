import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { notFound, type Handler } from '../edge/edge.ts';
import { sendHtml } from '../pages/html.ts';
import { READER_ASSETS, READER_PAGE, READER_POLICY, READER_START } from './reader.ts';

// The reader comes from node_modules, so that it works without a network.
const ASSETS = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const SERVED = new Set<string>(READER_ASSETS);
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
};

export const docsPage: Handler = (_request, response) => {
  sendHtml(response, READER_PAGE, READER_POLICY);
};

/** The files below `/docs/`. */
export const docsFile: Handler = (request: IncomingMessage, response: ServerResponse) => {
  const name = (request.url ?? '').split('?', 1)[0]?.slice('/docs/'.length) ?? '';
  if (name === 'start.js') return void send(response, '.js').end(READER_START);
  if (SERVED.has(name)) createReadStream(join(ASSETS, name)).pipe(send(response, extname(name)));
  else notFound(request, response);
};

function send(response: ServerResponse, extension: string): ServerResponse {
  return response.writeHead(200, {
    'content-type': TYPES[extension] ?? 'application/octet-stream',
    'cache-control': 'max-age=3600',
  });
}
