import { inRupees } from '@fundrail/contracts';
import { all, html, nothing } from '@fundrail/service-kit/http';
import type { Html, Page } from '@fundrail/service-kit/http';
import { makePage } from './page.ts';
import { postbackOf, postbackStatus } from './postback.ts';
import type { Postable, Postback, PostbackStatus } from './postback.ts';
import { failureIn, sayIn, type Language } from './texts.ts';
import type { Again } from './try-again.ts';

const MARKS = { success: '✓', failure: '✕', pending: '…' } as const;

/** How the page is dressed; it says the same without. */
export interface PostbackDress {
  readonly language?: Language;
  readonly operator?: string;
  /** What was tried has failed, and the hosted page offers the ways again: nobody is led away from it by itself. */
  readonly again?: Again | null;
  /** This page's own address in another language, where it can be asked for again. */
  readonly inLanguage?: (language: Language) => string;
}

/**
 * The way back to the client (contract §3 "Postback"): how the payment stands, and a form with our signature to its
 * `payment_postback_url` that submits itself, or by its button where there is no script.
 */
export function postbackPage(payment: Postable, secret: string, dress: PostbackDress = {}): Page {
  const language = dress.language ?? 'en';
  const status = postbackStatus(payment);
  const say = sayIn(language, payment.payment_type);
  return makePage({
    language,
    title: say(dress.again ? 'try_failed' : status),
    ...(dress.operator ? { operator: dress.operator } : {}),
    inLanguage: dress.inLanguage ?? null,
    postsTo: [new URL(payment.payment_postback_url).origin],
    body: dress.again ? triedBody(payment, secret, dress.again, language) : body(payment, secret, language),
  });
}

function body(payment: Postable, secret: string, language: Language): Html {
  const status = postbackStatus(payment);
  const say = sayIn(language, payment.payment_type);
  const isMoney = payment.payment_type !== 'AUTH_TRANSACTION';
  return html`<section class="card notice ${status}" aria-live="polite">
    <span class="mark" aria-hidden="true">${MARKS[status]}</span>
    <h1>${say(status)}</h1>
    ${isMoney ? html`<p class="amount">${inRupees(payment.amount)}</p>` : nothing}
    <p>${sentence(payment, status, language)}</p>
    <p class="soft">${say('going_back')}</p>
    ${formOf(payment, secret, say('go_back'))}
  </section>`;
}

function triedBody(payment: Postable, secret: string, { address, failed }: Again, language: Language): Html {
  const say = sayIn(language, payment.payment_type);
  return html`<section class="card notice failure stack" aria-live="polite">
    <span class="mark" aria-hidden="true">${MARKS.failure}</span>
    <h1>${say('try_failed')}</h1>
    <p>${failureIn(language, failed, payment.payment_type)}</p>
    <p>${say('try_failed_says')}</p>
    <a class="button main" href="${address}">${say('other_way')}</a>
    ${formOf(payment, secret, say('go_back'), false)}
  </section>`;
}

function sentence(payment: Postable, status: PostbackStatus, language: Language): string {
  const say = sayIn(language, payment.payment_type);
  if (status === 'success') return say('success_says', { amount: inRupees(payment.amount) });
  if (status === 'pending') return say('pending_says');
  return payment.failure_code
    ? failureIn(language, payment.failure_code, payment.payment_type)
    : say('refund_says');
}

function formOf(payment: Postable, secret: string, button: string, isAuto = true): Html {
  const postback: Postback = postbackOf(payment, secret);
  const names = Object.keys(postback) as (keyof Postback)[];
  const fields = names.map((name) => html`<input type="hidden" name="${name}" value="${postback[name]}" />`);
  return html`<form
    method="post"
    action="${payment.payment_postback_url}"
    ${isAuto ? html`data-auto` : nothing}
  >
    ${all(fields)}<button class="${isAuto ? 'main' : ''}">${button}</button>
  </form>`;
}
