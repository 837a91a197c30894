import { parseJson } from '@fundrail/contracts';
import { all, html, nothing, type Html, type Page } from '@fundrail/service-kit/http';
import type { AttemptRow } from '../delivery/delivery.ts';
import type { DeliveryRow } from '../delivery/delivery.entity.ts';
import type { EventRow } from '../event/event.entity.ts';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.entity.ts';
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

export interface DeliveryView {
  readonly delivery: DeliveryRow;
  readonly endpoint: NotificationWebhookRow;
  readonly attempts: readonly AttemptRow[];
  /** Null once it is older than 30 days. */
  readonly event: EventRow | null;
  readonly now: Date;
  /** What a button has just done. */
  readonly done: 'test' | 'retry' | undefined;
}

/** A delivery: what was sent, each attempt, and what was answered. */
export function deliveryPage(view: DeliveryView): Page {
  const { delivery, endpoint } = view;
  const body = html`${done(view)} ${facts(view)} ${attemptsOf(view)} ${request(view)}`;
  const above = [
    { name: 'Endpoints', address: ENDPOINTS },
    ...(isRemoved(endpoint) ? [] : [{ name: endpoint.url, address: endpointAddress(endpoint.id) }]),
  ];
  return makePage({ title: delivery.type, body, tenant: delivery.tenant, above });
}

const DONE = { test: 'A test event was made.', retry: 'It is sent again at once.' } as const;

function done({ done: button, delivery, now }: DeliveryView): Html {
  if (button === undefined) return nothing;
  const says = isAboutToBeSent(delivery, now)
    ? `${DONE[button]} Waiting for the answer…`
    : `${DONE[button]} See below what came of it.`;
  return html`<p class="done" role="status">${says}</p>`;
}

function facts({ delivery, endpoint, now }: DeliveryView): Html {
  const standing = standingOfDelivery(delivery, now);
  const soon = isAboutToBeSent(delivery, now) ? html`data-soon` : nothing;
  return html`<section class="card" ${soon}>
    <div class="head">
      <div>
        ${badge(standing)}
        <h1>${delivery.type}</h1>
        ${standing.says ? html`<p>${standing.says}</p>` : nothing}
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
    ${neverAgain(endpoint)}
  </section>`;
}

function neverAgain(endpoint: NotificationWebhookRow): Html {
  if (isRemoved(endpoint))
    return html`<p class="soft">
      The endpoint, <code>${breakable(endpoint.url)}</code>, was removed, so nothing is sent again.
    </p>`;
  return endpoint.status === 'disabled'
    ? html`<p class="soft">The endpoint is disabled, so nothing is sent again.</p>`
    : nothing;
}

function isRemoved({ deleted_at }: NotificationWebhookRow): boolean {
  return deleted_at !== null;
}

function retryForm({ id, status }: DeliveryRow): Html {
  return html`<form method="post" action="${deliveryAddress(id)}/retry">
    <button class="main">${status === 'delivered' ? 'Send again' : 'Retry now'}</button>
  </form>`;
}

function attemptsOf({ attempts, delivery }: DeliveryView): Html {
  const newestFirst = attempts.map((attempt, index) => attemptOf(attempt, index + 1)).toReversed();
  return html`<section class="card">
    <h2>Attempts</h2>
    ${attempts.length === 0 ? html`<p>${withoutAttempts(delivery)}.</p>` : all(newestFirst.map(openFirst))}
  </section>`;
}

function openFirst(attempt: { summary: Html; answer: Html }, index: number): Html {
  return html`<details ${index === 0 ? html`open` : nothing}>
    <summary>${attempt.summary}</summary>
    ${attempt.answer}
  </details>`;
}

function attemptOf(attempt: AttemptRow, number: number): { summary: Html; answer: Html } {
  const { status, error, response_body: text, at } = attempt;
  const isTaken = status !== null && status >= 200 && status < 300;
  const mark = badge({
    kind: isTaken ? 'good' : 'bad',
    word: status === null ? 'No answer' : String(status),
  });
  const summary = html`<strong>Attempt ${number}</strong> ${mark} <span>${inWords(attempt.duration_ms)}</span>
    <span class="soft">${moment(at)}</span>`;
  const sent =
    attempt.url === null ? nothing : html`<p class="soft">To <code>${breakable(attempt.url)}</code></p>`;
  if (text !== null && text !== '')
    return {
      summary,
      answer: html`${sent}
        <pre>${text}</pre>`,
    };
  const none =
    status === null
      ? `There was no answer: ${error ?? 'the reason is not known'}.`
      : 'The answer had no body.';
  return {
    summary,
    answer: html`${sent}
      <p class="soft">${none}</p>`,
  };
}

function request(view: DeliveryView): Html {
  const { event, endpoint } = view;
  if (event === null)
    return html`<section class="card">
      <h2>Request</h2>
      <p>The event is older than 30 days and is not kept any more.</p>
    </section>`;
  return html`<section class="card">
    <h2>Request</h2>
    <pre>${headOf(view.attempts.at(-1)?.url ?? endpoint.url, event, timestampOf(view))}</pre>
    <p class="soft">
      ${whoseRequest(view)} The same in each attempt, but for the last two:
      <code>webhook-timestamp</code> is the second of an attempt, and <code>webhook-signature</code> covers
      it. An attempt may carry a <code>traceparent</code> as well, which is not kept.
    </p>
    <h3>Body</h3>
    <pre>${pretty(event.body)}</pre>
    <p class="soft">Shown with line breaks for reading. It is sent, and signed, without them.</p>
  </section>`;
}

function whoseRequest({ attempts }: DeliveryView): string {
  const last = attempts.at(-1);
  if (last === undefined) return 'As an attempt sends it.';
  if (wasNothingSigned(last)) return 'The last attempt sent nothing, because its URL was refused.';
  return 'As it was made for the last attempt; each goes to the URL that is named there.';
}

/** The URL was refused before the request was made. Attempts of an older version tell neither, and were made all the same. */
function wasNothingSigned({ url, webhook_timestamp: signedAt }: AttemptRow): boolean {
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

/** That of the last attempt, where it was signed. */
function timestampOf({ attempts }: DeliveryView): string {
  return String(attempts.at(-1)?.webhook_timestamp ?? '…');
}

/** With line breaks, and numbers to the last digit. */
function pretty(body: string): string {
  return JSON.stringify(parseJson(body), null, 2);
}
