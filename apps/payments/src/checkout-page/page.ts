import { cspHash, html, Html, nothing } from '@fundrail/service-kit/http';
import type { FastifyReply } from 'fastify';
import { CHECKOUT_SCRIPT } from './page.script.ts';
import { CHECKOUT_STYLE } from './page.style.ts';
import { LANGUAGES, sayIn, TEXTS, type Language } from './texts.ts';

/** A whole answer: what `send` sends. */
export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}

/** What a page is made of, besides the frame that all of them have. */
export interface PageParts {
  readonly status?: number;
  readonly language: Language;
  readonly title: string;
  readonly body: Html;
  /** Whose page it is: the operator's name, once we know whose payment it is. */
  readonly operator?: string;
  /** This page's own address in another language; null: it cannot be asked for again. */
  readonly inLanguage: ((language: Language) => string) | null;
  /** Origins, besides ours, that a form of this page may post to. */
  readonly postsTo?: readonly string[];
}

const STYLE_HASH = cspHash(CHECKOUT_STYLE);
const SCRIPT_HASH = cspHash(CHECKOUT_SCRIPT);
// One piece each, because the policy's hash is over every character between the tags.
const STYLE = new Html(`<style>${CHECKOUT_STYLE}</style>`);
const SCRIPT = new Html(`<script>${CHECKOUT_SCRIPT}</script>`);

/** The page may load nothing, runs our one script, and posts to ourselves and to those it names (contract §10 "Payments"). */
function policy(postsTo: readonly string[]): string {
  const forms = ["'self'", ...postsTo].join(' ');
  return `default-src 'none'; style-src ${STYLE_HASH}; script-src ${SCRIPT_HASH}; connect-src 'self'; form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`;
}

export function makePage(parts: PageParts): Page {
  return {
    status: parts.status ?? 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(parts.postsTo ?? []),
      'content-language': parts.language,
      // Our own forms need their Origin, and nobody else may see the token in the address.
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      vary: 'accept-language, cookie',
    },
    html: documentOf(parts),
  };
}

export function send(reply: FastifyReply, page: Page): void {
  void reply.status(page.status).headers(page.headers).send(page.html);
}

/** A heading with a sentence and whatever follows: what the short pages consist of. */
export function notice(heading: string, sentence: string, more: Html = nothing, kind = 'plain'): Html {
  return html`<section class="card notice ${kind}">
    <h1>${heading}</h1>
    <p>${sentence}</p>
    ${more}
  </section>`;
}

function documentOf(parts: PageParts): string {
  const { language, title, body, operator } = parts;
  const say = sayIn(language);
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${operator ? `${title} · ${operator}` : title}</title>
        ${STYLE}
      </head>
      <body>
        <header class="bar">
          <strong>${operator ?? say('payment')}</strong>
          ${switchOf(parts)}
        </header>
        <main>${body}</main>
        <footer><p>${say('secure')}</p></footer>
        ${SCRIPT}
      </body>
    </html>`.text;
}

function switchOf({ language, inLanguage }: PageParts): Html {
  if (!inLanguage) return nothing;
  const links = LANGUAGES.map((other) => {
    const current = other === language ? html` aria-current="true"` : nothing;
    return html`<a href="${inLanguage(other)}" lang="${other}" hreflang="${other}" ${current}
      >${TEXTS[other].name}</a
    >`;
  });
  return html`<nav aria-label="${sayIn(language)('languages')}">${all(links)}</nav>`;
}

/** Several pieces, one after the other. */
export function all(pieces: readonly Html[]): Html {
  return new Html(pieces.map((piece) => piece.text).join(''));
}
