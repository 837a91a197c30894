import { all, html, type Html } from '@fundrail/service-kit/http';
import type { AttemptRow } from '../delivery/delivery.ts';
import type { DeliveryRow } from '../delivery/delivery.entity.ts';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.entity.ts';

/** How something stands: in a word with its colour, and in a sentence where there is more to say. */
export interface Standing {
  readonly kind: 'good' | 'warn' | 'bad' | 'idle';
  readonly word: string;
  readonly says: Html | null;
}

export function standingOfEndpoint(endpoint: NotificationWebhookRow, now: Date): Standing {
  const { status, disabled_at, disabled_reason, paused_until, failing_since } = endpoint;
  if (status === 'disabled') {
    const since = disabled_at ? html`since ${moment(disabled_at)}: ` : html``;
    return { kind: 'idle', word: 'Disabled', says: html`${since}${disabled_reason ?? 'no reason was kept'}` };
  }
  const failing =
    failing_since &&
    html`Every attempt has failed since ${moment(failing_since)}; after 5 days of that it is disabled.`;
  if (paused_until && paused_until > now) {
    const asked = html`It asked to be left alone until ${moment(paused_until)} (Retry-After).`;
    return { kind: 'warn', word: 'Paused', says: failing ? html`${asked} ${failing}` : asked };
  }
  if (failing) return { kind: 'bad', word: 'Failing', says: failing };
  return { kind: 'good', word: 'Enabled', says: null };
}

// A delivery that is due for longer waits for a place of its endpoint, and nobody knows how long.
const ABOUT_TO_BE_SENT_MS = { before: 2_000, after: 20_000 };

/** Whether an attempt is made about now, so that it is worth looking again. */
export function isAboutToBeSent({ status, due_at }: DeliveryRow, now: Date): boolean {
  if (status !== 'pending' || due_at === null) return false;
  const overdue = now.getTime() - due_at.getTime();
  return overdue > -ABOUT_TO_BE_SENT_MS.before && overdue < ABOUT_TO_BE_SENT_MS.after;
}

export function standingOfDelivery(delivery: DeliveryRow, now: Date): Standing {
  const { status, due_at } = delivery;
  if (status === 'delivered') return { kind: 'good', word: 'Delivered', says: null };
  if (status === 'failed') return { kind: 'bad', word: 'Failed', says: givenUp(delivery) };
  const says =
    due_at === null
      ? html`It waits for an earlier event of the same object.`
      : due_at <= now
        ? html`It is due now.`
        : html`The next attempt is made at ${moment(due_at)}, in ${span(due_at.getTime() - now.getTime())}.`;
  return { kind: 'warn', word: 'Pending', says };
}

const GIVEN_UP = {
  attempts_exhausted: 'It was given up after ten attempts.',
  endpoint_gone: 'It was given up because the endpoint answered 410, so that it is gone.',
  endpoint_disabled: 'It was given up because the endpoint was disabled.',
  endpoint_deleted: 'It was given up because the endpoint was removed.',
  replay_cancelled: 'It was given up because its replay was cancelled.',
} as const;

function givenUp({ failure_code }: DeliveryRow): Html {
  return html`${failure_code === null ? 'It was given up.' : GIVEN_UP[failure_code]}`;
}

/** Of a delivery without an attempt: what became of them. The days of attempts go before their deliveries do. */
export function withoutAttempts({ status, due_at, tries }: DeliveryRow): string {
  if (status === 'pending') return due_at === null ? 'Waits for an earlier one' : 'Not sent yet';
  return status === 'failed' && tries === 0 ? 'Never sent' : 'Its attempts are not kept any more';
}

export function badge({ kind, word }: Pick<Standing, 'kind' | 'word'>): Html {
  return html`<span class="state ${kind}">${word}</span>`;
}

/** An address that breaks before its slashes rather than anywhere. */
export function breakable(url: string): Html {
  return all(url.split(/(?<=\w)(?=[/?&])/).map((part) => html`${part}<wbr />`));
}

/** `500, 34 ms`, or why there was no answer. */
export function outcomeOf({ status, error, duration_ms }: AttemptRow): string {
  const answered = status === null ? (error ?? 'no answer') : String(status);
  return `${answered}, ${inWords(duration_ms)}`;
}

/** `34 ms` or `1.2 s`. */
export function inWords(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

const FORMAT = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Asia/Kolkata',
  dateStyle: 'medium',
  timeStyle: 'medium',
});

/** `21 Nov 2026, 10:00:05` in India. */
export function moment(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${FORMAT.format(at)}</time>`;
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** `4 min 30 s`: the two largest units of it. */
export function span(ms: number): string {
  let left = Math.max(ms, 1_000);
  const parts = UNITS.map(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return { count, text: `${count} ${unit}` };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ text }) => text)
    .join(' ');
}
