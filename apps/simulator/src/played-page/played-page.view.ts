import { cspHash, html, Html, nothing } from '@fundrail/service-kit/http';
import { PLAYED_PAGE_STYLE } from './played-page.style.ts';

/** With which a Content-Security-Policy lets the style of the page pass. */
export const PLAYED_PAGE_STYLE_HASH = cspHash(PLAYED_PAGE_STYLE);
// One piece, because the policy's hash is over every character between the tags.
const STYLE = new Html(`<style>${PLAYED_PAGE_STYLE}</style>`);

/** What the frame of a page says: `plays` is what it stands for, `acts` where its buttons act. */
export interface PlayedPage {
  readonly title: string;
  readonly plays: string;
  readonly acts: string;
  readonly body: Html;
  readonly head?: Html;
}

/** A page that plays a system outside, for a person to press its buttons. */
export function playedPage({ title, plays, acts, body, head = nothing }: PlayedPage): string {
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
        <footer>A sandbox: no real money moves. What you press acts at ${acts}.</footer>
      </body>
    </html>`.text;
}
