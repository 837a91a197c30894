import { inRupees, type Holidays } from '@fundrail/contracts';
import { all, html, nothing, policySources, type Html, type Page } from '@fundrail/service-kit/http';
import { backTo, goingTo, type Brand } from './brand.ts';
import { moneyBack } from './money-of.ts';
import { attemptSentences, headingOf, receipt, sentencesOf, type Ended } from './outcome.view.ts';
import { makePage, notice } from './page.ts';
import { postbackOf, postbackStatus, type Postable, type Postback } from './postback.ts';
import { sayIn, type Language } from './texts.ts';
import type { Again } from './try-again.ts';

/** How long a result is shown before the redirect to the client, and how long one with money that goes back. */
const RESULT_SECONDS = 3;
const MONEY_BACK_SECONDS = 15;
const MARKS = { success: '✓', failure: '✕', pending: '…' } as const;

/** How the page is shown. */
interface PostbackOptions {
  readonly language?: Language;
  readonly brand?: Brand;
  /** Set when an attempt failed and the investor can try again on the hosted page. The page does not redirect by itself then. */
  readonly again?: Again | null;
  /** The service's own holiday list, for the day by which a refund is expected. */
  readonly holidays: Holidays;
  /** The result was shown before: the page is now a receipt, and leads back by its button only. */
  readonly stays?: boolean;
  /** This page's own address in another language; absent when the page cannot be loaded again. */
  readonly inLanguage?: (language: Language) => string;
}

/**
 * The page that leads the browser that paid back to the client (PAGE-9). It shows the result with orders, date and refunds, and has a form
 * with our signature to `payment_postback_url`, which submits itself after some seconds or by its button.
 */
export function postbackPage(payment: Postable & Ended, secret: string, options: PostbackOptions): Page {
  const language = options.language ?? 'en';
  const say = sayIn(language, payment.payment_type);
  return makePage({
    language,
    title: options.again ? say('try_failed') : headingOf(payment, language),
    ...(options.brand ? { brand: options.brand } : {}),
    inLanguage: options.inLanguage ?? null,
    postsTo: policySources(payment.postback_url),
    body: options.again
      ? failedAttemptBody(payment, secret, options, options.again)
      : body(payment, secret, options),
  });
}

/**
 * For a caller that is not proven to be the payer's browser (decision 0035). It contains no data of the payment, no signature and no address,
 * and is the same for each payment.
 */
export function unprovenPage(language: Language): Page {
  const say = sayIn(language);
  return makePage({
    language,
    title: say('pending'),
    inLanguage: null,
    body: notice(say('pending'), say('unproven_text'), nothing, 'pending'),
  });
}

function body(payment: Postable & Ended, secret: string, options: PostbackOptions): Html {
  const { language = 'en', brand } = options;
  const app = brand?.app ?? null;
  const status = postbackStatus(payment);
  const say = sayIn(language, payment.payment_type);
  const isMoney = payment.payment_type !== 'AUTH_TRANSACTION';
  const goes = options.stays !== true;
  return html`<section class="card notice ${status}" aria-live="polite">
    <span class="mark" aria-hidden="true">${MARKS[status]}</span>
    <h1>${headingOf(payment, language)}</h1>
    ${isMoney ? html`<p class="amount">${inRupees(payment.amount)}</p>` : nothing}
    ${sentencesOf(payment, language, options.holidays)}
    ${status === 'pending' ? nothing : receipt(payment, language)}
    ${goes ? html`<p class="soft with-script">${goingTo(say, app)}</p>` : nothing}
    ${formOf(payment, secret, backTo(say, app), goes ? secondsToRead(payment) : null)}
  </section>`;
}

/** Seconds until the page redirects by itself. The button leads back earlier. */
function secondsToRead(payment: Postable & Ended): number {
  if (postbackStatus(payment) === 'pending') return 0;
  return moneyBack(payment.refunds) ? MONEY_BACK_SECONDS : RESULT_SECONDS;
}

function failedAttemptBody(
  payment: Postable & Ended,
  secret: string,
  { language = 'en', brand }: PostbackOptions,
  { address, failed }: Again,
): Html {
  const say = sayIn(language, payment.payment_type);
  return html`<section class="card notice failure stack" aria-live="polite">
    <span class="mark" aria-hidden="true">${MARKS.failure}</span>
    <h1>${say('try_failed')}</h1>
    <p>${attemptSentences(failed, payment.payment_type, language)}</p>
    <p>${say('try_failed_text')}</p>
    <a class="button main" href="${address}">${say('other_way')}</a>
    ${formOf(payment, secret, backTo(say, brand?.app ?? null), null)}
  </section>`;
}

/** `seconds` until the form submits itself; null when it does not. */
function formOf(payment: Postable, secret: string, button: string, seconds: number | null): Html {
  const postback: Postback = postbackOf(payment, secret);
  const names = Object.keys(postback) as (keyof Postback)[];
  const fields = names.map((name) => html`<input type="hidden" name="${name}" value="${postback[name]}" />`);
  return html`<form
    method="post"
    action="${payment.postback_url}"
    ${seconds === null ? nothing : html`data-auto="${seconds}"`}
  >
    ${all(fields)}<button class="main">${button}</button>
  </form>`;
}
