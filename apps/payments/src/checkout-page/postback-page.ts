import { inRupees } from '@fundrail/contracts';
import { html } from '@fundrail/service-kit/http';
import type { Html } from '@fundrail/service-kit/http';
import { all, makePage, type Page } from './page.ts';
import { postbackOf, postbackStatus } from './postback.ts';
import type { Postable, Postback, PostbackStatus } from './postback.ts';
import { failureIn, sayIn, type Language } from './texts.ts';

const MARKS = { success: '✓', failure: '✕', pending: '…' } as const;

/** How the page is dressed; it says the same without. */
export interface PostbackDress {
  readonly language?: Language;
  readonly operator?: string;
}

/**
 * The way back to the client (contract §3 "Postback"): how the payment stands, and a form with our signature to its
 * `payment_postback_url` that submits itself, or by its button where there is no script.
 */
export function postbackPage(payment: Postable, secret: string, dress: PostbackDress = {}): Page {
  const language = dress.language ?? 'en';
  const status = postbackStatus(payment);
  const say = sayIn(language);
  return makePage({
    language,
    title: say(status),
    ...(dress.operator ? { operator: dress.operator } : {}),
    inLanguage: null,
    postsTo: [new URL(payment.payment_postback_url).origin],
    body: html`<section class="card notice ${status}" aria-live="polite">
      <span class="mark" aria-hidden="true">${MARKS[status]}</span>
      <h1>${say(status)}</h1>
      <p class="amount">${inRupees(payment.amount)}</p>
      <p>${sentence(payment, status, language)}</p>
      <p class="soft">${say('going_back')}</p>
      ${formOf(payment.payment_postback_url, postbackOf(payment, secret), say('go_back'))}
    </section>`,
  });
}

function sentence(payment: Postable, status: PostbackStatus, language: Language): string {
  const say = sayIn(language);
  if (status === 'success') return say('success_says', { amount: inRupees(payment.amount) });
  if (status === 'pending') return say('pending_says');
  return payment.failure_code ? failureIn(language, payment.failure_code) : say('refund_says');
}

function formOf(address: string, postback: Postback, button: string): Html {
  const names = Object.keys(postback) as (keyof Postback)[];
  const fields = names.map((name) => html`<input type="hidden" name="${name}" value="${postback[name]}" />`);
  return html`<form method="post" action="${address}" data-auto>
    ${all(fields)}<button class="main">${button}</button>
  </form>`;
}
