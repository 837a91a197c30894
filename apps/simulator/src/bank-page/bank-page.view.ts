import { inRupees } from '@fundrail/contracts';
import { html, Html } from '@fundrail/service-kit/http';
import { simulatedPage } from '../simulated-page/simulated-page.view.ts';
import type { SdkPaymentRow } from '../sdkvendor/sdk-payment.ts';

/** Submits the page's form automatically. The script is inline, and the Content-Security-Policy allows it by its hash. */
export const SEND_BACK = 'document.forms[0].submit()';

// A plain string, like the style: prettier would add spaces inside a template, and the hash would not match.
const SCRIPT = new Html(`<script>${SEND_BACK}</script>`);

/** Asks the investor to approve or cancel the payment. */
export function bankPage(attempt: SdkPaymentRow): string {
  const question = html`<form method="post">
    <button class="approve" name="action" value="approve">
      ${attempt.method === 'emandate' ? 'Authorise the mandate' : `Pay ${inRupees(attempt.amount)}`}
    </button>
    <button class="decline" name="action" value="decline">Cancel</button>
  </form>`;
  const over = html`<div class="status" role="status">
    <h2>This payment is closed</h2>
    <p>
      The payment ${attempt.status === 'captured' ? 'succeeded' : 'did not succeed'}. You can close this page.
    </p>
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

/** Sends the investor back to the return address; without JavaScript, by a button. */
export function returnPage(action: string, fields: readonly (readonly [string, string])[]): string {
  const inputs = fields.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`.text,
  );
  const body = html`<section class="card">
      <div class="status" role="status"><h1>Return to the payment</h1></div>
      <form method="post" action="${action}">
        ${new Html(inputs.join(''))}
        <button class="approve">Continue</button>
      </form>
    </section>
    ${SCRIPT}`;
  return page('Return to the payment', body);
}

export function unknownBankPage(): string {
  return page(
    'Payment not found',
    html`<section class="card">
      <div class="status unknown"><h1>Payment not found</h1></div>
    </section>`,
  );
}

function page(title: string, body: Html): string {
  return simulatedPage({ title, plays: 'Net banking', acts: 'the simulated Razorpay', body });
}
