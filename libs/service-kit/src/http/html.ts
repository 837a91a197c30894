import { createHash } from 'node:crypto';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Markup that is already safe. */
export class Html {
  constructor(readonly text: string) {}
}

/** A template whose values are escaped, unless they are `Html` themselves. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | number | Html)[]): Html {
  const printed = values.map((value) => (value instanceof Html ? value.text : escapeHtml(String(value))));
  return new Html(String.raw({ raw: parts }, ...printed));
}

export const nothing = new Html('');

/** Several pieces, one after the other. */
export function all(pieces: readonly Html[]): Html {
  return new Html(pieces.map((piece) => piece.text).join(''));
}

/** Escapes text for HTML and for attribute values. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** The source expression with which a policy allows one inline style or script. */
export function cspHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
