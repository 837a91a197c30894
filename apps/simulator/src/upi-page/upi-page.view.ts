import { inRupees, istTimestamp } from '@fundrail/contracts';
import { html, Html, nothing } from '@fundrail/service-kit/http';
import { playedPage } from '../played-page/played-page.view.ts';
import { pageState } from '../provider-payment/provider-payment.ts';
import type { PageState, ProviderPaymentRow } from '../provider-payment/provider-payment.ts';

/** The request as the investor sees it. `qr` is the QR code of the URI as SVG, empty for a collect request; `ignored` says that it was just laid aside. */
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

/** The payment is there, but its order has not been submitted, so nothing was asked of the investor yet. Looks again by itself. */
export function notIssuedPage(paymentId: number): string {
  const body = html`<section class="card">
    <div class="status not_issued" role="status">
      <h1>Not issued yet</h1>
      <p>
        Payment ${paymentId} has not been sent to this app. Its UPI request comes once all of its orders are
        confirmed and submitted. This page looks again every 3 seconds.
      </p>
    </div>
  </section>`;
  return page('Not issued yet', body, html`<meta http-equiv="refresh" content="3" />`);
}

export function unknownPage(): string {
  const body = html`<section class="card">
    <div class="status unknown">
      <h1>No such payment request</h1>
      <p>There is no payment with this number. Check the number at the end of the address.</p>
    </div>
  </section>`;
  return page('No such payment request', body);
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
  const laidAside = html`<div class="status" role="status">
    <h2>Left unanswered</h2>
    <p>
      Nothing was told to the bank. The request ends at ${clockTime(row.expires_at)} by itself; you can still
      decide.
    </p>
  </div>`;
  return html`${view.ignored ? laidAside : nothing}
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
    <figcaption><p>What a buyer app shows on a desktop. Decide here instead of scanning.</p></figcaption>
  </figure>`;
}

const TITLES: Record<Exclude<PageState, 'waiting' | 'not_issued'>, string> = {
  paid: 'Paid',
  declined: 'Declined',
  expired: 'This request has ended',
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
      ? (row.failure_message ?? 'Debits may be made from now on. No money was taken today.')
      : 'Your bank has sent the money.';
  if (state === 'declined') return row.failure_message ?? 'No money was taken.';
  return row.status === 'cancelled'
    ? 'It was taken back. No money was taken.'
    : 'It was not answered in time. No money was taken.';
}

function details(row: ProviderPaymentRow): Html {
  const line = (name: string, value: string) =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  return html`<dl>
    ${line('Reference', row.reference)} ${row.vpa === null ? nothing : line('Asked', row.vpa)}
    ${row.provider_reference ? line('UPI transaction', row.provider_reference) : nothing}
    ${row.failure_code ? line('Reason', row.failure_code) : nothing}
    ${row.status === 'awaiting_payer' ? line('Answer by', clockTime(row.expires_at)) : nothing}
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
  const acts = 'the simulated provider, which then tells the payment service';
  return playedPage({ title, plays: 'UPI app', acts, body, ...(head && { head }) });
}
