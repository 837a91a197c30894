import { DELIVERY_STATUSES } from '@fundrail/contracts';
import { all, html, nothing, type Html, type Page } from '@fundrail/service-kit/http';
import type { AttemptRow } from '../delivery/attempt.table.ts';
import type { DeliveryRow } from '../delivery/delivery.table.ts';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.table.ts';
import { isUnverified } from '../verification/verification.ts';
import { deliveryAddress, endpointAddress, ENDPOINTS } from './addresses.ts';
import { eventsOf, pager } from './endpoints.view.ts';
import { makePage } from './page.ts';
import {
  badge,
  breakable,
  isAboutToBeSent,
  moment,
  outcomeOf,
  standingOfDelivery,
  standingOfEndpoint,
  withoutAttempts,
} from './words.ts';

interface EndpointView {
  readonly endpoint: NotificationWebhookRow;
  readonly deliveries: readonly DeliveryRow[];
  readonly attempts: readonly AttemptRow[];
  readonly now: Date;
  /** The filter. */
  readonly status: DeliveryRow['status'] | undefined;
  readonly hasMore: boolean;
  readonly isFirst: boolean;
}

/** The page of an endpoint with its deliveries. */
export function endpointPage(view: EndpointView): Page {
  const { endpoint } = view;
  const body = html`${facts(endpoint, view.now)}
    <section class="card">
      <h2>Deliveries</h2>
      ${filters(view)} ${list(view)}
    </section>`;
  const above = [{ name: 'Endpoints', address: ENDPOINTS }];
  return makePage({ title: endpoint.url, body, tenant: endpoint.tenant, above });
}

function facts(endpoint: NotificationWebhookRow, now: Date): Html {
  const standing = standingOfEndpoint(endpoint, now);
  return html`<section class="card">
    <div class="head">
      <div>
        ${badge(standing)}
        <h1>${breakable(endpoint.url)}</h1>
        ${standing.detail ? html`<p>${standing.detail}</p>` : nothing}
      </div>
      ${button(endpoint)}
    </div>
    <dl class="facts">
      <dt>Events</dt>
      <dd>${eventsOf(endpoint)}</dd>
      <dt>ID</dt>
      <dd><code>${endpoint.id}</code></dd>
      <dt>Created</dt>
      <dd>${moment(endpoint.created_at)}</dd>
    </dl>
    ${endpoint.status === 'disabled' ? howToEnable(endpoint) : nothing}
  </section>`;
}

function button(endpoint: NotificationWebhookRow): Html {
  if (endpoint.status === 'disabled') return nothing;
  return isUnverified(endpoint) ? verifyForm(endpoint) : testForm(endpoint);
}

function verifyForm({ id }: NotificationWebhookRow): Html {
  return html`<form method="post" action="${endpointAddress(id)}/verify">
    <button class="main">Resend challenge</button>
  </form>`;
}

function testForm({ id }: NotificationWebhookRow): Html {
  return html`<form method="post" action="${endpointAddress(id)}/test">
    <button class="main">Send test event</button>
  </form>`;
}

function howToEnable({ id }: NotificationWebhookRow): Html {
  return html`<p class="soft">
    This endpoint receives no events and no test events. To enable it, send
    <code>PUT /v2/notification_webhooks/${id}</code> with <code>{"status": "enabled"}</code>.
  </p>`;
}

const NAMES = { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' } as const;

function filters({ endpoint, status }: EndpointView): Html {
  const link = (name: string, to: DeliveryRow['status'] | undefined) =>
    html`<a href="${listAddress(endpoint, to)}" ${to === status ? html`aria-current="true"` : nothing}
      >${name}</a
    >`;
  return html`<nav class="filters" aria-label="Filter deliveries">
    ${link('All', undefined)} ${all(DELIVERY_STATUSES.map((each) => link(NAMES[each], each)))}
  </nav>`;
}

function list(view: EndpointView): Html {
  const { endpoint, deliveries, status, hasMore, isFirst } = view;
  const byDelivery = Map.groupBy(view.attempts, ({ delivery }) => delivery);
  const rows = deliveries.map((delivery) => row(delivery, byDelivery.get(delivery.id) ?? [], view.now));
  const last = deliveries.at(-1);
  return html`${rows.length === 0 ? html`<p>${isFirst ? 'No deliveries.' : 'No more deliveries.'}</p>` : nothing}
    <ul class="rows deliveries">
      ${all(rows)}
    </ul>
    ${pager({
      newest: isFirst ? null : listAddress(endpoint, status),
      older: hasMore && last ? listAddress(endpoint, status, last.id) : null,
    })}`;
}

function row(delivery: DeliveryRow, attempts: readonly AttemptRow[], now: Date): Html {
  const last = attempts.at(-1);
  const times = attempts.length > 1 ? ` (attempt ${attempts.length})` : '';
  return html`<li ${isAboutToBeSent(delivery, now) ? html`data-soon` : nothing}>
    <p>${badge(standingOfDelivery(delivery, now))}</p>
    <div>
      <p class="name"><a href="${deliveryAddress(delivery.id)}">${delivery.type}</a></p>
      <p class="soft"><code>${delivery.object_id}</code></p>
    </div>
    <p>${last ? `${outcomeOf(last)}${times}` : withoutAttempts(delivery)}</p>
    <p class="soft">${moment(delivery.created_at)}</p>
  </li>`;
}

function listAddress(
  { id }: NotificationWebhookRow,
  status: DeliveryRow['status'] | undefined,
  after?: string,
): string {
  const query = new URLSearchParams({ ...(status && { status }), ...(after && { after }) }).toString();
  return query === '' ? endpointAddress(id) : `${endpointAddress(id)}?${query}`;
}
