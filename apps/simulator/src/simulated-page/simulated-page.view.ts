import { cspHash, html, Html, nothing } from '@fundrail/service-kit/http';
import { SIMULATED_PAGE_STYLE } from './simulated-page.style.ts';

/** The hash by which a Content-Security-Policy allows the page's style. */
export const SIMULATED_PAGE_STYLE_HASH = cspHash(SIMULATED_PAGE_STYLE);
// A plain string, because the hash covers every character between the tags.
const STYLE = new Html(`<style>${SIMULATED_PAGE_STYLE}</style>`);

/** The content of a page's frame: `plays` is what the page simulates, `acts` the system that its buttons act on. */
interface SimulatedPage {
  readonly title: string;
  readonly plays: string;
  readonly acts: string;
  readonly body: Html;
  readonly head?: Html;
}

/** A line of a page's list of facts (`dl`). */
export function factLine(name: string, value: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

/** A page that simulates an outside system, with buttons for a person. */
export function simulatedPage({ title, plays, acts, body, head = nothing }: SimulatedPage): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${head} ${STYLE}
      </head>
      <body>
        <header class="bar"><strong>${plays}</strong><span>Sandbox</span></header>
        <main>${body}</main>
        <footer>Sandbox: no real money moves. The buttons act on ${acts}.</footer>
      </body>
    </html>`.text;
}
