import { all, cspHash, html, Html, nothing, pageHeaders, type Page } from '@fundrail/service-kit/http';
import { ENDPOINTS, SESSION } from './addresses.ts';
import { DASHBOARD_STYLE } from './page.style.ts';

/** The parts of a page inside the common frame. */
interface PageParts {
  readonly status?: number;
  readonly title: string;
  readonly body: Html;
  /** The signed-in tenant; null when there is no session. */
  readonly tenant: string | null;
  /** The parent pages, from the top. */
  readonly above?: readonly { readonly name: string; readonly address: string }[];
}

/**
 * Reloads the page while an attempt is about to be sent. Stops at the first user action, because a reload would interrupt a pressed link
 * or form. Everything works without this script.
 */
const RELOAD_SCRIPT = `
if (document.querySelector('[data-soon]')) {
  const again = setTimeout(() => location.reload(), 1000);
  for (const deed of ['pointerdown', 'keydown', 'submit']) addEventListener(deed, () => clearTimeout(again));
}
`;
// Plain strings, because the policy's hash covers every character between the tags.
const STYLE = new Html(`<style>${DASHBOARD_STYLE}</style>`);
const SCRIPT = new Html(`<script>${RELOAD_SCRIPT}</script>`);
const HEADERS = pageHeaders({
  styleHash: cspHash(DASHBOARD_STYLE),
  scriptHash: cspHash(RELOAD_SCRIPT),
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
          ${tenant === null ? nothing : signedInAs(tenant)}
        </header>
        <main>
          ${
            way.length === 0
              ? nothing
              : html`<nav class="way" aria-label="Breadcrumb">
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

function signedInAs(tenant: string): Html {
  return html`<form method="post" action="${SESSION}/end">
    <span>${tenant}</span><button>Sign out</button>
  </form>`;
}
