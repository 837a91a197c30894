import { all, cspHash, html, Html, nothing, pageHeaders, type Page } from '@fundrail/service-kit/http';
import { logoOf, nameOf, type Brand } from './brand.ts';
import { CHECKOUT_SCRIPT } from './page.script.ts';
import { CHECKOUT_STYLE } from './page.style.ts';
import { LANGUAGES, sayIn, TEXTS, type Language } from './texts.ts';

/** The parts of a page, besides the frame that all pages share. */
interface PageParts {
  readonly status?: number;
  readonly language: Language;
  readonly title: string;
  readonly body: Html;
  /** The names and the logo at the top; absent while the payment is not known. */
  readonly brand?: Brand;
  /** This page's own address in another language; null when the page cannot be loaded again. */
  readonly inLanguage: ((language: Language) => string) | null;
  /** Origins, besides our own, that a form of this page may post to. */
  readonly postsTo?: readonly string[];
}

const STYLE_HASH = cspHash(CHECKOUT_STYLE);
const SCRIPT_HASH = cspHash(CHECKOUT_SCRIPT);
// No formatting may change them: the policy's hash covers every character between the tags.
const STYLE = new Html(`<style>${CHECKOUT_STYLE}</style>`);
const SCRIPT = new Html(`<script>${CHECKOUT_SCRIPT}</script>`);

export function makePage(parts: PageParts): Page {
  return {
    status: parts.status ?? 200,
    headers: {
      // The page runs one script, and posts to our origin and the listed ones (PAGE-5). The referrer policy keeps the Origin
      // header of its forms, and hides the token in the address from other sites.
      ...pageHeaders({
        styleHash: STYLE_HASH,
        scriptHash: SCRIPT_HASH,
        connects: true,
        pictures: Boolean(parts.brand?.logo),
        formAction: ["'self'", ...(parts.postsTo ?? [])].join(' '),
        referrer: 'same-origin',
      }),
      'content-language': parts.language,
      vary: 'accept-language, cookie',
    },
    html: documentOf(parts),
  };
}

/** The content of a short page: a heading, a sentence and further elements. */
export function notice(heading: string, sentence: string, more: Html = nothing, kind = 'plain'): Html {
  return html`<section class="card notice ${kind}">
    <h1>${heading}</h1>
    <p>${sentence}</p>
    ${more}
  </section>`;
}

function documentOf(parts: PageParts): string {
  const { language, title, body, brand } = parts;
  const say = sayIn(language);
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${brand ? `${title} · ${nameOf(brand)}` : title}</title>
        ${STYLE}
      </head>
      <body>
        <header class="bar">
          <strong>${brand ? logoOf(brand) : nothing}${brand ? nameOf(brand) : say('payment')}</strong>
          ${switchOf(parts)}
        </header>
        <p class="offline" role="status" data-offline hidden>${say('offline')}</p>
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
