import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand in HTML, attribute values included. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** The source expression with which a policy lets one inline style or script pass. */
export function cspHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** The Content-Security-Policy of a page that may load only what `policy` names. */
export function pagePolicy(policy: string): string {
  return `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; ${policy}`;
}

/** Sends a page that may load only what `policy` names. */
export function sendHtml(response: ServerResponse, html: string, policy: string): void {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': pagePolicy(policy),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  response.end(html);
}
