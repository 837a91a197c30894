import { parseJson } from '@fundrail/contracts';
import { all, html, nothing, type Html, type Page } from '@fundrail/service-kit/http';
import type { AttemptRow } from '../delivery/attempt.table.ts';
import type { DeliveryRow } from '../delivery/delivery.table.ts';
import type { EventRow } from '../event/event.table.ts';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.table.ts';
import { deliveryAddress, endpointAddress, ENDPOINTS } from './addresses.ts';
import { makePage } from './page.ts';
import {
  badge,
  breakable,
  isAboutToBeSent,
  moment,
  inWords,
  standingOfDelivery,
  withoutAttempts,
} from './words.ts';

interface DeliveryView {
  readonly delivery: DeliveryRow;
  readonly endpoint: NotificationWebhookRow;
  readonly attempts: readonly AttemptRow[];
  /** Null once it is older than 30 days. */
  readonly event: EventRow | null;
  readonly now: Date;
  /** The button that was just pressed. */
  readonly done: 'test' | 'retry' | undefined;
}

/** The page of a delivery: its request, and each attempt with its response. */
export function deliveryPage(view: DeliveryView): Page {
  const { delivery, endpoint } = view;
  const body = html`${done(view)} ${facts(view)} ${attemptsOf(view)} ${request(view)}`;
  const above = [
    { name: 'Endpoints', address: ENDPOINTS },
    ...(isRemoved(endpoint) ? [] : [{ name: endpoint.url, address: endpointAddress(endpoint.id) }]),
  ];
  return makePage({ title: delivery.type, body, tenant: delivery.tenant, above });
}

const DONE = { test: 'Test event created.', retry: 'Resending now.' } as const;

function done({ done: button, delivery, now }: DeliveryView): Html {
  if (button === undefined) return nothing;
  const message = isAboutToBeSent(delivery, now)
    ? `${DONE[button]} Waiting for the response…`
    : `${DONE[button]} See the result below.`;
  return html`<p class="done" role="status">${message}</p>`;
}

function facts({ delivery, endpoint, now }: DeliveryView): Html {
  const standing = standingOfDelivery(delivery, now);
  const soon = isAboutToBeSent(delivery, now) ? html`data-soon` : nothing;
  return html`<section class="card" ${soon}>
    <div class="head">
      <div>
        ${badge(standing)}
        <h1>${delivery.type}</h1>
        ${standing.detail ? html`<p>${standing.detail}</p>` : nothing}
      </div>
      ${endpoint.status === 'enabled' && !isRemoved(endpoint) ? retryForm(delivery) : nothing}
    </div>
    <dl class="facts">
      <dt>Object</dt>
      <dd><code>${delivery.object_id}</code></dd>
      <dt>Event</dt>
      <dd><code>${delivery.event}</code></dd>
      <dt>Delivery</dt>
      <dd><code>${delivery.id}</code></dd>
      <dt>Created</dt>
      <dd>${moment(delivery.created_at)}</dd>
    </dl>
    ${whyNoResend(endpoint)}
  </section>`;
}

function whyNoResend(endpoint: NotificationWebhookRow): Html {
  if (isRemoved(endpoint))
    return html`<p class="soft">
      The endpoint <code>${breakable(endpoint.url)}</code> was deleted, so this delivery cannot be resent.
    </p>`;
  return endpoint.status === 'disabled'
    ? html`<p class="soft">The endpoint is disabled, so this delivery cannot be resent.</p>`
    : nothing;
}

function isRemoved({ deleted_at }: NotificationWebhookRow): boolean {
  return deleted_at !== null;
}

function retryForm({ id, status }: DeliveryRow): Html {
  return html`<form method="post" action="${deliveryAddress(id)}/retry">
    <button class="main">${status === 'delivered' ? 'Resend' : 'Retry now'}</button>
  </form>`;
}

function attemptsOf({ attempts, delivery }: DeliveryView): Html {
  const newestFirst = attempts.map((attempt, index) => attemptOf(attempt, index + 1)).toReversed();
  return html`<section class="card">
    <h2>Attempts</h2>
    ${attempts.length === 0 ? html`<p>${withoutAttempts(delivery)}.</p>` : all(newestFirst.map(openFirst))}
  </section>`;
}

function openFirst(attempt: { summary: Html; response: Html }, index: number): Html {
  return html`<details ${index === 0 ? html`open` : nothing}>
    <summary>${attempt.summary}</summary>
    ${attempt.response}
  </details>`;
}

function attemptOf(attempt: AttemptRow, number: number): { summary: Html; response: Html } {
  const { status, error, response_body: text, at } = attempt;
  const isTaken = status !== null && status >= 200 && status < 300;
  const mark = badge({
    kind: isTaken ? 'good' : 'bad',
    word: status === null ? 'No response' : String(status),
  });
  const summary = html`<strong>Attempt ${number}</strong> ${mark} <span>${inWords(attempt.duration_ms)}</span>
    <span class="soft">${moment(at)}</span>`;
  const sent =
    attempt.url === null ? nothing : html`<p class="soft">To <code>${breakable(attempt.url)}</code></p>`;
  if (text !== null && text !== '')
    return {
      summary,
      response: html`${sent}
        <pre>${text}</pre>`,
    };
  const none = status === null ? `No response: ${error ?? 'unknown reason'}.` : 'The response had no body.';
  return {
    summary,
    response: html`${sent}
      <p class="soft">${none}</p>`,
  };
}

function request(view: DeliveryView): Html {
  const { event, endpoint } = view;
  if (event === null)
    return html`<section class="card">
      <h2>Request</h2>
      <p>This event is older than 30 days and is no longer available.</p>
    </section>`;
  return html`<section class="card">
    <h2>Request</h2>
    <pre>${headOf(view.attempts.at(-1)?.url ?? endpoint.url, event, timestampOf(view))}</pre>
    <p class="soft">
      ${requestNote(view)} Every attempt has the same request, except that <code>webhook-timestamp</code> is
      the time of the attempt in seconds and <code>webhook-signature</code> covers it. An attempt may also
      have a <code>traceparent</code> header, which is not stored.
    </p>
    <h3>Body</h3>
    <pre>${pretty(event.body)}</pre>
    <p class="soft">Formatted for reading. The request is sent and signed without the line breaks.</p>
  </section>`;
}

function requestNote({ attempts }: DeliveryView): string {
  const last = attempts.at(-1);
  if (last === undefined) return 'Shown as an attempt would send it.';
  if (wasNotSent(last)) return 'The last attempt sent no request, because the URL was refused.';
  return 'Shown as sent in the last attempt.';
}

/** The URL was refused before the request was created. Attempts of an older version have neither field, although they were sent. */
function wasNotSent({ url, webhook_timestamp: signedAt }: AttemptRow): boolean {
  return url !== null && signedAt === null;
}

function headOf(address: string, event: EventRow, timestamp: string): string {
  const url = new URL(address);
  return [
    `POST ${url.pathname}${url.search} HTTP/1.1`,
    `host: ${url.host}`,
    'content-type: application/json',
    'user-agent: fundrail-webhooks/1.0',
    `webhook-id: ${event.id}`,
    `webhook-timestamp: ${timestamp}`,
    'webhook-signature: v1,…',
  ].join('\n');
}

/** The timestamp of the last attempt, if it was signed. */
function timestampOf({ attempts }: DeliveryView): string {
  return String(attempts.at(-1)?.webhook_timestamp ?? '…');
}

/** Formats JSON and preserves all digits of numbers. */
function pretty(body: string): string {
  return JSON.stringify(parseJson(body), null, 2);
}
