import { all, cspHash, html, Html, nothing, pageHeaders, type Page } from '@fundrail/service-kit/http';
import { ENDPOINTS, SESSION } from './addresses.ts';
import { DASHBOARD_STYLE } from './page.style.ts';

/** What a page is made of, besides the frame that all of them have. */
export interface PageParts {
  readonly status?: number;
  readonly title: string;
  readonly body: Html;
  /** Whose webhooks these are; null: nobody is signed in. */
  readonly tenant: string | null;
  /** The pages above this one, from the top. */
  readonly above?: readonly { readonly name: string; readonly address: string }[];
}

/**
 * Looks again while an attempt is about to be made, until somebody does something: a reload would take the way from under a link or a
 * form that was just pressed. Everything works without it.
 */
const LOOK_AGAIN = `
if (document.querySelector('[data-soon]')) {
  const again = setTimeout(() => location.reload(), 1000);
  for (const deed of ['pointerdown', 'keydown', 'submit']) addEventListener(deed, () => clearTimeout(again));
}
`;
// One piece each, because the policy's hash is over every character between the tags.
const STYLE = new Html(`<style>${DASHBOARD_STYLE}</style>`);
const SCRIPT = new Html(`<script>${LOOK_AGAIN}</script>`);
const HEADERS = pageHeaders({
  styleHash: cspHash(DASHBOARD_STYLE),
  scriptHash: cspHash(LOOK_AGAIN),
  formAction: "'self'",
  referrer: 'same-origin',
});

export function makePage(parts: PageParts): Page {
  return { status: parts.status ?? 200, headers: HEADERS, html: documentOf(parts) };
}

function documentOf({ title, body, tenant, above = [] }: PageParts): string {
  const way = above.map(({ name, address }) => html`<li><a href="${address}">${name}</a></li>`);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · Webhooks</title>
        ${STYLE}
      </head>
      <body>
        <header class="bar">
          <strong><a href="${ENDPOINTS}">fundrail webhooks</a></strong>
          ${tenant === null ? nothing : whoIsIn(tenant)}
        </header>
        <main>
          ${
            way.length === 0
              ? nothing
              : html`<nav class="way" aria-label="You are here">
                  <ol>
                    ${all(way)}
                  </ol>
                </nav>`
          }
          ${body}
        </main>
        <footer><p>${tenant === null ? '' : 'Times are Indian Standard Time.'}</p></footer>
        ${SCRIPT}
      </body>
    </html>`.text;
}

function whoIsIn(tenant: string): Html {
  return html`<form method="post" action="${SESSION}/end">
    <span>${tenant}</span><button>Sign out</button>
  </form>`;
}
