import { inRupees } from '@fundrail/contracts';
import { html, Html } from '@fundrail/service-kit/http';
import { playedPage } from '../played-page/played-page.view.ts';
import type { SdkPaymentRow } from '../sdkvendor/sdk-payment.ts';

/** Sends the form of the page by itself. Inline, and let through by its hash. */
export const SEND_BACK = 'document.forms[0].submit()';

// One piece, as the style: prettier would put spaces into a template.
const SCRIPT = new Html(`<script>${SEND_BACK}</script>`);

/** The bank asks the investor. */
export function bankPage(attempt: SdkPaymentRow): string {
  const question = html`<form method="post">
    <button class="approve" name="action" value="approve">
      ${attempt.method === 'emandate' ? 'Authorise the mandate' : `Pay ${inRupees(attempt.amount)}`}
    </button>
    <button class="decline" name="action" value="decline">Cancel</button>
  </form>`;
  const over = html`<div class="status" role="status">
    <h2>This payment has ended</h2>
    <p>It ${attempt.status === 'captured' ? 'was paid' : 'was not paid'}. You can close this page.</p>
  </div>`;
  const body = html`<section class="card" aria-labelledby="bank">
    <header class="payee">
      <div class="avatar" aria-hidden="true">₹</div>
      <h1 id="bank">Bank ${attempt.bank ?? ''}</h1>
      <p class="amount">${inRupees(attempt.amount)}</p>
      <p class="note">${attempt.id}</p>
    </header>
    ${attempt.status === 'created' ? question : over}
  </section>`;
  return page(`${inRupees(attempt.amount)} from your bank`, body);
}

/** The way back to whoever sent the investor here; without JavaScript by a button. */
export function wayBackPage(action: string, fields: readonly (readonly [string, string])[]): string {
  const inputs = fields.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`.text,
  );
  const body = html`<section class="card">
      <div class="status" role="status"><h1>Back to the payment</h1></div>
      <form method="post" action="${action}">
        ${new Html(inputs.join(''))}
        <button class="approve">Continue</button>
      </form>
    </section>
    ${SCRIPT}`;
  return page('Back to the payment', body);
}

export function unknownBankPage(): string {
  return page(
    'No such payment',
    html`<section class="card">
      <div class="status unknown"><h1>No such payment</h1></div>
    </section>`,
  );
}

function page(title: string, body: Html): string {
  return playedPage({ title, plays: 'Net banking', acts: 'the simulated Razorpay', body });
}
