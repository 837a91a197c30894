import { all, html } from '@fundrail/service-kit/http';
import { factLine, simulatedPage } from '../simulated-page/simulated-page.view.ts';

/** Shows what the checkout page posted, as the client's app would receive it (PAGE-9). */
export function postedBackPage(fields: readonly (readonly [string, string])[]): string {
  const lines = fields.map(([name, value]) => factLine(name, value));
  const posted =
    lines.length > 0 ? html`<dl>${all(lines)}</dl>` : html`<p class="note">No fields were posted.</p>`;
  const body = html`<section class="card">
    <header class="payee">
      <h1>Back in the buyer app</h1>
      <p class="note">
        This page stands in for your app's payment_postback_url. The investor's browser posted these fields to
        it. Check the signature, then fetch the payment with GET /api/pg/payments/:id.
      </p>
    </header>
    ${posted}
  </section>`;
  const acts = 'the simulator, which stands in for the buyer app';
  return simulatedPage({ title: 'Back in the buyer app', plays: 'Buyer app', acts, body });
}
