import { all, cspHash, html, Html, nothing, pageHeaders, type Page } from '@fundrail/service-kit/http';
import { CHECKOUT_SCRIPT } from './page.script.ts';
import { CHECKOUT_STYLE } from './page.style.ts';
import { LANGUAGES, sayIn, TEXTS, type Language } from './texts.ts';

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

export function makePage(parts: PageParts): Page {
  return {
    status: parts.status ?? 200,
    headers: {
      // The page runs our one script, and posts to ourselves and to those it names (contract §10 "Payments"). Its forms need
      // their Origin, and nobody else may see the token in the address.
      ...pageHeaders({
        styleHash: STYLE_HASH,
        scriptHash: SCRIPT_HASH,
        connects: true,
        formAction: ["'self'", ...(parts.postsTo ?? [])].join(' '),
        referrer: 'same-origin',
      }),
      'content-language': parts.language,
      vary: 'accept-language, cookie',
    },
    html: documentOf(parts),
  };
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
