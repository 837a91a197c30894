import { html, Html } from '@fundrail/service-kit/http';
import { playedPage } from '../played-page/played-page.view.ts';

/** What the checkout page posted, as the client's app would get it (contract §3 "Postback"). */
export function postedBackPage(fields: readonly (readonly [string, string])[]): string {
  const rows = fields.map(
    ([name, value]) =>
      html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`.text,
  );
  const told =
    rows.length > 0
      ? html`<dl>${new Html(rows.join(''))}</dl>`
      : html`<p class="note">Nothing was posted here.</p>`;
  const body = html`<section class="card">
    <header class="payee">
      <h1>Back in the buyer app</h1>
      <p class="note">
        This page stands for your app's payment_postback_url. The investor's browser posted this to it; check
        the signature, then ask GET /api/pg/payments/:id.
      </p>
    </header>
    ${told}
  </section>`;
  const acts = 'the simulator, which plays the buyer app';
  return playedPage({ title: 'Back in the buyer app', plays: 'Buyer app', acts, body });
}
