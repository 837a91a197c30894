import { inRupees, istTimestamp } from '@fundrail/contracts';
import { html, Html, nothing } from '@fundrail/service-kit/http';
import { factLine, simulatedPage } from '../simulated-page/simulated-page.view.ts';
import { pageState, type PageState, type ProviderPaymentRow } from '../provider-payment/provider-payment.ts';

/**
 * The request as the investor sees it. `qr` is the QR code of the URI as SVG, empty for a collect request. `ignored`: the investor just
 * chose to ignore it.
 */
export function requestPage(
  row: ProviderPaymentRow,
  view: { now: Date; qr: string; ignored: boolean },
): string {
  const state = pageState(row, view.now);
  const waits = state === 'waiting';
  const body = html`<section class="card${waits ? ' split' : ''}" aria-labelledby="payee">
    ${payee(row)} ${waits ? waiting(row, view) : status(row, state)} ${details(row)}
  </section>`;
  return page(`${inRupees(row.amount)} to ${row.payee_name}`, body);
}

/** The payment exists, but its order is not submitted, so there is no request to the investor yet. The page reloads automatically. */
export function notIssuedPage(paymentId: number): string {
  const body = html`<section class="card">
    <div class="status not_issued" role="status">
      <h1>Not issued yet</h1>
      <p>
        Payment ${paymentId} has not been sent to this app yet. Its UPI request is issued once all of its
        orders are confirmed and submitted. This page refreshes every 3 seconds.
      </p>
    </div>
  </section>`;
  return page('Not issued yet', body, html`<meta http-equiv="refresh" content="3" />`);
}

export function unknownPage(): string {
  const body = html`<section class="card">
    <div class="status unknown">
      <h1>Payment request not found</h1>
      <p>There is no payment with this ID. Check the ID at the end of the URL.</p>
    </div>
  </section>`;
  return page('Payment request not found', body);
}

function payee(row: ProviderPaymentRow): Html {
  const initial = [...row.payee_name][0] ?? '₹';
  return html`<header class="payee">
    <div class="avatar" aria-hidden="true">${initial.toUpperCase()}</div>
    <h1 id="payee">${row.payee_name}</h1>
    <p class="vpa">${new URL(row.upi_uri).searchParams.get('pa') ?? ''}</p>
    <p class="amount">${inRupees(row.amount)}</p>
    <p class="note">
      ${row.kind === 'authorisation' ? 'Mandate, payment' : 'Payment'} ${row.payment_id ?? row.reference}
    </p>
  </header>`;
}

function waiting(row: ProviderPaymentRow, view: { qr: string; ignored: boolean }): Html {
  const ignoredNote = html`<div class="status" role="status">
    <h2>Request ignored</h2>
    <p>
      Your bank was not contacted. You can still approve or decline until the request expires at
      ${clockTime(row.expires_at)}.
    </p>
  </div>`;
  return html`${view.ignored ? ignoredNote : nothing}
    <form method="post">
      <button class="approve" name="action" value="approve">${approval(row)}</button>
      <button class="decline" name="action" value="decline">Decline</button>
      <button class="ignore" name="action" value="ignore">Ignore for now</button>
    </form>
    ${view.qr === '' ? nothing : qrFigure(view.qr)}`;
}

function approval({ kind, amount }: ProviderPaymentRow): string {
  return kind === 'authorisation'
    ? `Approve debits of up to ${inRupees(amount)}`
    : `Approve and pay ${inRupees(amount)}`;
}

function qrFigure(qr: string): Html {
  return html`<figure class="qr">
    <div role="img" aria-label="QR code of this payment request">${new Html(qr)}</div>
    <figcaption>
      <p>The QR code that a buyer app shows on a desktop. Use the buttons here instead of scanning it.</p>
    </figcaption>
  </figure>`;
}

const TITLES: Record<Exclude<PageState, 'waiting' | 'not_issued'>, string> = {
  paid: 'Paid',
  declined: 'Declined',
  expired: 'Request closed',
};

function status(row: ProviderPaymentRow, state: PageState): Html {
  if (state === 'waiting' || state === 'not_issued') return nothing;
  return html`<div class="status ${state}" role="status">
    <h2>${row.kind === 'authorisation' && state === 'paid' ? 'Approved' : TITLES[state]}</h2>
    <p>${explanation(row, state)}</p>
  </div>`;
}

function explanation(row: ProviderPaymentRow, state: PageState): string {
  if (state === 'paid')
    return row.kind === 'authorisation'
      ? (row.failure_message ?? 'Debits are allowed from now on. No money was taken today.')
      : 'Your bank has sent the money.';
  if (state === 'declined') return row.failure_message ?? 'No money was taken.';
  return row.status === 'cancelled'
    ? 'The request was withdrawn. No money was taken.'
    : 'There was no response in time. No money was taken.';
}

function details(row: ProviderPaymentRow): Html {
  return html`<dl>
    ${factLine('Reference', row.reference)} ${row.vpa === null ? nothing : factLine('UPI ID', row.vpa)}
    ${row.provider_reference ? factLine('UPI transaction', row.provider_reference) : nothing}
    ${row.failure_code ? factLine('Reason', row.failure_code) : nothing}
    ${row.status === 'awaiting_payer' ? factLine('Expires', clockTime(row.expires_at)) : nothing}
  </dl>`;
}

/** `10:30, 21 Dec 2026` in India. */
function clockTime(at: Date): string {
  const [date = '', time = ''] = istTimestamp(at).split('T');
  const [year, month = '1', day = ''] = date.split('-');
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  return `${time.slice(0, 5)}, ${Number(day)} ${months[Number(month) - 1] ?? ''} ${year ?? ''}`;
}

function page(title: string, body: Html, head?: Html): string {
  const acts = 'the simulated provider, which then notifies the payment service';
  return simulatedPage({ title, plays: 'UPI app', acts, body, ...(head && { head }) });
}
