import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { notFound, type Handler } from '../edge/edge.ts';
import { sendHtml } from '../pages/html.ts';

// The reader comes from node_modules, so that it works without a network.
const ASSETS = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const SERVED = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']);
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
};

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>fundrail API</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reader"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reader', deepLinking: true, validatorUrl: null, tryItOutEnabled: true });\n`;

// The reader sets styles on its elements and shows icons from data URLs; it talks to nobody but us.
const POLICY =
  "script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'";

export const docsPage: Handler = (_request, response) => {
  sendHtml(response, PAGE, POLICY);
};

/** The files below `/docs/`. */
export const docsFile: Handler = (request: IncomingMessage, response: ServerResponse) => {
  const name = (request.url ?? '').split('?', 1)[0]?.slice('/docs/'.length) ?? '';
  if (name === 'start.js') return void send(response, '.js').end(START);
  if (SERVED.has(name)) createReadStream(join(ASSETS, name)).pipe(send(response, extname(name)));
  else notFound(request, response);
};

function send(response: ServerResponse, extension: string): ServerResponse {
  return response.writeHead(200, {
    'content-type': TYPES[extension] ?? 'application/octet-stream',
    'cache-control': 'max-age=3600',
    'x-content-type-options': 'nosniff',
  });
}
