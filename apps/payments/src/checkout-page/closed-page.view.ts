import { html, nothing, type Html, type Page } from '@fundrail/service-kit/http';
import { pageAddress } from './checkout.ts';
import { makePage, notice } from './page.ts';
import { sayIn, type Language } from './texts.ts';

/** Why the payment's page is not shown, with the HTTP status that says so (contract §3 "Times", §10 "Payments"). */
const STATUSES = {
  used: 410,
  expired: 410,
  over: 410,
  unknown: 404,
  /** A frame, a picture, a preview: this is a page of its own. */
  not_opened: 403,
  /** HEAD: the link is good, and stays so. */
  asked_about: 200,
  /** A browser that fetches ahead throws away what is no success, and asks again when the link is followed. */
  fetched_ahead: 503,
  refused: 403,
  unavailable: 503,
} as const;
export type Closed = keyof typeof STATUSES;

/** A page in place of the payment's; `token` as it was given, for the links. */
export function closedPage(why: Closed, token: string, language: Language): Page {
  const say = sayIn(language);
  const key = why === 'fetched_ahead' || why === 'asked_about' ? 'not_opened' : why;
  const page = makePage({
    status: STATUSES[why],
    language,
    title: say(key),
    inLanguage: (other) => pageAddress(token, other),
    body: notice(say(key), say(`${key}_says`), wayOn(why, pageAddress(token, language), language)),
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

function wayOn(why: Closed, address: string, language: Language): Html {
  if (!(why in LINKS)) return nothing;
  const key = LINKS[why as keyof typeof LINKS];
  return html`<a class="button main" href="${address}" target="_top">${sayIn(language)(key)}</a>`;
}
