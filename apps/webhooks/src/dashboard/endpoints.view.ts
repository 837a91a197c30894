import { all, html, nothing, type Html, type Page } from '@fundrail/service-kit/http';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.table.ts';
import { endpointAddress, ENDPOINTS } from './addresses.ts';
import { makePage } from './page.ts';
import { badge, standingOfEndpoint } from './words.ts';

interface EndpointsView {
  readonly tenant: string;
  readonly endpoints: readonly NotificationWebhookRow[];
  readonly now: Date;
  readonly hasMore: boolean;
  readonly isFirst: boolean;
}

export function endpointsPage({ tenant, endpoints, now, hasMore, isFirst }: EndpointsView): Page {
  const last = endpoints.at(-1);
  const body = html`<section class="card">
    <h1>Endpoints</h1>
    ${endpoints.length === 0 ? none(isFirst) : nothing}
    <ul class="rows endpoints">
      ${all(endpoints.map((endpoint) => row(endpoint, now)))}
    </ul>
    ${pager({ newest: isFirst ? null : ENDPOINTS, older: hasMore && last ? `${ENDPOINTS}?after=${last.id}` : null })}
  </section>`;
  return makePage({ title: 'Endpoints', body, tenant });
}

function none(isFirst: boolean): Html {
  if (!isFirst) return html`<p>No more endpoints.</p>`;
  return html`<p>
    You have no endpoints yet. To create one, send <code>POST /v2/notification_webhooks</code> with
    <code>url</code> and <code>events</code>.
  </p>`;
}

function row(endpoint: NotificationWebhookRow, now: Date): Html {
  const standing = standingOfEndpoint(endpoint, now);
  return html`<li>
    <p>${badge(standing)}</p>
    <div>
      <p class="name"><a href="${endpointAddress(endpoint.id)}">${endpoint.url}</a></p>
      ${standing.detail ? html`<p class="soft">${standing.detail}</p>` : nothing} ${eventsOf(endpoint)}
    </div>
  </li>`;
}

/** The events that an endpoint subscribes to. */
export function eventsOf({ events }: NotificationWebhookRow): Html {
  const chips = events.map((event) => html`<li><code>${event}</code></li>`);
  return html`<ul class="chips" aria-label="Events">
    ${all(chips)}
  </ul>`;
}

/** The links below a list. */
export function pager({ newest, older }: { newest: string | null; older: string | null }): Html {
  if (newest === null && older === null) return nothing;
  return html`<nav class="pages" aria-label="Pages">
    ${newest === null ? html`<span></span>` : html`<a href="${newest}">Newest</a>`}
    ${older === null ? nothing : html`<a href="${older}">Older</a>`}
  </nav>`;
}
