import type { ServerResponse } from 'node:http';

/** The Content-Security-Policy of a page that may load only what `policy` names. */
export function pagePolicy(policy: string): string {
  return `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; ${policy}`;
}

/** Sends a page that may load only what `policy` names. */
export function sendHtml(response: ServerResponse, html: string | Buffer, policy: string): void {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': pagePolicy(policy),
    'cache-control': 'no-store',
  });
  response.end(html);
}
