import { html, nothing, type Html, type Page } from '@fundrail/service-kit/http';
import { backTo } from './brand.ts';
import { pageAddress } from './checkout.ts';
import { makePage, notice } from './page.ts';
import { sayIn, type Language } from './texts.ts';

/** Why the payment's page is not shown, and the HTTP status for it (PAGE-4). */
const STATUSES = {
  used: 410,
  expired: 410,
  over: 410,
  unknown: 404,
  /** A frame, a picture or a preview: the page opens only in its own tab. */
  not_opened: 403,
  /** HEAD: the link is valid, and is not used up. */
  asked_about: 200,
  /** A browser that prefetches discards an error, and requests the page again when the link is opened. */
  fetched_ahead: 503,
  refused: 403,
  unavailable: 503,
} as const;
export type Closed = keyof typeof STATUSES;

/** The app that the investor came from: the origin of the client's address, and the name that the tenant has set. */
export interface AppOfPayment {
  readonly address: string;
  readonly name: string | null;
}

/** A page in place of the payment's page. `token` is as received, for the links; `app` is set when the link is valid. */
export function closedPage(
  why: Closed,
  token: string,
  language: Language,
  app: AppOfPayment | null = null,
): Page {
  const say = sayIn(language);
  const key = why === 'fetched_ahead' || why === 'asked_about' ? 'not_opened' : why;
  const page = makePage({
    status: STATUSES[why],
    language,
    title: say(key),
    inLanguage: (other) => pageAddress(token, other),
    body: notice(
      say(key),
      say(`${key}_text`),
      wayOn(why, { page: pageAddress(token, language), app }, language),
    ),
  });
  const isLater = STATUSES[why] === 503;
  return isLater ? { ...page, headers: { ...page.headers, 'retry-after': '1' } } : page;
}

const LINKS = {
  not_opened: 'open',
  fetched_ahead: 'open',
  asked_about: 'open',
  refused: 'to_page',
  unavailable: 'try_again',
} as const;

function wayOn(
  why: Closed,
  { page, app }: { readonly page: string; readonly app: AppOfPayment | null },
  language: Language,
): Html {
  const say = sayIn(language);
  if (why in LINKS) {
    const key = LINKS[why as keyof typeof LINKS];
    return html`<a class="button main" href="${page}" target="_top">${say(key)}</a>`;
  }
  if (app === null) return nothing;
  return html`<a class="button main" href="${app.address}" rel="noreferrer" target="_top"
    >${backTo(say, app.name)}</a
  >`;
}
